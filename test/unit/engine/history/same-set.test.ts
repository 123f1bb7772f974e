import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, describe, it, onTestFinished, vi } from 'vitest';
import { keepHistory } from '../../../../src/engine/history/keep';
import type { IncidentStore } from '../../../../src/history';
import { silentLog } from '../../../../src/base/util/log';
import { PATIENCE } from '../../../support/patience';
import { folder, open } from '../../history/support/make';
import { engineOver, homeFolder } from '../support';

const MINUTE = 60_000;

/** The same test fails the same way this many times, two minutes apart. */
function loop(session: string, repeats: number): string[] {
  const begun = Date.now() - (repeats + 1) * 2 * MINUTE;
  const line = (t: number, fields: object) => JSON.stringify({ v: 1, t, session, ...fields });
  return [
    line(begun, { type: 'user', text: 'Mend the parser' }),
    ...Array.from({ length: repeats }, (_, n) => {
      const t = begun + (n + 1) * 2 * MINUTE;
      return [
        line(t, { type: 'tool_call', id: `c${n}`, name: 'Bash', args: { command: 'pytest -q' } }),
        line(t + 500, { type: 'tool_result', id: `c${n}`, output: 'FAILED test_add - assert 1 == 2', error: true }),
      ];
    }).flat(),
  ];
}

/** A window of the editor: it follows what is there, and keeps what it sees. */
async function window(place: { home: string; workspace: string; history: string }, name: string) {
  const { store } = await open(place.history, { window: name });
  const { engine, tail } = engineOver(place.home, place.workspace, { stored: (id) => store.adopt(id) });
  const kept = keepHistory({ engine, store, log: silentLog });
  let isOpen = true;
  const close = async () => {
    if (!isOpen) return;
    isOpen = false;
    kept.dispose();
    engine.dispose();
    tail.dispose();
    await store.close();
  };
  onTestFinished(close);
  engine.start();
  const hasRead = async (session: string, lines: number) =>
    vi.waitFor(() => expect(engine.agent(session)?.coverage.lines).toBe(lines), PATIENCE);
  return { store, hasRead, close };
}

const told = async (store: IncidentStore) =>
  (await store.incidents()).map(({ id, detector, level, state, count }) => ({ id, detector, level, state, count }));

describe('the incidents of a session', () => {
  it('are the same after a reload, and in a second window', async () => {
    const home = homeFolder();
    const place = { home, workspace: join(home, 'work'), history: folder() };
    mkdirSync(place.workspace);
    const lines = loop('one', 6);
    writeFileSync(join(place.workspace, 'one.agent.jsonl'), `${lines.join('\n')}\n`);

    const first = await window(place, 'first');
    await first.hasRead('one', lines.length);
    await vi.waitFor(async () => expect(await told(first.store)).not.toEqual([]), PATIENCE);
    const before = await told(first.store);

    const second = await window(place, 'second');
    await second.hasRead('one', lines.length);
    await vi.waitFor(async () => expect(await told(second.store)).toEqual(before), PATIENCE);
    expect(await told(first.store)).toEqual(before);

    await first.close();
    await second.close();
    const reloaded = await window(place, 'reloaded');
    await reloaded.hasRead('one', lines.length);
    expect(await told(reloaded.store)).toEqual(before);
    await reloaded.store.compact();
    expect(await told(reloaded.store)).toEqual(before);
  });
});
