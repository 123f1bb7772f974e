import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mayNotify } from '../../../../src/detect/incident';
import { DEFAULT_LIMITS } from '../../../../src/recover/decisions/limits';
import type { AgentEvent, Incident } from '../../../../src/core/model';
import { draw } from '../../../stories/drawing';
import { BESIDE, pairs, silent } from './pairs';
import { Machine, type Window } from './stage';

const HOUR_MS = 3_600_000;
/** Agents in one folder. The cost of each update of the window grows with their number. */
const AT_A_TIME = 12;
/** In a run that was written all at once, the first message counts, however old its steps are. */
const settings = { automatic: true, limits: { ...DEFAULT_LIMITS, global: 1000, expiryMs: HOUR_MS } };

interface Told {
  /** Rules about steps. Silence, outages and large results are reported next to them. */
  readonly incidents: readonly Incident[];
  readonly notified: number;
  readonly messages: number;
}

/** A drawn run as the generic transcript of a session whose last line was written just now. */
function transcriptOf(session: string, cwd: string, events: readonly AgentEvent[], now: number): string {
  const late = now - (events.at(-1)?.at ?? now);
  const lines = events.map((event) => ({ ...event, v: 1, t: event.at + late, session }));
  const start = { v: 1, t: (lines[0]?.t ?? now) - 1000, session, type: 'session_start', cwd };
  return [start, ...lines].map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** Notifications that a window would show, by session. */
function notices(window: Window): (session: string) => number {
  const notified = new Map<string, Set<string>>();
  window.engine.onDidChangeIncident(({ incident, session }) => {
    if (mayNotify(incident) === 'notify') notified.set(session, (notified.get(session) ?? new Set()).add(incident.id));
  });
  return (session) => notified.get(session)?.size ?? 0;
}

/** What automatic mode reports and sends for each run. */
async function toldOf(runs: readonly (readonly AgentEvent[])[]): Promise<readonly Told[]> {
  const machine = new Machine();
  const window = await machine.window({ settings });
  const notified = notices(window);
  machine.clock.pass(2 * HOUR_MS);
  const sessions = runs.map((_, index) => `run${index}`);
  for (const [index, session] of sessions.entries()) {
    const text = transcriptOf(session, join(machine.workspace, session), runs[index] ?? [], machine.clock.now());
    writeFileSync(join(machine.workspace, `${session}.agent.jsonl`), text);
  }
  const incidents = (session: string) =>
    (window.engine.session(session)?.book.all() ?? []).filter(({ detector }) => !BESIDE.has(detector));
  await machine.until('all runs were read', () => sessions.every((session) => window.view(session)));
  await machine.pass(2 * DEFAULT_LIMITS.delayMs);
  return sessions.map((session) => ({
    incidents: incidents(session),
    notified: notified(session),
    messages: machine.messages(session).length,
  }));
}

describe('one streak sends one message at a time, and two at most before a person is asked', () => {
  // Each of these sent two messages at once: one for each of its rules.
  it.each([
    ['malformed calls that are equal', '(V) x5', '(V) x3', 2],
    [
      'the same failure straight after a compaction',
      '(B "make" fail:no_rule) x3 · C · (B "make" fail:no_rule) x3',
      '(B "make" fail:no_rule) x3',
      // It needs a fresh start, which only a person can do if the agent is not supervised.
      1,
    ],
    [
      'a failure that the retry notes list',
      'F "Failed attempts: `make dist`" · (B "make dist" fail:no_rule) x5',
      '(B "make dist" fail:no_rule) x3',
      2,
    ],
  ])('%s', async (_, drawing, again, attempts) => {
    const machine = new Machine();
    const window = await machine.window({ settings: { automatic: true } });
    const notified = notices(window);
    const agent = machine.agent('s1').begin();
    const write = (text: string): void => {
      for (const event of draw(text)) agent.line(event.type, { ...event, session: 's1' });
    };
    write(drawing);
    const { id } = await window.untilStuck('s1');
    await machine.until('a message is in the inbox', () => machine.messages('s1').length > 0);
    await machine.pass(DEFAULT_LIMITS.delayMs);
    expect(machine.messages('s1')).toHaveLength(1);
    for (let round = 0; round < 6 && window.incident('s1').state !== 'escalated'; round++) {
      await agent.take();
      write(again);
      await machine.pass(DEFAULT_LIMITS.delayMs + 10_000);
    }
    const steps = (window.engine.session('s1')?.book.all() ?? []).filter(({ detector }) => !BESIDE.has(detector));
    expect(steps.map((incident) => [incident.id, incident.attempts.length, incident.state])).toEqual([
      [id, attempts, 'escalated'],
    ]);
    expect(notified('s1')).toBe(1);
  });
});

const TOGETHER = pairs()
  .filter(({ events }) => events !== null)
  .map((pair) => ({ ...pair, name: `${pair.one} and ${pair.other}` }));
const BATCHES = Array.from({ length: Math.ceil(TOGETHER.length / AT_A_TIME) }, (_, index) => ({
  number: index + 1,
  batch: TOGETHER.slice(index * AT_A_TIME, (index + 1) * AT_A_TIME),
}));

describe('two rules that see the same steps', () => {
  it.each(BATCHES)('are one incident, one notification and one message: part $number', async ({ batch }) => {
    const told = await toldOf(batch.map(({ events }) => events ?? []));
    const found = batch.map(({ name }, index) => {
      const { incidents = [], notified, messages } = told[index] ?? {};
      return { name, incidents: incidents.length, notified, messages, attempts: incidents[0]?.attempts.length ?? 0 };
    });
    expect(found).toEqual(
      batch.map(({ name, one, other }, index) => {
        const times = told[index]?.incidents[0]?.level === 'stuck' ? 1 : 0;
        const incidents = BESIDE.has(one) && BESIDE.has(other) ? found[index]?.incidents : 1;
        return { name, incidents, notified: times, messages: times, attempts: times };
      }),
    );
  });

  it('are played for most pairs, and each rule alerts on a run of its own', () => {
    expect(silent()).toEqual([]);
    expect(TOGETHER.length).toBeGreaterThan(120);
  });
});

describe('two agents in one folder', () => {
  it.each([
    ['that undo the edits of each other, which are returns of their own too', 'edit'],
    ['that write a file over each other', 'write'],
  ])('%s have one incident, one notification and one message each', async (_, tool) => {
    const machine = new Machine();
    const window = await machine.window({ settings });
    const notified = notices(window);
    const contents = ['price', 'qty'] as const;
    const agents = contents.map((content) => ({ content, agent: machine.agent(content).begin() }));
    for (let round = 0; round < 6; round++) {
      for (const { content, agent } of agents) {
        const other = contents.find((one) => one !== content) ?? '';
        const args = tool === 'edit' ? { old_string: other, new_string: content } : { content };
        agent.call(tool, { file_path: 'cart.ts', ...args }, 'The file cart.ts has been updated.');
        const at = machine.clock.now();
        await machine.until('the edit was read', () => {
          return (window.engine.session(content)?.facts.lastEventAt ?? 0) >= at;
        });
      }
    }
    await machine.pass(2 * DEFAULT_LIMITS.delayMs);
    const told = contents.map((session) => [
      (window.engine.session(session)?.book.all() ?? []).map(({ rule, level }) => `${level} ${rule}`),
      notified(session),
      machine.messages(session).length,
    ]);
    expect(told).toEqual(contents.map(() => [['stuck peers'], 1, 1]));
  });

  it('are stopped by one outage, and not in a loop as well', async () => {
    const refused = draw('U "Finish the cart" · (X "API Error: 529 Overloaded") x12');
    const quiet = { incidents: [], notified: 0, messages: 0 };
    expect(await toldOf([refused, refused])).toEqual([quiet, quiet]);
  });
});
