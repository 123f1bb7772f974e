import { expect, it } from 'vitest';
import { generic } from '../../../../src/agents/generic/adapter';
import { UnreadFiles } from '../../../../src/engine/follow/unread-files';
import { recordingLog } from '../../support/log';

function unread() {
  const log = recordingLog();
  const changed: string[] = [];
  const files = new UnreadFiles(log, (key) => changed.push(key));
  const leftOut = (file: string, inFolder = false) => files.leftOut(file, generic, 'a session', inFolder);
  const named = () => files.all().map(({ file }) => file);
  return { files, log, changed, leftOut, named };
}

it('of many transcripts that are left out, the last twenty are named, those of agents’ stores before those of the folders', () => {
  const { leftOut, named } = unread();
  leftOut('/older', true);
  leftOut('/folder', true);
  for (let n = 0; n < 21; n++) leftOut(`/store-${n}`);
  expect(named()).toHaveLength(22);
  expect(named()[0]).toBe('/store-20');
  expect(named().slice(-3)).toEqual(['/store-1', '/folder', '/older']);
});

it('one that is left out is reported once in the list and in the log, and again only after it was followed', () => {
  const { files, leftOut, named, changed, log } = unread();
  leftOut('/a');
  leftOut('/a');
  expect([named(), changed, log.lines.length]).toEqual([['/a'], ['/a'], 1]);
  expect(log.lines[0]).toMatch(
    /^warn: \/a is left out, in whole or in part \(session a session\): only the newest 1000 sessions are followed/,
  );
  files.opened('/a');
  expect(named()).toEqual([]);
  leftOut('/a');
  expect([named(), log.lines.length]).toEqual([['/a'], 1]);
});

it('one of an open folder is reported with the limit of folders, and its session by a name that cannot break the line', () => {
  const { files, named } = unread();
  files.leftOut('/folder', generic, `a\nb${'c'.repeat(100)}`, true);
  expect(files.all()[0]?.why).toBe(
    `left out, in whole or in part (session a b${'c'.repeat(57)}): of the transcripts in the open folders, only the newest 200 sessions are followed. Lower unstuck.sessions.maxAge to follow fewer old ones, or delete old transcripts.`,
  );
  files.opened('/folder');
  expect(named()).toEqual([]);
  files.leftOut('/folder', generic, 'a', true);
  files.recount();
  expect(named()).toEqual([]);
});

it('the log names a hundred of them, and says that it names no more', () => {
  const { leftOut, log } = unread();
  for (let n = 0; n < 130; n++) leftOut(`/f${n}`);
  expect(log.lines).toHaveLength(101);
  expect(log.lines.at(-1)).toBe('warn: sessions of more than 100 files are left out: further ones are not listed');
});

it('excess sessions of the earlier folders are not reported for others', () => {
  const { files, leftOut, named } = unread();
  leftOut('/store');
  files.tooManyFolders('/root', generic, 5_000);
  files.tooManyFiles('/work', 1_000);
  files.unreadable('/mine', generic, 'permission');
  expect(files.all().map(({ why }) => why.slice(0, 44))).toEqual([
    'followed only in part: 5000 of its folders. ',
    'followed only in part: 1000 of its transcrip',
    'not readable: permission was denied. It is f',
    'left out, in whole or in part (session a ses',
  ]);
  files.recount();
  expect(named()).toEqual(['/mine']);
});

it('a lack of descriptors is reported for one file, until any file can be opened', () => {
  const { files, named, log, changed } = unread();
  files.unreadable('/a', generic, 'descriptors');
  files.unreadable('/b', generic, 'descriptors');
  files.trouble('/large', generic, 'too large');
  expect(named()).toEqual(['/a', '/large']);
  expect([log.lines.length, changed.length]).toEqual([1, 1]);
  expect(log.lines[0]).toMatch(/^warn: \/a is not read: too many files are open/);
  files.readable('/c');
  expect(named()).toEqual(['/large']);
  files.read('/large');
  expect(named()).toEqual([]);
});
