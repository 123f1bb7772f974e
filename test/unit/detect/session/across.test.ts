import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAcrossDetector } from '../../../../src/detect/session/across';
import { noteOfEvent, noteOfStep } from '../../../../src/detect/session/across-note';
import { resolveOptions } from '../../../../src/detect/session/options';
import { createSessionDetectors } from '../../../../src/detect/session/session-detectors';
import type { AgentEvent, Clearing, Finding } from '../../../../src/core/model';
import { script } from '../support/script';

type Act = readonly [
  session: string,
  what: 'edit' | 'write' | 'fail' | 'error' | 'say' | 'bash' | 'user' | 'end',
  ...args: string[],
];

/** Plays what several agents do, one after the other, a second apart, and returns what the rules across sessions report. */
function play(acts: readonly Act[], preset: 'eager' | 'balanced' | 'patient' = 'balanced', pause = 1) {
  const findings: (readonly [string, Finding])[] = [];
  const clearings: (readonly [string, Clearing])[] = [];
  const options = resolveOptions({ preset, detectors: {} });
  const across = createAcrossDetector(() => options, {
    finding: (session, finding) => void findings.push([session, finding]),
    clearing: (session, clearing) => void clearings.push([session, clearing]),
  });
  const sessions = new Map<string, ReturnType<typeof createSessionDetectors>>();
  let calls = 0;
  acts.forEach(([session, what, ...args], index) => {
    const from = { agent: 'generic' as const, session, agentName: `agent ${session}`, cwd: '/w' };
    const detectors =
      sessions.get(session) ??
      createSessionDetectors(
        { agent: 'generic', showsRunningTool: true, options },
        { finding() {}, clearing() {}, nearMiss() {}, step: (step) => across.take(from, noteOfStep(step, '/w')) },
      );
    sessions.set(session, detectors);
    for (const event of eventsOf(what, args)) {
      const id = 'id' in event && event.id !== undefined ? { id: `${event.id}-${calls}` } : {};
      const source = { file: `/${session}.agent.jsonl`, line: index + 1, offset: index * 100 };
      const placed = { ...event, ...id, session, source, at: index * pause * 1000 } as AgentEvent;
      const note = noteOfEvent(placed);
      if (note) across.take(from, note);
      detectors.push(placed);
    }
    calls++;
  });
  return { findings, clearings };
}

function eventsOf(what: Act[1], [a = '', b = '']: string[]): AgentEvent[] {
  const run = script();
  switch (what) {
    case 'edit':
      run.call('edit', { file_path: 'src/price.ts', old_string: a, new_string: b }, { output: 'edited' });
      break;
    case 'write':
      run.call('write', { file_path: '/w/src/price.ts', content: a }, { output: 'written' });
      break;
    case 'fail':
      run.bash('deploy', a);
      break;
    case 'error':
      run.line('error', { kind: 'api', message: a });
      break;
    case 'say':
      run.say(a);
      break;
    case 'bash':
      run.bash(`cat ${a}`);
      break;
    case 'user':
      run.user(a);
      break;
    case 'end':
      run.line('session_end');
  }
  return run.events().filter((event) => event.type !== 'session_info');
}

const fights = (count: number): Act[] =>
  Array.from(
    { length: count },
    (_, index): Act => (index % 2 === 0 ? ['1', 'edit', 'price', 'qty'] : ['2', 'edit', 'qty', 'price']),
  );

describe('two agents that undo each other (cycle, rule peers)', () => {
  it('warns both at the second undone edit and reports stuck at the third', () => {
    const { findings } = play(fights(4));
    expect(findings.map(([session, one]) => [session, one.level, one.count])).toEqual([
      ['1', 'warn', 2],
      ['2', 'warn', 2],
      ['1', 'stuck', 3],
      ['2', 'stuck', 3],
    ]);
    const [session, finding] = findings[0] ?? ['', undefined];
    expect(finding).toMatchObject({ detector: 'cycle', rule: 'peers', reason: 'cycle_loop', certainty: 'counted' });
    expect(finding?.source.file).toBe(`/${session}.agent.jsonl`);
    expect(finding?.why).toBe(
      "This agent and agent 2 undo each other's edits of `price.ts`: 2 edits in a row restored what the one before had replaced.",
    );
    expect(finding?.evidence.map((row) => [row.letter, row.source.file])).toEqual([
      ['A', '/1.agent.jsonl'],
      ['B', '/2.agent.jsonl'],
      ['A', '/1.agent.jsonl'],
    ]);
  });

  it('sees it when whole files are written', () => {
    const acts = Array.from(
      { length: 7 },
      (_, index): Act => [index % 2 === 0 ? '1' : '2', 'write', index % 2 === 0 ? 'one' : 'two'],
    );
    expect(play(acts).findings.length).toBeGreaterThan(0);
  });

  it.each([
    ['one agent alone', fights(8).map(([, ...rest]): Act => ['1', ...rest] as Act)],
    [
      'two that work on one file, each on',
      Array.from({ length: 8 }, (_, index): Act => [index % 2 === 0 ? '1' : '2', 'edit', `v${index}`, `v${index + 1}`]),
    ],
    ['an edit that is undone once', fights(2)],
  ])('reports nothing for %s', (_, acts) => expect(play(acts).findings).toEqual([]));

  it('leaves out an agent whose edit was undone once, before the two others began', () => {
    const { findings } = play([['3', 'edit', 'price', 'qty'], ['1', 'edit', 'qty', 'price'], ...fights(3)]);
    expect(findings.map(([session, one]) => [session, one.count])).toEqual([
      ['1', 2],
      ['2', 2],
    ]);
    expect(findings[1]?.[1].why).toMatch(/^This agent and agent 1 undo/);
  });

  it('is over when it does not come back within 12 steps, for each of them', () => {
    const quiet = Array.from({ length: 13 }, (_, index): Act => ['1', 'bash', `${index}`]);
    const { clearings } = play([...fights(5), ...quiet]);
    expect(clearings.map(([session, one]) => [session, one.reason])).toEqual([['1', 'not_back']]);
  });

  it('is over for an agent that a person writes to, or that ends', () => {
    const { clearings } = play([...fights(5), ['1', 'user', 'Leave price.ts alone.'], ['2', 'end']]);
    expect(clearings.map(([session, one]) => [session, one.reason])).toEqual([
      ['1', 'user_message'],
      ['2', 'session_end'],
    ]);
  });

  it('follows the thresholds of cycle', () => {
    expect(play(fights(3), 'eager').findings).toHaveLength(2);
    expect(play(fights(3), 'patient').findings).toEqual([]);
    expect(play(fights(4), 'patient').findings).toHaveLength(2);
  });
});

describe('one error in several agents at once (rate_limited, rule outage)', () => {
  it('reports each of three agents that have it within two minutes', () => {
    const { findings } = play([
      ['1', 'error', '529 Overloaded, request_id: req_011CRz7hGm3JwQ8vTfAbCa1x'],
      ['2', 'fail', 'HTTP 503 Service Unavailable'],
      ['2', 'error', '529 Overloaded, request_id: req_011CXk2pLn9ZsD4eYrUiOb7y'],
      ['3', 'error', '529 Overloaded, request_id: req_011CWq5tBv6NmK1hGjFdSc3z'],
    ]);
    expect(findings.map(([session, one]) => [session, one.count, one.source.file])).toEqual([
      ['1', 3, '/1.agent.jsonl'],
      ['2', 3, '/2.agent.jsonl'],
      ['3', 3, '/3.agent.jsonl'],
    ]);
    expect(findings[0]?.[1]).toMatchObject({
      detector: 'rate_limited',
      rule: 'outage',
      reason: 'outage',
      level: 'warn',
    });
  });

  it('recognises a machine that has run out of something', () => {
    const acts = ['1', '2', '3'].map((session): Act => [session, 'fail', 'write failed: no space left on device']);
    expect(play(acts).findings).toHaveLength(3);
  });

  it.each([
    ['one agent alone', Array.from({ length: 6 }, (): Act => ['1', 'error', '529 Overloaded'])],
    [
      'a failing test that all of them see',
      ['1', '2', '3'].map((session): Act => [session, 'fail', 'AssertionError: 3 != 7']),
    ],
    ['a wrong key of each', ['1', '2', '3'].map((session): Act => [session, 'error', '401 invalid x-api-key'])],
    [
      'different errors',
      ['1', '2', '3'].map((session, index): Act => [session, 'error', `${index} Overloaded${'!'.repeat(index)}`]),
    ],
  ])('reports nothing for %s', (_, acts) => expect(play(acts).findings).toEqual([]));

  it('reports nothing when they are minutes apart', () => {
    const acts = ['1', '2', '3'].map((session): Act => [session, 'error', '529 Overloaded']);
    expect(play(acts, 'balanced', 70).findings).toEqual([]);
  });

  it('is over for each agent that gets an answer', () => {
    const errors = ['1', '2', '3'].map((session): Act => [session, 'error', '529 Overloaded']);
    const { clearings } = play([...errors, ['2', 'say', 'Here it is.'], ['3', 'user', 'Wait.']]);
    expect(clearings.map(([session, one]) => [session, one.reason])).toEqual([
      ['2', 'success'],
      ['3', 'user_message'],
    ]);
  });

  it('is over for each of more agents than it counts', () => {
    const names = Array.from({ length: 40 }, (_, n) => `${n}`);
    const errors = names.map((session): Act => [session, 'error', '529 Overloaded']);
    const { findings, clearings } = play([...errors, ...names.map((session): Act => [session, 'say', 'Here it is.'])]);
    expect(new Set(findings.map(([session]) => session)).size).toBe(40);
    expect(clearings.map(([session]) => session)).toEqual(names);
  });

  it('counts agents, whatever the order', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('1', '2', '3', '4'), { maxLength: 20 }), (sessions) => {
        const { findings } = play(sessions.map((session): Act => [session, 'error', '529 Overloaded']));
        expect(findings.length > 0).toBe(new Set(sessions).size >= 3);
        expect(Math.max(0, ...findings.map(([, one]) => one.count))).toBe(
          findings.length > 0 ? new Set(sessions).size : 0,
        );
      }),
      { numRuns: 50 },
    );
  });
});
