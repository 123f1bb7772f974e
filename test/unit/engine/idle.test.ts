import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { registry } from '../../../src/agents/registry';
import { Beat } from '../../../src/base/beat';
import { systemProbe } from '../../../src/engine/follow/probe';
import { FakeClock } from '../history/support/fake-clock';
import { PATIENCE } from '../../support/patience';
import { homeFolder, stage } from './support';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** Sessions of Claude Code whose turns have ended, in an engine that counts its wake-ups and its looks into the registry of Claude Code. */
async function resting(sessions: number) {
  // The next calm look is nine seconds away.
  const clock = new FakeClock(Math.floor(Date.now() / (10 * SECOND)) * 10 * SECOND + SECOND);
  const count = { wakes: 0, looks: 0 };
  const timers = {
    now: () => clock.now(),
    after: (milliseconds: number, run: () => void) => clock.after(milliseconds, () => (count.wakes++, run())),
  };
  const home = homeFolder();
  const workspace = join(home, 'work');
  const store = join(home, '.claude/projects', workspace.replace(/[^A-Za-z0-9]/g, '-'));
  mkdirSync(store, { recursive: true });
  const line = (session: string, type: 'user' | 'assistant', message: object) =>
    `${JSON.stringify({ type, sessionId: session, cwd: workspace, timestamp: new Date(clock.now()).toISOString(), message: { role: type, ...message } })}\n`;
  const files = Array.from({ length: sessions }, (_, at) => {
    const session = `00000000-0000-4000-8000-00000000000${at}`;
    const file = join(store, `${session}.jsonl`);
    const done = { id: 'm', content: [{ type: 'text', text: 'Done.' }], stop_reason: 'end_turn' };
    writeFileSync(file, line(session, 'user', { content: 'Mend it' }) + line(session, 'assistant', done));
    return { session, file };
  });
  const probe = {
    ...systemProbe,
    list: (folder: string) => {
      if (folder === join(home, '.claude/sessions')) count.looks++;
      return systemProbe.list(folder);
    },
  };
  const { engine } = stage({ home, clock: timers, beat: new Beat(timers), probe, adapters: registry });
  engine.start();
  await vi.waitFor(
    () => expect(engine.agents().map(({ state }) => state.kind)).toEqual(Array(sessions).fill('waiting')),
    PATIENCE,
  );
  const pass = (milliseconds: number) => {
    Object.assign(count, { wakes: 0, looks: 0 });
    clock.pass(milliseconds);
    return { ...count };
  };
  const ask = ({ session, file }: { readonly session: string; readonly file: string }) => {
    appendFileSync(file, line(session, 'user', { content: 'And now the rest' }));
    return vi.waitFor(() => expect(engine.agent(session)?.state.kind).toBe('working'), PATIENCE);
  };
  return { pass, ask, files };
}

it('wakes every ten seconds while all agents rest, and does all its looks then', async () => {
  const { pass } = await resting(9);
  pass(2 * MINUTE);
  const { wakes, looks } = pass(10 * MINUTE);
  expect(wakes).toBe(60);
  expect(looks).toBe(60);
});

it('looks every two seconds for the first minute after an agent has written', async () => {
  const { pass } = await resting(1);
  expect(pass(MINUTE).looks).toBeGreaterThanOrEqual(29);
});

it('looks closely again from the first line that an agent writes, and while its turn is open', async () => {
  const { pass, ask, files } = await resting(2);
  pass(10 * MINUTE);
  await ask(files[0]!);
  expect(pass(5 * MINUTE).looks).toBeGreaterThanOrEqual(149);
});
