import { describe, expect, it } from 'vitest';
import { type AgentEvent, type DetectorId, type ToolResultEvent, standingOf } from '../../../../src/core/model';
import { agentState } from '../../../../src/engine/session/agent-state';
import { SessionFacts } from '../../../../src/engine/session/facts';
import { agentView } from '../../editor/support/views';
import { incident } from '../../history/support/incidents';
import { source } from '../../support/findings';

const MINUTE = 60_000;
const OPENS = Date.UTC(2026, 10, 26, 22, 23);

type Loose = { type: AgentEvent['type'] } & Record<string, unknown>;

function facts(...events: Loose[]): SessionFacts {
  const made = new SessionFacts('Claude Code');
  events.forEach((event, line) =>
    made.push({ agent: 'claude-code', session: 's', at: line * 1000, source: source(line), ...event } as AgentEvent),
  );
  return made;
}

const prompt = { type: 'user', text: 'Fix it', automated: false } as const;
const turnEnd = { type: 'turn_end', reason: 'done' } as const;
const looping = { incidents: [incident({ level: 'stuck', state: 'open' })] };
const loop = ({ lastAt, detector = 'repeating_action' }: { lastAt: number; detector?: DetectorId }) => {
  const found = incident({ level: 'stuck', state: 'open', detector });
  return { ...found, evidence: found.evidence.map((one) => ({ ...one, at: lastAt })) };
};
const state = (of: SessionFacts, more: Partial<Parameters<typeof agentState>[0]> = {}) =>
  agentState({
    facts: of,
    incidents: [],
    liveness: null,
    taken: null,
    permissionSince: null,
    isBlind: false,
    live: true,
    now: of.lastEventAt,
    ...more,
  });

describe('an agent that was stuck', () => {
  it('has the person’s move once its turn is over', () => {
    const over = facts(prompt, turnEnd);
    expect(state(over, { ...looping, now: over.lastEventAt + 2_999 }).kind).toBe('stuck');
    const later = state(over, { ...looping, now: over.lastEventAt + 3_000 });
    expect(later).toMatchObject({ kind: 'waiting', waitingFor: 'turn_end' });
    expect(standingOf(agentView('s', later, looping))).toBe('your_turn');
  });

  it('has the person’s move at once if they interrupted it, and says so', () => {
    const stopped = facts(prompt, { type: 'turn_end', reason: 'interrupted' });
    const since = stopped.lastEventAt;
    expect(state(stopped, looping)).toEqual({ kind: 'waiting', waitingFor: 'turn_end', since, interrupted: true });
  });

  it('is still stuck if its harness sends it back at once', () => {
    const back = facts(prompt, turnEnd, { ...prompt, text: 'Go on', automated: true });
    expect(state(back, { ...looping, now: back.lastEventAt + 10_000 }).kind).toBe('stuck');
  });

  it('works once its person has answered, until it repeats itself again', () => {
    const answered = facts(prompt, turnEnd, { ...prompt, text: 'I have started the registry. Go on.', at: MINUTE });
    expect(state(answered, { incidents: [loop({ lastAt: 500 })] }).kind).toBe('working');
    const before = loop({ lastAt: 500 });
    const again = { ...before, evidence: [...before.evidence, ...loop({ lastAt: MINUTE + 1 }).evidence] };
    expect(state(answered, { incidents: [again] }).kind).toBe('stuck');
  });

  it('has a context as full as before, whatever its person wrote', () => {
    const full = loop({ lastAt: 500, detector: 'token_exhaustion' });
    expect(state(facts(prompt, { ...prompt, at: MINUTE }), { incidents: [full] }).kind).toBe('stuck');
  });

  it('is recovering if a message was taken instead of the end of its turn', () => {
    const over = facts(prompt, turnEnd);
    const taken = { at: over.lastEventAt + 100, steps: 0 };
    const now = over.lastEventAt + 30_000;
    expect(state(over, { ...looping, taken, now }).kind).toBe('recovering');
    expect(state(over, { ...looping, taken: { at: 0, steps: 0 }, now }).kind).toBe('waiting');
  });

  it('is stuck again ten minutes after a message that nothing followed', () => {
    const works = facts(prompt);
    const taken = { at: works.lastEventAt + 100, steps: 0 };
    const after = (ms: number) => state(works, { ...looping, taken, now: taken.at + ms }).kind;
    expect(after(10 * MINUTE - 1)).toBe('recovering');
    expect(after(10 * MINUTE)).toBe('stuck');
  });

  it('asks for its permission first: that is what a person can answer', () => {
    const asks = facts(prompt, { type: 'waiting', for: 'permission', question: 'Run psql?' });
    const escalated = { incidents: [incident({ level: 'stuck', state: 'escalated' })] };
    for (const found of [looping, escalated])
      expect(state(asks, found)).toMatchObject({ kind: 'waiting', waitingFor: 'permission' });
  });

  it('is in the hands of its person after a recovery that did not help, even if its turn is over', () => {
    const escalated = { incidents: [incident({ level: 'stuck', state: 'escalated' })] };
    const over = facts(prompt, turnEnd);
    expect(state(over, { ...escalated, now: over.lastEventAt + MINUTE }).kind).toBe('escalated');
  });
});

describe('an agent that a usage limit stopped', () => {
  const limit = {
    type: 'error',
    kind: 'rate_limit',
    message: `Claude AI usage limit reached|${OPENS / 1000}`,
  } as const;

  it('needs its person once the limit has opened, until it continues', () => {
    const stopped = facts(prompt, limit, { type: 'turn_end', reason: 'error' });
    expect(state(stopped)).toMatchObject({ waitingFor: 'limit', until: OPENS });
    stopped.tick(OPENS - 1);
    expect(stopped.usageLimit).not.toBeNull();
    stopped.tick(OPENS);
    const opened = state(stopped, { now: OPENS });
    expect(opened).toMatchObject({ kind: 'waiting', waitingFor: 'limit', since: OPENS, until: OPENS });
    expect(standingOf(agentView('s', opened))).toBe('needs_you');
    stopped.push({
      ...prompt,
      agent: 'claude-code',
      session: 's',
      at: OPENS + 1,
      source: source(9),
    } as unknown as AgentEvent);
    expect(state(stopped).kind).toBe('working');
  });
});

it('an agent whose service failed says how, even once its process is gone', () => {
  const failed = facts(
    prompt,
    { type: 'error', kind: 'server', message: '529 Overloaded' },
    { type: 'turn_end', reason: 'error' },
  );
  expect(state(failed)).toMatchObject({ kind: 'waiting', waitingFor: 'error', error: '529 Overloaded' });
  const gone = state(failed, { liveness: { alive: false } });
  expect(gone).toMatchObject({ kind: 'finished', ended: 'error', error: '529 Overloaded' });
  expect(standingOf(agentView('s', gone))).toBe('needs_you');
});

describe('a registry that lies', () => {
  const call = { type: 'tool_call', id: 'c1', name: 'Bash', args: {}, subject: 'psql', kind: 'ran' } as const;
  const result = { type: 'tool_result', id: 'c1', output: 'ALTER TABLE', isError: false } as const;
  const waits = { alive: true, pid: 7, status: 'waiting', waitingFor: 'permission', since: 2_500 } as const;

  it('is believed while the waiting call has no result', () => {
    const asks = facts(prompt, { type: 'turn_start' }, call, { type: 'other', name: 'snapshot' });
    expect(state(asks, { liveness: waits })).toMatchObject({ kind: 'waiting', waitingFor: 'permission' });
  });

  it('is not believed once that call has its result: the agent works', () => {
    const goesOn = facts(prompt, { type: 'turn_start' }, call, result);
    expect(state(goesOn, { liveness: waits }).kind).toBe('working');
    expect(state(goesOn, { liveness: { ...waits, since: 3_500 } }).kind).toBe('waiting');
  });

  it('does not keep an agent waiting whose process is gone', () => {
    const asks = facts(prompt, { type: 'turn_start' }, call);
    expect(state(asks, { liveness: { ...waits, alive: false } })).toMatchObject({ kind: 'finished', ended: 'died' });
  });

  it('does not make an agent busy whose turn is over', () => {
    const over = facts(prompt, { type: 'turn_start' }, turnEnd);
    const busy = { alive: true, pid: 7, status: 'busy', since: 10 } as const;
    expect(state(over, { liveness: busy })).toMatchObject({ kind: 'waiting', waitingFor: 'turn_end' });
  });

  it('does not make an agent idle that has continued since', () => {
    const idle = { alive: true, pid: 7, status: 'idle', since: 1_500 } as const;
    expect(state(facts(prompt, { type: 'turn_start' }, call), { liveness: idle }).kind).toBe('working');
  });
});

describe('an agent whose program has ended', () => {
  const failed = { type: 'turn_end', reason: 'error' } as const;
  const left = (at: number) => ({ type: 'session_end', reason: 'clean', at }) as const;
  const gone = { liveness: { alive: false } } as const;

  it('was stopped by the error right before, even if its own record calls the end clean', () => {
    expect(state(facts(prompt, failed, left(2_000)))).toMatchObject({ kind: 'finished', ended: 'error' });
    // A person who closes it a minute later has seen the error.
    expect(state(facts(prompt, failed, left(MINUTE)))).toMatchObject({ kind: 'finished', ended: 'clean' });
  });

  it('died in the middle of a turn, but not if its answer was complete', () => {
    expect(state(facts(prompt), gone)).toMatchObject({ kind: 'finished', ended: 'died' });
    const answer = { type: 'assistant', text: 'Done.', chunk: false, isLast: true } as const;
    expect(state(facts(prompt, answer), gone)).toMatchObject({ kind: 'finished', ended: 'clean' });
  });

  it('died while it asked for permission, which its transcript shows instead of an open turn', () => {
    const asks = facts(prompt, { type: 'waiting', for: 'permission', question: 'Run psql?' });
    expect(state(asks, gone)).toMatchObject({ kind: 'finished', ended: 'died' });
  });

  it('was interrupted if its run ends with its turn', () => {
    const run = facts({ type: 'session_info', mode: 'print' }, prompt, { type: 'turn_end', reason: 'interrupted' });
    expect(state(run, gone)).toMatchObject({ kind: 'finished', ended: 'interrupted' });
  });
});

it('a new turn begins with the prompt after an answer, if no line says that the one before has ended', () => {
  const answer = { type: 'assistant', text: 'Done.', chunk: false, isLast: true } as const;
  const again = { ...prompt, text: 'Now the tests', at: MINUTE } as const;
  expect(state(facts(prompt, answer, again))).toEqual({ kind: 'working', since: MINUTE });
  const typedMeanwhile = facts({ ...prompt, at: 500 }, { ...answer, isLast: false }, again);
  expect(state(typedMeanwhile)).toEqual({ kind: 'working', since: 500 });
});

it('a session is finished after half an hour in which nothing was written, unless its process lives', () => {
  const first = facts(prompt, { type: 'tool_call', id: 'a', name: 'Bash', args: {}, kind: 'ran', subject: 'make' });
  const later = { now: 45 * MINUTE };
  expect(state(first, later)).toMatchObject({ kind: 'finished', ended: 'clean' });
  const asks = { alive: true, status: 'waiting', waitingFor: 'permission' } as const;
  expect(state(first, { ...later, liveness: asks })).toMatchObject({ kind: 'waiting', waitingFor: 'permission' });
  expect(state(first, { ...later, liveness: { alive: true } }).kind).toBe('working');
});

describe('an agent whose turn ended while its sub-agents work', () => {
  const ran = (jobs: ToolResultEvent['jobs'] = []) =>
    [
      prompt,
      { type: 'tool_call', id: 'a', name: 'Agent', args: {}, kind: 'delegated', subject: 'Count the files' } as const,
      { type: 'tool_result', id: 'a', output: '', isError: false, running: true, jobs },
      { type: 'assistant', text: 'They are at work.', chunk: false },
      turnEnd,
    ] as const satisfies Loose[];
  const started = (...keys: string[]) => ran(keys.map((key) => ({ key, wakes: true })));
  const told = (key: string, at: number) =>
    ({ type: 'user', automated: true, text: `from ${key}: 5 files`, at }) as const;

  it('works until the last of them has reported to it', () => {
    const one = facts(...started('a1', 'b2'));
    expect(state(one, { now: MINUTE })).toEqual({ kind: 'working', since: 0 });
    expect(one.doing([], MINUTE)).toEqual({ kind: 'tool', subject: 'Count the files', since: 2000 });
    const first = facts(...started('a1', 'b2'), told('b2', MINUTE), { ...turnEnd, at: MINUTE + 1000 });
    expect(state(first, { now: 2 * MINUTE }).kind).toBe('working');
    const both = facts(...started('a1', 'b2'), told('b2', MINUTE), told('a1', MINUTE), {
      ...turnEnd,
      at: MINUTE + 1000,
    });
    expect(state(both, { now: 2 * MINUTE })).toMatchObject({ kind: 'waiting', waitingFor: 'turn_end' });
    expect(both.doing([], 2 * MINUTE)).toBeUndefined();
  });

  //   Codex writes the end of a sub-agent into its parent's history, and asks the parent nothing.
  it('has the person’s move if their end does not make it continue', () => {
    expect(state(facts(...ran([{ key: 'a1' }])), { now: MINUTE })).toMatchObject({
      kind: 'waiting',
      waitingFor: 'turn_end',
    });
  });

  it('has not ended if it is a printed run, whose program waits for them', () => {
    const run = facts({ type: 'session_info', mode: 'print' }, ...started('a1'));
    expect(state(run, { now: MINUTE }).kind).toBe('working');
    const over = facts({ type: 'session_info', mode: 'print' }, ...started('a1'), told('a1', MINUTE), {
      ...turnEnd,
      at: MINUTE,
    });
    expect(state(over, { now: MINUTE })).toMatchObject({ kind: 'finished', ended: 'clean' });
  });

  it('has the person’s move if it asks them something, if they interrupted it, and once half an hour showed no end', () => {
    const asks = facts(
      ...started('a1').slice(0, 3),
      { type: 'assistant', text: 'Which folder?', chunk: false },
      turnEnd,
    );
    expect(state(asks, { now: MINUTE })).toMatchObject({ kind: 'waiting', question: 'Which folder?' });
    const stopped = facts(...started('a1').slice(0, 4), { type: 'turn_end', reason: 'interrupted' });
    expect(state(stopped, { now: MINUTE })).toMatchObject({ kind: 'waiting', interrupted: true });
    const lost = facts(...started('a1'));
    expect(lost.jobs.nextMoment(0)).toBe(2000 + 30 * MINUTE);
    expect(state(lost, { now: 2000 + 30 * MINUTE - 1 }).kind).toBe('working');
    expect(state(lost, { now: 2000 + 30 * MINUTE })).toMatchObject({ kind: 'waiting', waitingFor: 'turn_end' });
  });
});

describe('an agent that left a build in the background', () => {
  const build = [
    prompt,
    { type: 'tool_call', id: 'b', name: 'exec_command', args: {}, kind: 'ran', subject: 'make', command: 'make' },
    { type: 'tool_result', id: 'b', output: '', isError: false, running: true, jobs: [{ key: '7' }] },
    turnEnd,
    { type: 'job_end', id: 'b', exitCode: 2, at: MINUTE },
  ] as const;

  it('missed a notice two minutes after the build ended, and needs its person', () => {
    const before = state(facts(...build), { now: 3 * MINUTE - 1 });
    expect(before).toMatchObject({ kind: 'waiting', waitingFor: 'turn_end' });
    const missed = state(facts(...build), { now: 3 * MINUTE });
    expect(missed).toMatchObject({
      kind: 'waiting',
      waitingFor: 'missed_notice',
      since: MINUTE,
      missed: { subject: 'make', exitCode: 2 },
    });
    expect(standingOf(agentView('s', missed))).toBe('needs_you');
  });

  it('has missed nothing once it works again', () => {
    const on = facts(...build, { ...prompt, at: 2 * MINUTE });
    expect(state(on, { now: 5 * MINUTE }).kind).toBe('working');
  });
});

describe('an agent whose process is gone', () => {
  const gone = { liveness: { alive: false } } as const;
  const info = (mode: string) => ({ type: 'session_info', mode }) as const;
  const ended = (reason: string) => ({ type: 'turn_end', reason }) as const;

  it.each([
    ['died in the middle of its turn', [prompt], 'died'],
    ['closed after its turn', [prompt, turnEnd], 'clean'],
    ['failed', [prompt, ended('error')], 'error'],
    ['a run that was interrupted', [info('print'), prompt, ended('interrupted')], 'interrupted'],
    [
      'closed in a terminal, after a person interrupted it',
      [info('interactive'), prompt, ended('interrupted')],
      'clean',
    ],
  ])('%s', (_, events, how) => {
    expect(state(facts(...events), gone)).toMatchObject({ kind: 'finished', ended: how });
  });
});

describe('a run whose turn is over and that printed its answer', () => {
  const info = { type: 'session_info', mode: 'print' } as const;

  it.each([
    ['done', 'clean'],
    ['error', 'error'],
  ])('has finished: %s', (reason, ended) => {
    expect(state(facts(info, prompt, { type: 'turn_end', reason }))).toMatchObject({ kind: 'finished', ended });
  });

  it('works while one of its sub-agents does, and still waits if its process lives', () => {
    const delegated = [
      info,
      prompt,
      { type: 'tool_call', id: 'a', name: 'Agent', args: {}, kind: 'delegated', subject: 'Search' } as const,
      { type: 'tool_result', id: 'a', output: '', isError: false, jobs: [{ key: 'k', wakes: true }] } as const,
      turnEnd,
    ];
    expect(state(facts(...delegated)).kind).toBe('working');
    const failed = [...delegated.slice(0, -1), { type: 'turn_end', reason: 'error' } as const];
    expect(state(facts(...failed))).toMatchObject({ kind: 'finished', ended: 'error' });
    const lives = { liveness: { alive: true } } as const;
    expect(state(facts(info, prompt, turnEnd), lives).kind).toBe('waiting');
  });
});
