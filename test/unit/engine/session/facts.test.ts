import { describe, expect, it } from 'vitest';
import { agentState } from '../../../../src/engine/session/agent-state';
import { SessionFacts } from '../../../../src/engine/session/facts';
import { shorten, titleOf } from '../../../../src/engine/session/title';
import type { AgentEvent, ToolCallEvent } from '../../../../src/core/model';
import { source } from '../../support/findings';

const MINUTE = 60_000;
let line = 0;

type Loose = { type: AgentEvent['type'] } & Record<string, unknown>;

function facts(...events: Loose[]): SessionFacts {
  line = 0;
  const made = new SessionFacts('Claude Code');
  for (const event of events) {
    line++;
    made.push({ agent: 'claude-code', session: 's', at: line * 1000, source: source(line), ...event } as AgentEvent);
  }
  return made;
}

const HANDED = `Unstuck, an automated watcher, wrote this; a person sent it.

You take over from an agent that got stuck.

The task, as a person gave it:
\`\`\`
Fix the failing test of the calculator
without a new dependency
\`\`\`

What is known about the work so far:
\`\`\`
changed calc.py
\`\`\``;

const user = (text = 'Fix it') => ({ type: 'user' as const, text, automated: false });
const call = (id: string, subject = 'pytest -q') => ({
  type: 'tool_call' as const,
  id,
  name: 'Bash',
  args: {},
  kind: 'ran',
  subject,
});
const result = (id: string) => ({ type: 'tool_result' as const, id, output: '', isError: false });

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

it('a transcript that keeps naming other tools does not fill memory', () => {
  const calls = Array.from({ length: 300 }, (_, index) => ({ ...call(`c${index}`), name: `tool${index}` }));
  const told = facts(user(), ...calls, { ...call('again'), name: 'tool0' });
  expect(told.callsByTool.size).toBe(255);
  expect(told.callsByTool.get('tool0')).toBe(2);
  expect(told.calls).toBe(301);
});

it('keeps what it knows if a later record does not say it', () => {
  const told = facts(
    { type: 'session_info', agentName: 'Crush', contextWindow: 200_000 },
    { type: 'session_info', title: 'Fix it' },
    { type: 'usage', contextTokens: 900, contextWindow: 300_000 },
    { type: 'usage', inputTokens: 1 },
    { type: 'session_info', contextWindow: 400_000 },
  );
  expect([told.agentName, told.title, told.contextTokens, told.contextWindow]).toEqual([
    'Crush',
    'Fix it',
    900,
    400_000,
  ]);
});

it('began with its earliest record and is at its last line, however records are ordered', () => {
  const told = facts(
    { ...user(), at: 5_000, source: source(9) },
    { ...call('a'), at: 2_000, source: source(4) },
    { ...result('a'), at: 0, source: source(5) },
    { ...call('b'), at: 7_000, source: source(6) },
  );
  expect([told.startedAt, told.lastEventAt, told.lastLine]).toEqual([2_000, 7_000, 9]);
});

it('does nothing while it waits for its person, whatever it left running', () => {
  const told = facts(user(), call('a'), { type: 'waiting', for: 'permission' });
  expect(told.doing([{ ...call('a'), at: 2_000 } as unknown as ToolCallEvent], 9_000)).toBeUndefined();
  const left = facts(
    user(),
    { ...call('a', 'Search one'), kind: 'delegated' },
    { ...result('a'), running: true, jobs: [{ key: '7', wakes: true }] },
    { type: 'turn_end', reason: 'completed' },
  );
  expect(left.doing([], 9_000)).toMatchObject({ subject: 'Search one' });
  left.push({
    type: 'waiting',
    for: 'input',
    agent: 'codex',
    session: 's',
    at: 9_000,
    source: source(9),
  });
  expect(left.doing([], 9_000)).toBeUndefined();
});

describe('a session that took over from a stuck one', () => {
  const named = {
    type: 'session_info' as const,
    title: 'Unstuck, an automated watcher, wrote this; a person sent it.',
  };

  it.each([
    ['the prompt alone', [user(HANDED)]],
    ['an agent that names it after the prompt, before and after', [named, user(HANDED), named]],
    ['a later prompt', [user(HANDED), user('Go on')]],
  ])('is named after the task that was handed to it, and hands on the same: %s', (_what, events) => {
    const { title, task } = facts(...events);
    expect(title).toBe('Fix the failing test of the calculator');
    expect(task).toBe('Fix the failing test of the calculator\nwithout a new dependency');
  });

  it('takes another name that its agent finds for it', () => {
    expect(facts(user(HANDED), { type: 'session_info', title: 'Repair the calculator' }).title).toBe(
      'Repair the calculator',
    );
  });

  it.each([
    ['a person who quotes such a prompt', `Look at this: ${HANDED}`],
    ['a fence that does not end', HANDED.slice(0, HANDED.indexOf('without'))],
    ['a message of another kind', 'Unstuck, an automated watcher, wrote this; a person sent it. Read the error first.'],
  ])('is named after its prompt as it is: %s', (_what, text) => {
    expect(facts(user(text)).task).toBe(text);
  });
});

describe('whose turn it is', () => {
  it('works from the prompt until the turn ends, then waits quietly', () => {
    expect(state(facts(user())).kind).toBe('working');
    expect(state(facts(user(), { type: 'turn_end', reason: 'done' }))).toMatchObject({
      kind: 'waiting',
      waitingFor: 'turn_end',
    });
  });

  it('names what it is doing: the oldest running call, otherwise the model', () => {
    const running = { ...call('1'), at: 2000 } as unknown as ToolCallEvent;
    expect(facts(user(), call('1'), call('2', 'ls')).doing([running], 4000)).toEqual({
      kind: 'tool',
      subject: 'pytest -q',
      since: 2000,
    });
    expect(facts(user(), call('1'), result('1')).doing([], 4000)).toMatchObject({ kind: 'model', since: 3000 });
    expect(facts(user(), { type: 'turn_end', reason: 'done' }).doing([], 4000)).toBeUndefined();
  });

  it('waits for a permission until the next activity', () => {
    const asked = [user(), call('1'), { type: 'waiting' as const, for: 'permission' }];
    expect(state(facts(...asked))).toMatchObject({ kind: 'waiting', waitingFor: 'permission' });
    expect(state(facts(...asked, result('1'))).kind).toBe('working');
  });

  it('finishes when the session ends, and lives again when it is resumed in the same file', () => {
    const ended = [user(), { type: 'session_end' as const, reason: 'clean' }];
    expect(state(facts(...ended))).toMatchObject({ kind: 'finished', ended: 'clean' });
    expect(state(facts(...ended, user('Go on'))).kind).toBe('working');
  });

  it('continues to wait, and stays ended, when the outcome of a finished call is reported late', () => {
    const late = { ...result('1'), outcome: 'late' };
    const over = [user(), call('1'), { ...result('1'), outcome: 'unknown' }];
    const asked = state(facts(...over, call('2'), { type: 'waiting', for: 'permission' }, late));
    expect(asked).toMatchObject({ kind: 'waiting', waitingFor: 'permission' });
    const ended = [...over, { type: 'session_end' as const, reason: 'clean' }];
    expect(state(facts(...ended, late))).toMatchObject({ kind: 'finished' });
    const earlier = { ...call('2'), at: 2_500 };
    expect(state(facts(...ended, earlier))).toMatchObject({ kind: 'finished' });
    expect(state(facts(...ended, { ...earlier, at: 9_000 })).kind).toBe('working');
  });

  it('died when its process is gone in the middle of a turn, and simply ended after one', () => {
    const gone = { alive: false };
    expect(state(facts(user(), call('1')), { liveness: gone })).toMatchObject({ kind: 'finished', ended: 'died' });
    expect(state(facts(user(), { type: 'turn_end', reason: 'done' }), { liveness: gone })).toMatchObject({
      ended: 'clean',
    });
  });

  it('without turn lines a whole message is the answer, and the session is finished after 30 minutes of silence when it is followed live', () => {
    const silent = facts({ type: 'assistant', text: 'hi', chunk: false });
    expect(state(silent, { now: silent.lastEventAt + 29 * MINUTE })).toMatchObject({
      kind: 'waiting',
      waitingFor: 'turn_end',
    });
    expect(state(silent, { now: silent.lastEventAt + 30 * MINUTE })).toMatchObject({
      kind: 'finished',
      ended: 'clean',
    });
    expect(state(silent, { now: silent.lastEventAt + 90 * MINUTE, live: false })).toMatchObject({
      kind: 'waiting',
      waitingFor: 'turn_end',
    });
  });

  it("is the agent's while a call runs, and while a message is streamed", () => {
    expect(state(facts(user(), { type: 'assistant', text: 'I look.', chunk: false }, call('1'))).kind).toBe('working');
    expect(state(facts(user(), { type: 'assistant', text: 'I lo', chunk: true })).kind).toBe('working');
  });

  it('waits for the turn end if the session writes them, but no longer than for the model', () => {
    const answered = facts(user(), { type: 'turn_end', reason: 'done' }, user(), {
      type: 'assistant',
      text: 'Done.',
      chunk: false,
    });
    expect(state(answered, { now: answered.lastEventAt + 9 * MINUTE }).kind).toBe('working');
    expect(state(answered, { now: answered.lastEventAt + 10 * MINUTE })).toMatchObject({
      kind: 'waiting',
      waitingFor: 'turn_end',
    });
  });

  it('is the person’s at once if the record says that the answer is the last, and the agent’s if it continues', () => {
    const say = (isLast: boolean) => ({ type: 'assistant' as const, text: 'Done.', chunk: false, isLast });
    const known = (...events: Loose[]) => facts(...events);
    expect(state(known(user(), say(true)))).toMatchObject({ kind: 'waiting', waitingFor: 'turn_end' });
    expect(state(known(user(), say(false))).kind).toBe('working');
  });

  it('is the person’s before anyone asked anything', () => {
    expect(state(facts({ type: 'session_info', model: 'm' }))).toMatchObject({
      kind: 'waiting',
      waitingFor: 'turn_end',
    });
  });

  it('says why it stopped: a limit and when it opens, or what failed', () => {
    const at = Date.UTC(2026, 10, 10, 9);
    const over = { type: 'turn_end' as const, reason: 'error', at };
    const limit = {
      type: 'error' as const,
      kind: 'rate_limit',
      message: "You've hit your session limit · resets 3pm (UTC)",
      at,
    };
    expect(state(facts(user(), limit, over))).toMatchObject({
      waitingFor: 'limit',
      until: Date.UTC(2026, 10, 10, 15),
    });
    const failed = { type: 'error' as const, kind: 'api', message: '529 Overloaded' };
    const error = { kind: 'waiting', waitingFor: 'error', error: '529 Overloaded', ended: 'error' };
    expect(state(facts(user(), failed, { ...over, at: 3_000 }))).toMatchObject(error);
    // An error that was fixed on the way is not the one it ended with.
    const mended = [failed, { type: 'assistant' as const, text: 'Done.', chunk: false }];
    expect(state(facts(user(), ...mended, { ...over, at: 4_000 })).error).toBeUndefined();
  });

  it('ended in error when its process is gone after such a turn', () => {
    const failed = facts(user(), { type: 'turn_end', reason: 'error' });
    expect(state(failed, { liveness: { alive: false } })).toMatchObject({ kind: 'finished', ended: 'error' });
  });

  it('waits for a yes to its plan, even if the registry calls that a permission', () => {
    const planned = facts(user(), { type: 'waiting', for: 'plan', question: '1. Move it' });
    const liveness = { alive: true, status: 'waiting' as const, waitingFor: 'permission' as const };
    expect(state(planned)).toMatchObject({ waitingFor: 'plan', question: '1. Move it' });
    expect(state(planned, { liveness })).toMatchObject({ waitingFor: 'plan' });
  });

  it('keeps the question at the end of its answer', () => {
    const asked = { type: 'assistant' as const, text: 'Found two.\n\n**Which one do you mean?**', chunk: false };
    const over = { type: 'turn_end' as const, reason: 'done' };
    expect(state(facts(user(), asked, over))).toMatchObject({
      waitingFor: 'turn_end',
      question: 'Which one do you mean?',
    });
    expect(state(facts(user(), asked, call('1'), result('1'), over)).question).toBeUndefined();
  });

  it('says what the registry says: waiting for a permission although the transcript shows nothing', () => {
    const liveness = { alive: true, status: 'waiting' as const, waitingFor: 'permission' as const, since: 5 };
    expect(state(facts(user(), call('1')), { liveness })).toMatchObject({
      kind: 'waiting',
      waitingFor: 'permission',
      since: 5,
    });
  });

  it('is not monitored when the file grows and no action is recognised', () => {
    expect(state(facts(user()), { isBlind: true }).kind).toBe('not_monitored');
    expect(state(facts(user())).kind).toBe('working');
  });
});

describe('tokens', () => {
  it('counts those of requests, unless the agent writes a running total', () => {
    expect(
      facts({ type: 'usage', inputTokens: 10, outputTokens: 5 }, { type: 'usage', inputTokens: 10 }).totalTokens,
    ).toBe(25);
    expect(
      facts({ type: 'usage', totalTokens: 100 }, { type: 'usage', inputTokens: 10, totalTokens: 110 }).totalTokens,
    ).toBe(110);
  });

  it('count on from a reported total, and after a compaction, as the rules count them', () => {
    const { contextTokens, totalTokens } = facts(
      { type: 'usage', contextTokens: 900, totalTokens: 100 },
      { type: 'usage', inputTokens: 10 },
      { type: 'compaction', tokensAfter: 50 },
    );
    expect([contextTokens, totalTokens]).toEqual([50, 110]);
  });
});

describe('the title of a session', () => {
  it.each([
    ['# Fix the **import error** in `sys.path`\n\nmore', 'Fix the import error in sys.path'],
    ['\n\n- [Read this](http://x) first', 'Read this first'],
    ['snake_case stays, 2 * 3 * 4 too', 'snake_case stays, 2 * 3 * 4 too'],
    ['evil\u202e\u0007 text', 'evil text'],
    ['', ''],
  ])('%j: %s', (prompt, title) => expect(titleOf(prompt)).toBe(title));

  it('is the first real prompt, not what a program wrote', () => {
    expect(facts({ type: 'user', text: 'hook feedback', automated: true }, user('Fix it')).title).toBe('Fix it');
  });

  it('is cut at a word boundary', () => {
    expect(shorten('one two three four', 12)).toBe('one two…');
    expect(shorten('short', 12)).toBe('short');
  });
});

it('a title is cut at 120 characters, at a space if one is near, and keeps the name of a secret', () => {
  expect(titleOf('x'.repeat(120))).toBe('x'.repeat(120));
  expect(titleOf('x'.repeat(121))).toBe(`${'x'.repeat(119)}…`);
  expect(titleOf('word '.repeat(30))).toBe(`${'word '.repeat(22)}word…`);
  expect(titleOf('Use <b>this</b> <password>hunter2</password>')).toBe('Use this <password>hunter2</password>');
});

it.each([
  { type: 'error', kind: 'api', message: 'overloaded' },
  { type: 'request' },
  { type: 'message_taken', message: 'M' },
  { type: 'vendor_loop' },
  { type: 'assistant', text: 'On it.', chunk: false },
  call('b'),
  result('a'),
] as const)('any activity of an agent after it asked shows that it was answered: $type', (next) => {
  const asked = [user(), call('a'), { type: 'waiting' as const, for: 'permission' }];
  expect(facts(...asked).turnOpen).toBe(false);
  const told = facts(...asked, next);
  expect([told.waiting, told.turnOpen]).toEqual([null, true]);
});

it('what an agent asks of its person is a question, a permission or a plan', () => {
  expect(facts(user(), { type: 'waiting', for: 'input', question: 'Which?' }).waiting).toMatchObject({
    for: 'question',
    question: 'Which?',
  });
  expect(facts(user(), { type: 'waiting', for: 'permission' }).waiting).toEqual({ for: 'permission', since: 2_000 });
});
