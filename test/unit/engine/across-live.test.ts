import { expect, it } from 'vitest';
import { resolveOptions } from '../../../src/detect/session/options';
import { Across } from '../../../src/engine/across';
import type { Session } from '../../../src/engine/session/session';
import type { AgentEvent } from '../../../src/core/model';
import { FakeClock } from '../history/support/fake-clock';
import { sessionWith } from './session/support';

const START = Date.UTC(2026, 10, 20, 12);
/** Time over which notes of several agents are put in order. */
const GATHER = 250;

/** Two agents that undo each other's edits, and what is reported to them. */
function fight({ since = START } = {}) {
  const clock = new FakeClock(START);
  const changed: string[] = [];
  const shown = new Map<string, Session>();
  const detectors = () => resolveOptions({ preset: 'balanced', detectors: {} });
  const across = new Across({
    detectors,
    session: (key) => shown.get(key),
    changed: (key) => changed.push(key),
    clock,
    since,
  });
  const open = (name: string) => {
    const made = sessionWith({ session: name, onStep: (step, session) => across.step(session, step) });
    made.facts.cwd = '/w';
    return made;
  };
  for (const name of ['a', 'b']) shown.set(name, open(name));
  let edits = 0;
  const edit = (name: string, from: string, to: string) => {
    edits++;
    const at = START + edits * 10_000;
    const source = { file: `/${name}.jsonl`, line: edits, offset: edits };
    const args = { file_path: '/w/price.ts', old_string: from, new_string: to };
    const base = { agent: 'generic', session: name, at, source, id: `c${edits}` };
    const session = shown.get(name);
    session?.push({
      ...base,
      type: 'tool_call',
      name: 'edit',
      args,
      kind: 'changed',
      subject: 'Edit price.ts',
      target: '/w/price.ts',
    } as AgentEvent);
    session?.push({ ...base, type: 'tool_result', output: 'edited', isError: false } as AgentEvent);
  };
  const rounds = (times: number) => {
    for (let round = 0; round < times; round++) {
      edit('a', 'price', 'qty');
      edit('b', 'qty', 'price');
    }
    clock.pass(GATHER);
  };
  const peers = (name: string) =>
    shown
      .get(name)
      ?.book.active()
      .filter(({ rule }) => rule === 'peers') ?? [];
  return { across, clock, changed, shown, open, rounds, peers };
}

it('two agents that undo each other each get a report, and their rows are drawn again', () => {
  const { rounds, peers, changed, clock } = fight();
  rounds(4);
  expect([peers('a').length, peers('b').length]).toEqual([1, 1]);
  expect(new Set(changed)).toEqual(new Set(['a', 'b']));
  expect(clock.waiting).toBe(0);
});

it('what they did before the window opened is compared with nothing', () => {
  const { rounds, peers, clock } = fight({ since: START + 3_600_000 });
  rounds(4);
  expect([peers('a'), peers('b'), clock.waiting]).toEqual([[], [], 0]);
});

it('another reading of the session gets the same report, at the count reached so far', () => {
  const { rounds, peers, across, shown, open } = fight();
  rounds(4);
  rounds(2);
  const [before] = peers('a');
  const again = open('a');
  shown.set('a', again);
  across.renew(again);
  expect(peers('a')).toMatchObject([{ firstAt: before?.firstAt, count: before?.count }]);
  const other = open('unknown');
  across.renew(other);
  expect(other.book.all()).toEqual([]);
});

it('it is over for a session whose process is gone: another reading of it gets no report', () => {
  const { rounds, peers, across, shown, open, clock, changed } = fight();
  rounds(4);
  changed.length = 0;
  const a = shown.get('a');
  if (!a) throw new Error('no session');
  a.end(a.facts.lastEventAt);
  across.ended(a);
  clock.pass(GATHER);
  expect(changed).toEqual(['a']);
  const again = open('a');
  shown.set('a', again);
  across.renew(again);
  expect([peers('a').length, peers('b').length]).toEqual([0, 1]);
  // A session with nothing open has nothing to end.
  across.ended(open('other'));
  expect(clock.waiting).toBe(0);
});

it('nothing is reported once the window is closed', () => {
  const { rounds, peers, across, clock } = fight();
  const pass = clock.pass.bind(clock);
  clock.pass = () => {};
  rounds(4);
  across.dispose();
  expect(clock.waiting).toBe(0);
  pass(GATHER);
  expect(peers('a')).toEqual([]);
});
