import { expect, it } from 'vitest';
import { storeError } from '../../../src/history/errors';
import { createStatusBoard } from '../../../src/history/status';
import { recordingLog } from '../support/log';

function board() {
  const log = recordingLog();
  let changes = 0;
  const status = createStatusBoard(log, () => void changes++);
  return { status, lines: log.lines, changes: () => changes };
}

it('is ready until there is a problem, and reports once what it is and when it is gone', () => {
  const { status, lines, changes } = board();
  expect(status.get()).toEqual({ mode: 'ready' });
  status.set('journal', storeError('disk_full'));
  status.set('journal', storeError('disk_full'));
  expect(status.get()).toEqual({
    mode: 'memory_only',
    reason: 'disk_full',
    message: 'The disk is full, so the history is not saved.',
  });
  expect(changes()).toBe(1);
  status.set('journal', null);
  expect(status.get()).toEqual({ mode: 'ready' });
  expect(changes()).toBe(2);
  expect(lines.join('\n')).toContain('history: The disk is full, so the history is not saved.');
  expect(lines.join('\n')).toContain('history: works again');
  expect(lines).toHaveLength(2);
});

it('only reads if the journal cannot be written, and still writes if only the database cannot be read', () => {
  const { status } = board();
  status.set('snapshot', storeError('engine_missing'));
  expect(status.get()).toMatchObject({ mode: 'journal_only', reason: 'engine_missing' });
  status.set('folder', storeError('read_only'));
  expect(status.get()).toMatchObject({ mode: 'memory_only', reason: 'read_only' });
  status.set('journal', storeError('disk_full'));
  expect(status.get()).toMatchObject({ mode: 'memory_only', reason: 'disk_full' });
  status.set('journal', null);
  status.set('folder', null);
  expect(status.get()).toMatchObject({ mode: 'journal_only', reason: 'engine_missing' });
});

it('reports the same reason in a worse place, and nothing if all is well', () => {
  const { status, changes } = board();
  status.set('journal', null);
  expect(changes()).toBe(0);
  status.set('snapshot', storeError('read_only'));
  status.set('journal', storeError('read_only'));
  expect(status.get()).toMatchObject({ mode: 'memory_only', reason: 'read_only' });
  expect(changes()).toBe(2);
});

it('reports another reason of the same weight', () => {
  const { status, changes } = board();
  status.set('journal', storeError('disk_full'));
  status.set('journal', storeError('read_only'));
  expect(status.get()).toMatchObject({ reason: 'read_only' });
  expect(changes()).toBe(2);
});

it('names damage in addition to any other problem, once', () => {
  const { status, changes } = board();
  const damage = { at: 5, saved: 1, lost: 0, lines: 0, files: ['x'] };
  status.setDamage(null);
  expect(changes()).toBe(0);
  status.setDamage(damage);
  status.setDamage({ ...damage });
  expect(status.get()).toEqual({ mode: 'ready', damage });
  expect(changes()).toBe(1);
  status.setDamage(null);
  expect(status.get()).toEqual({ mode: 'ready' });
  expect(changes()).toBe(2);
});
