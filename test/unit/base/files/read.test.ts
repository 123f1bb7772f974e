import { appendFileSync, chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { appendLine, readBytes, readPart, readPartNow, readText, readTextNow } from '../../../../src/base/files';
import { type ChildModule, inChild } from './in-child';
import { layLink, layTrap, TRAPS } from './traps';

const folder = mkdtempSync(join(tmpdir(), 'unstuck-files-'));
let path = '';
let named = 0;
beforeEach(() => {
  path = join(folder, `file-${named++}`);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a regular file', () => {
  it('is read completely, up to the limit and not a byte beyond it', async () => {
    writeFileSync(path, 'grüße');
    expect(await readText(path, { limit: 7 })).toEqual({ ok: true, value: 'grüße' });
    expect(readTextNow(path, { limit: 7 })).toEqual({ ok: true, value: 'grüße' });
    const refused = { ok: false, error: { reason: 'too_large', code: 'TOOLARGE', path } };
    expect(await readText(path, { limit: 6 })).toEqual(refused);
    expect(readTextNow(path, { limit: 6 })).toEqual(refused);
  });

  it('may be empty', async () => {
    writeFileSync(path, '');
    expect(await readText(path, { limit: 0 })).toEqual({ ok: true, value: '' });
  });

  it('is read in pieces, from its beginning and from its end', async () => {
    writeFileSync(path, '0123456789');
    const text = async (from: number, length: number) => {
      const read = await readPart(path, { from, length });
      const now = readPartNow(path, { from, length });
      if (!read.ok || !now.ok) throw new Error('not read');
      expect(now.value.bytes.equals(read.value.bytes)).toBe(true);
      expect(read.value.size).toBe(10);
      return read.value.bytes.toString();
    };
    expect(await text(0, 4)).toBe('0123');
    expect(await text(4, 100)).toBe('456789');
    expect(await text(-3, 100)).toBe('789');
    expect(await text(-3, 2)).toBe('78');
    expect(await text(-100, 5)).toBe('01234');
    expect(await text(10, 5)).toBe('');
  });

  it.runIf(process.platform === 'linux')('is read to its end if it reports no size', async () => {
    const read = await readBytes('/proc/self/stat', { limit: 64 * 1024 });
    expect(read.ok && read.value.bytes.length).toBeGreaterThan(20);
  });

  it('that does not exist is missing', async () => {
    expect(await readText(path, { limit: 9 })).toEqual({
      ok: false,
      error: { reason: 'missing', code: 'ENOENT', path },
    });
    expect(readTextNow(path, { limit: 9 })).toEqual({ ok: false, error: { reason: 'missing', code: 'ENOENT', path } });
    const below = readTextNow(join(folder, 'no', 'such'), { limit: 9 });
    expect(below.ok || below.error.reason).toBe('missing');
  });

  it.skipIf(process.getuid?.() === 0)('that may not be read is reported', async () => {
    writeFileSync(path, 'text');
    chmodSync(path, 0);
    const read = await readText(path, { limit: 9 });
    expect(read.ok || read.error.reason).toBe('no_permission');
  });
});

describe.skipIf(process.platform === 'win32')('a symbolic link', () => {
  it('is followed, or refused if links are not followed', async () => {
    layLink(path, folder);
    expect(await readText(path, { limit: 99 })).toEqual({ ok: true, value: 'text behind a link' });
    for (const read of [
      await readText(path, { limit: 99, noFollow: true }),
      readTextNow(path, { limit: 99, noFollow: true }),
    ])
      expect(read).toEqual({ ok: false, error: { reason: 'link', code: 'ELOOP', path } });
  });

  it('that leads to itself is refused', async () => {
    symlinkSync(path, path);
    const read = await readText(path, { limit: 99 });
    expect(read.ok || read.error.reason).toBe('link');
  });

  it('is not written through', async () => {
    layLink(path, folder);
    const written = await appendLine(path, 'more');
    expect(written.ok || written.error.reason).toBe('link');
  });
});

describe.skipIf(process.platform === 'win32').each(TRAPS)('in the place of a %s', (kind) => {
  let child: ChildModule;
  beforeAll(async () => {
    child = await inChild(`export * from './src/base/files';`);
  });
  afterAll(() => child.dispose());

  it('no reader waits, and none reads it', async () => {
    const server = await layTrap(kind, path);
    try {
      const { value, megabytes } = await child.run(
        `Promise.all([m.readTextNow(a, { limit: 65536 }), m.readText(a, { limit: 65536 }), m.readBytes(a, { limit: 65536, noFollow: true })])`,
        path,
      );
      const reasons = (value as { error: { reason: string } }[]).map(({ error }) => error.reason);
      const reason = kind === 'huge' ? 'too_large' : 'not_regular';
      expect(reasons).toEqual([reason, reason, kind === 'device' ? 'link' : reason]);
      expect(megabytes).toBeLessThan(300);
    } finally {
      server?.close();
    }
  });

  it.skipIf(kind === 'huge')('nothing is appended', async () => {
    const server = await layTrap(kind, path);
    try {
      const { value } = await child.run(`m.appendLine(a, 'x'.repeat(200000))`, path);
      expect((value as { ok: boolean }).ok).toBe(false);
    } finally {
      server?.close();
    }
  });
});

describe('appending', () => {
  it('begins a new line after one that was torn off', async () => {
    appendFileSync(path, 'torn');
    expect(await appendLine(path, 'whole')).toEqual({ ok: true, value: undefined });
    expect(await appendLine(path, 'next')).toEqual({ ok: true, value: undefined });
    expect(readTextNow(path, { limit: 99 })).toEqual({ ok: true, value: 'torn\nwhole\nnext\n' });
  });
});
