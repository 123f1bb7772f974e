import { expect, it } from 'vitest';
import { checkpointRef, isCheckpointRef } from '../../../../src/recover/checkpoint/names';
import { isOwnFile } from '../../../../src/recover/checkpoint/own-files';

const ID = '01JD0000000000000000000001';

it.each([
  ['s-1_B', ID, true],
  ['x'.repeat(64), ID, true],
  ['x'.repeat(65), ID, false],
  ['', ID, false],
  ['a/b', ID, false],
  ['a.b', ID, false],
  ['a\n', ID, false],
  ['-x y', ID, false],
  ['s', ID.slice(1), false],
  ['s', `${ID}0`, false],
  ['s', ID.replace('J', 'I'), false],
  ['s', ID.replace('0', '8'), false],
  ['s', ID.toLowerCase(), false],
])('the session %j and the id %j name a checkpoint: %s', (session, id, isName) => {
  expect(checkpointRef(session, id)).toBe(isName ? `refs/unstuck/${session}/${id}` : null);
  expect(isCheckpointRef(`refs/unstuck/${session}/${id}`)).toBe(isName);
  expect(isCheckpointRef(`refs/heads/${session}/${id}`)).toBe(false);
  expect(isCheckpointRef(`x/refs/unstuck/${session}/${id}`)).toBe(false);
});

it.each([
  ['.unstuck/a', true],
  ['sub/.unstuck/inbox/x', true],
  ['.unstuck', false],
  ['.unstuck/', false],
  ['x.unstuck/a', false],
  ['.claude/settings.local.json', true],
  ['sub/.claude/settings.local.json', true],
  ['x.claude/settings.local.json', false],
  ['.claude/settings.json', false],
  ['.claude/settings.local.json.bak', false],
])('%s is written by Unstuck itself: %s', (path, isOwn) => {
  expect(isOwnFile(path)).toBe(isOwn);
});
