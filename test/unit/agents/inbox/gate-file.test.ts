import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inboxFolder } from '../../../../src/agents/inbox';
import { type GateFile, readGateFile, removeGateFile, writeGateFile } from '../../../../src/agents/inbox/gate-file';
import { NOW, SESSION, workspace } from './inbox-kit';

let place: { root: string; remove: () => void };
beforeEach(() => {
  place = workspace();
});
afterEach(() => place.remove());

const state: GateFile = {
  v: 1,
  session: SESSION,
  state: 'armed',
  at: NOW,
  until: NOW + 60_000,
  wait: 60_000,
  pid: 4711,
};
const path = () => join(inboxFolder(place.root, SESSION).path, 'gate.json');

describe('the state of the quality gates of a session', () => {
  it('is what was written last, and leaves no draft', async () => {
    expect(await readGateFile(place.root, SESSION)).toBeNull();
    expect(await writeGateFile(place.root, state)).toMatchObject({ ok: true });
    expect(await writeGateFile(place.root, { ...state, state: 'running' })).toMatchObject({ ok: true });
    expect(await readGateFile(place.root, SESSION)).toEqual({ ...state, state: 'running' });
    expect(readdirSync(inboxFolder(place.root, SESSION).tmp)).toEqual([]);
  });

  it.skipIf(process.platform === 'win32')(
    'is neither written nor read through a link that leads out of the folder',
    async () => {
      const other = workspace();
      try {
        expect(await writeGateFile(other.root, state)).toMatchObject({ ok: true });
        symlinkSync(join(other.root, '.unstuck'), join(place.root, '.unstuck'));
        expect(await readGateFile(place.root, SESSION)).toBeNull();
        expect(await writeGateFile(place.root, { ...state, state: 'failed' })).toMatchObject({ ok: false });
        expect(await readGateFile(other.root, SESSION)).toEqual(state);
      } finally {
        other.remove();
      }
    },
  );

  it.each([
    ['of another session', { ...state, session: 'another' }],
    ['of another version', { ...state, v: 2 }],
    ['of a state that is none', { ...state, state: 'perhaps' }],
    ['of no process', { ...state, pid: 0 }],
    ['that waits for longer than an hour', { ...state, wait: 3_600_001 }],
    ['that is no object', [state]],
  ])('%s belongs to no session', async (_name, written) => {
    await writeGateFile(place.root, state);
    writeFileSync(path(), JSON.stringify(written));
    expect(await readGateFile(place.root, SESSION)).toBeNull();
  });

  it('is not read through a link, nor if it is broken', async () => {
    await writeGateFile(place.root, state);
    const elsewhere = join(place.root, 'elsewhere.json');
    writeFileSync(elsewhere, JSON.stringify(state));
    removeGateFile(place.root, SESSION, state.pid);
    symlinkSync(elsewhere, path());
    expect(await readGateFile(place.root, SESSION)).toBeNull();
    removeGateFile(place.root, SESSION, state.pid);
    expect(existsSync(path())).toBe(true);
  });

  it('is removed only by the process that wrote it', async () => {
    await writeGateFile(place.root, state);
    removeGateFile(place.root, SESSION, 4712);
    expect(existsSync(path())).toBe(true);
    removeGateFile(place.root, SESSION, 4711);
    expect(existsSync(path())).toBe(false);
    removeGateFile(place.root, SESSION, 4711);
    writeFileSync(path(), '{');
    removeGateFile(place.root, SESSION, 4711);
    expect(existsSync(path())).toBe(true);
  });

  it('reports where and why it cannot be written', async () => {
    await writeGateFile(place.root, state);
    removeGateFile(place.root, SESSION, 4711);
    mkdirSync(path());
    const written = await writeGateFile(place.root, state);
    expect(written).toMatchObject({ ok: false, error: { path: inboxFolder(place.root, SESSION).path } });
    expect(readdirSync(inboxFolder(place.root, SESSION).tmp)).toEqual([]);
    const blocked = workspace();
    writeFileSync(join(blocked.root, '.unstuck'), '');
    expect(await writeGateFile(blocked.root, state)).toMatchObject({ ok: false });
    expect(await readGateFile(blocked.root, SESSION)).toBeNull();
    blocked.remove();
  });
});
