import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { markSupervised, supervisorOf, unmarkSupervised } from '../../../../src/agents/inbox';
import { supervisorFile } from '../../../../src/agents/inbox/supervised';
import { filesIn, SESSION, value, workspace } from './inbox-kit';

let place: { root: string; remove: () => void };
beforeEach(() => {
  place = workspace();
});
afterEach(() => place.remove());

const supervisor = { pid: 4711, start: '99' };

function found(start: string | null = '99') {
  return supervisorOf(place.root, SESSION, {
    read: (path) => {
      try {
        return readFileSync(path, 'utf8');
      } catch {
        return undefined;
      }
    },
    processStart: (pid) => (pid === supervisor.pid ? start : null),
  });
}

describe('the mark of a supervisor', () => {
  it('names the process for as long as it runs', async () => {
    expect(found()).toBeNull();
    value(await markSupervised(place.root, SESSION, supervisor));
    expect(found()).toEqual(supervisor);
    expect(found(null)).toBeNull();
    expect(filesIn(place.root, 'tmp')).toEqual([]);
    await unmarkSupervised(place.root, SESSION, supervisor.pid);
    expect(found()).toBeNull();
  });

  it('of an ended process does not count for another one with the same id', async () => {
    value(await markSupervised(place.root, SESSION, supervisor));
    expect(found('100')).toBeNull();
  });

  it('is replaced when another supervisor takes over', async () => {
    value(await markSupervised(place.root, SESSION, { pid: 1, start: '1' }));
    value(await markSupervised(place.root, SESSION, supervisor));
    expect(found()).toEqual(supervisor);
  });

  // a supervisor resumes the session of another one │ the other one ends
  it('stays when the supervisor that had the session before ends', async () => {
    value(await markSupervised(place.root, SESSION, { pid: 1, start: '1' }));
    value(await markSupervised(place.root, SESSION, supervisor));
    await unmarkSupervised(place.root, SESSION, 1);
    expect(found()).toEqual(supervisor);
  });

  it.each([
    'not JSON',
    'null',
    '{"start":"99"}',
    '{"pid":4711}',
    '{"pid":"4711","start":"99"}',
    '{"pid":4711,"start":99}',
    '{"pid":4711.5,"start":"99"}',
    '{"pid":0,"start":"99"}',
  ])('%s names no process', async (text) => {
    value(await markSupervised(place.root, SESSION, supervisor));
    writeFileSync(supervisorFile(place.root, SESSION), text);
    expect(supervisorOf(place.root, SESSION, { read: () => text, processStart: () => '99' })).toBeNull();
  });
});
