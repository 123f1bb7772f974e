import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { CheckpointFiles } from '../../../../src/recover/checkpoint';
import { isKeptAs, isObject } from '../../../../src/recover/checkpoint/forms';

const object = (text: string, hash: 'sha1' | 'sha256' = 'sha1') =>
  createHash(hash)
    .update(`blob ${Buffer.byteLength(text)}\0${text}`)
    .digest('hex');

/** A file that is read in pieces of this many bytes. */
function file(text: string, piece = 3, hash: 'sha1' | 'sha256' = 'sha1') {
  const bytes = Buffer.from(text);
  const read: CheckpointFiles['read'] = async (_root, _path, each) => {
    for (let at = 0; at < bytes.length; at += piece) each(bytes.subarray(at, at + piece));
    return bytes.length;
  };
  const files = { read } as Pick<CheckpointFiles, 'read'> as CheckpointFiles;
  return { files, top: '/', path: 'a', size: bytes.length, hash, onRead: () => undefined };
}

describe('a file', () => {
  it('is an object with exactly its bytes', async () => {
    expect(await isObject(file('one\n'), object('one\n'))).toBe(true);
    expect(await isObject(file('one\r\n'), object('one\n'))).toBe(false);
    expect(await isObject(file('one\n', 3, 'sha256'), object('one\n', 'sha256'))).toBe(true);
    expect(await isObject({ ...file('one\n'), size: 3 }, object('one\n'))).toBe(false);
  });

  it.each([1, 2, 3, 4, 5, 100])('is kept with its line ends as LF, read in pieces of %i bytes', async (piece) => {
    const text = 'one\r\n\r\ntwo\rthree\n\r\r\nfour\r';
    expect(await isKeptAs(file(text, piece), object('one\n\ntwo\rthree\n\r\nfour\r'))).toBe(true);
    expect(await isKeptAs(file(text, piece), object('one\n\ntwo\nthree\n\r\nfour\r'))).toBe(false);
    expect(await isKeptAs(file('one\n', piece), object('one\r\n'))).toBe(false);
  });

  it('is kept as a pointer of git LFS', async () => {
    const oid = createHash('sha256').update('a large picture').digest('hex');
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize 15\n`;
    expect(await isKeptAs(file('a large picture'), object(pointer))).toBe(true);
    expect(await isKeptAs(file('another picture'), object(pointer))).toBe(false);
  });
});
