import { describe, expect, it } from 'vitest';
import type { AgentState, Doing } from '../../../../../src/core/model';
import { say } from '../../../../../src/core/words/parts';
import {
  type Lead,
  type StateFacts,
  announcement,
  isYourTurn,
  leadSentence,
  plain,
  skippedWords,
  stateLabel,
  stateLine,
  stateLook,
  statePill,
  stateSentence,
  themeColor,
  treeDescription,
  watchedName,
} from '../../../../../src/core/words';

const NOW = Date.UTC(2026, 10, 20, 17, 10, 20);
const since = NOW - 8 * 60_000;
const at = (kind: AgentState['kind'], more: Partial<AgentState> = {}): AgentState => ({ kind, since, ...more });
const tool: Doing = { kind: 'tool', subject: 'npm ci', since };
const model: Doing = { kind: 'model', subject: 'the model', since };

/** Every state that an agent can be in, by its name in the tests. */
const STATES = {
  escalated: at('escalated'),
  stuck: at('stuck'),
  wants: at('waiting', { waitingFor: 'permission' }),
  asks: at('waiting', { waitingFor: 'question' }),
  guessed: at('waiting', { waitingFor: 'permission', probable: true }),
  turn: at('waiting', { waitingFor: 'turn_end' }),
  stopped: at('waiting', { waitingFor: 'error', ended: 'error', error: '529 Overloaded' }),
  limit: at('waiting', { waitingFor: 'limit', until: new Date(NOW).setHours(22, 23) }),
  opened: at('waiting', { waitingFor: 'limit', until: since }),
  untold: at('waiting', { waitingFor: 'missed_notice' }),
  silent: at('stalled'),
  blind: at('not_monitored'),
  recovers: at('recovering'),
  works: at('working'),
  ended: at('finished'),
  died: at('finished', { ended: 'died' }),
  interrupted: at('finished', { ended: 'interrupted' }),
  failed: at('finished', { ended: 'error' }),
} as const;
const each = <T>(say: (state: AgentState) => T) =>
  Object.fromEntries(Object.entries(STATES).map(([name, state]) => [name, say(state)]));

describe('a state', () => {
  it('has a look, a quiet one where nothing is asked of a person', () => {
    expect(each((state) => Object.values(stateLook(state)).join(' '))).toEqual({
      escalated: 'bell-dot error',
      stuck: 'warning trouble',
      wants: 'comment-discussion info',
      asks: 'comment-discussion info',
      guessed: 'comment-discussion none',
      turn: 'comment-discussion none',
      stopped: 'error error',
      limit: 'debug-pause none',
      opened: 'debug-pause none',
      untold: 'bell-slash info',
      silent: 'watch none',
      blind: 'eye-closed quiet',
      recovers: 'debug-restart info',
      works: 'pulse none',
      ended: 'check quiet',
      died: 'error error',
      interrupted: 'circle-slash none',
      failed: 'error error',
    });
  });

  it('is shown on the pill and in a row, and read by a screen reader', () => {
    expect(
      each((state) => [
        statePill(state, NOW),
        treeDescription(state, NOW, 'npm ci'),
        stateLabel(state, 'T', 'codex', NOW),
      ]),
    ).toEqual({
      escalated: ['Needs you for 8 min', '8 min', 'T, needs you, 8 minutes, codex'],
      stuck: ['Stuck for 8 min', '8 min', 'T, stuck, 8 minutes, codex'],
      wants: ['Waiting for you for 8 min', '8 min', 'T, waiting for you, 8 minutes, codex'],
      asks: ['Waiting for you for 8 min', '8 min', 'T, waiting for you, 8 minutes, codex'],
      guessed: ['Probably waiting for you', 'npm ci', 'T, probably waiting for you, 8 minutes, codex'],
      turn: ['Your turn for 8 min', '8 min', 'T, your turn, 8 minutes, codex'],
      stopped: ['Stopped by an error 8 min ago', '8 min', 'T, stopped by an error 8 min ago, codex'],
      limit: ['Usage limit until 22:23', 'npm ci', 'T, at its limit, codex'],
      opened: ['Usage limit has ended', '8 min', 'T, needs you, 8 minutes, codex'],
      untold: ['Missed a notice', '8 min', 'T, missed a notice, 8 minutes, codex'],
      silent: ['No output for 8 min', 'no output for 8 min', 'T, no output, 8 minutes, codex'],
      blind: ['Not monitored', 'not monitored', 'T, not monitored, codex'],
      recovers: ['Recovering for 8 min', 'recovering', 'T, recovering, codex'],
      works: ['Working', 'npm ci', 'T, working, codex'],
      ended: ['Finished 8 min ago', '8 min ago', 'T, finished, codex'],
      died: ['Died 8 min ago', '8 min ago', 'T, died, codex'],
      interrupted: ['Interrupted 8 min ago', 'interrupted 8 min ago', 'T, interrupted, codex'],
      failed: ['Stopped by an error 8 min ago', '8 min ago', 'T, stopped by an error, codex'],
    });
  });

  it('has no age below one minute: two surfaces would differ', () => {
    const now = (state: AgentState) => ({ ...state, since: NOW - 59_000 });
    expect(statePill(now(STATES.stuck), NOW)).toBe('Stuck');
    expect(statePill(now(STATES.asks), NOW)).toBe('Waiting for you');
    expect(statePill(now(STATES.died), NOW)).toBe('Died just now');
    expect(treeDescription(now(STATES.stuck), NOW, '')).toBe('just now');
    expect(stateLabel(now(STATES.stuck), 'T', 'codex', NOW)).toBe('T, stuck, just now, codex');
    expect(plain(stateSentence({ state: now(STATES.stuck), now: NOW }))).toBe('Stuck.');
  });

  it('has a sentence even where nothing more is known', () => {
    expect(each((state) => plain(stateSentence({ state, now: NOW })))).toEqual({
      escalated: 'Recovery did not help. Over to you.',
      stuck: 'Stuck for 8 min.',
      wants: 'Waiting for your permission.',
      asks: 'Asks a question.',
      guessed: 'Probably waiting for you: no output for 8 min since its last call. Guessed from the lack of output.',
      turn: 'Done for now. Send a message to continue.',
      stopped: 'Stopped by an error 8 min ago: 529 Overloaded',
      limit: 'Stopped by its usage limit until 22:23.',
      opened: 'Its usage limit ended at 17:02. Send a message to continue.',
      untold: 'A command that it started has ended, but it was not told.',
      silent: 'No output for 8 min; the model has not replied. It may just be slow.',
      blind: 'Its transcript grows, but no step is recognized. Unstuck cannot see what this agent does.',
      recovers: 'A message was delivered. Watching the next 5 calls.',
      works: 'Working.',
      ended: 'Finished.',
      died: 'Died: its process ended in the middle of a turn.',
      interrupted: 'Interrupted.',
      failed: 'Stopped by an error.',
    });
  });

  it('says how long an ended session ran, and what died with it', () => {
    const ran = (state: AgentState, doing?: Doing) =>
      plain(stateSentence({ state, now: NOW, ran: 60_000, gates: 'All gates passed.', ...(doing && { doing }) }));
    expect([ran(STATES.ended), ran(STATES.died, tool), ran(STATES.died, model), ran(STATES.failed)]).toEqual([
      'Finished after 1 min. All gates passed.',
      'Died after 1 min while running npm ci: its process ended in the middle of a turn. All gates passed.',
      'Died after 1 min: its process ended in the middle of a turn. All gates passed.',
      'Stopped by an error after 1 min. All gates passed.',
    ]);
  });

  it('says what the agent asks: the call, the question, the plan', () => {
    const sentence = (more: Partial<AgentState>) => plain(stateSentence({ state: at('waiting', more), now: NOW }));
    const calls = [{ id: '1', name: 'Bash', subject: 'psql -f migrate.sql', command: 'psql -f migrate.sql' }];
    const edit = { id: '2', name: 'Edit', subject: 'Edit src/calc.py' };
    expect(sentence({ waitingFor: 'permission', calls: [edit] })).toBe(
      'Waiting for your permission: Edit src/calc.py.',
    );
    expect(sentence({ waitingFor: 'permission', calls })).toBe(
      'Waiting for your permission to run psql -f migrate.sql.',
    );
    expect(sentence({ waitingFor: 'permission', calls: [...calls, ...calls] })).toBe(
      'Waiting for your permission to run psql -f migrate.sql and 1 more call.',
    );
    expect(sentence({ waitingFor: 'permission', question: 'run psql' })).toBe('Waiting for your permission: run psql');
    expect(sentence({ waitingFor: 'question', question: 'Which port?' })).toBe('Asks: Which port?');
    expect(sentence({ waitingFor: 'plan' })).toBe('Proposes a plan and waits for your approval.');
    expect(sentence({ waitingFor: 'turn_end', question: 'Which port?' })).toBe(
      'Done for now. Its answer ends with a question: Which port?',
    );
    expect(sentence({ waitingFor: 'turn_end', interrupted: true })).toBe(
      'You interrupted it 8 min ago. Messages wait for your next prompt.',
    );
    expect(isYourTurn(at('working', { waitingFor: 'turn_end' }))).toBe(false);
  });

  it('says that it is probably waiting, and for which call', () => {
    expect(plain(stateSentence({ state: STATES.guessed, now: NOW, doing: tool }))).toBe(
      'Probably waiting for you: no output for 8 min since it called npm ci, which needs permission. Guessed from the lack of output.',
    );
  });

  it('says what a silent agent is busy with, and what was seen of a working one', () => {
    expect(plain(stateSentence({ state: STATES.silent, now: NOW, doing: tool }))).toBe(
      'No output for 8 min while running npm ci. It may just be slow, or waiting for you.',
    );
    const coverage = { seen: 143, there: 143 };
    const works = (lastNewAt: number) => plain(stateSentence({ state: STATES.works, now: NOW, lastNewAt, coverage }));
    expect(works(since)).toBe('Last new result 8 min ago. 143 of 143 steps seen.');
    expect(works(NOW - 2_000)).toBe('Last new result just now. 143 of 143 steps seen.');
  });

  it('names the watched message, and what came since', () => {
    const watched = (more: Partial<NonNullable<StateFacts['watch']>>) =>
      plain(
        stateSentence({
          state: at('recovering'),
          now: NOW,
          watch: { nudge: 1, takenAt: NOW, seen: 0, fresh: 0, ...more },
        }),
      ).replace('Nudge 1 was delivered at 17:10:20. Watching the next 5 calls: ', '');
    expect([
      watched({}),
      watched({ seen: 1, fresh: 1 }),
      watched({ seen: 2, fresh: 2 }),
      watched({ seen: 3, fresh: 3 }),
      watched({ seen: 3, fresh: 1 }),
    ]).toEqual(['none yet.', '1 seen, new.', '2 seen, both new.', '3 seen, all new.', '3 seen, 1 new.']);
    expect(watchedName({ nudge: 0 })).toBe('The nudge');
    const kinds = ['block', 'stop', 'restart', 'escalate', 'reassign', 'checkpoint'] as const;
    expect(kinds.map((kind) => watchedName({ kind, nudge: 2 }))).toEqual([
      'The blocked call',
      'The stop',
      'The restart',
      'The restart',
      'The reassignment',
      'The checkpoint',
    ]);
  });

  it('is announced with the title of its agent', () => {
    expect(announcement('Fix it', { state: STATES.stuck, now: NOW })).toBe('Fix it: Stuck for 8 min.');
    expect(skippedWords(3)).toBe('3 lines skipped');
  });

  it('has a color of the theme, or another one in high contrast if the theme has none', () => {
    const tones = ['none', 'quiet', 'trouble', 'error', 'info', 'good'] as const;
    expect(tones.map((tone) => themeColor(tone, false))).toEqual([
      undefined,
      'descriptionForeground',
      'list.warningForeground',
      'list.errorForeground',
      'charts.blue',
      'charts.green',
    ]);
    expect(themeColor('trouble', true)).toBe('editorWarning.foreground');
  });
});

describe('the first sentence of the panel', () => {
  const lead = (of: Lead) => plain(leadSentence(of, NOW));

  it('is that of its state, as on every other surface, and says why it was stuck', () => {
    const was = say`pytest failed 6 times.`;
    expect(lead({ kind: 'state', facts: { state: STATES.turn }, was: null })).toBe(
      'Done for now. Send a message to continue.',
    );
    expect(lead({ kind: 'state', facts: { state: STATES.turn }, was })).toBe(
      'Done for now. Send a message to continue. It was stuck: pytest failed 6 times.',
    );
  });

  it('says that it waits until its person has closed it', () => {
    expect(lead({ kind: 'closing', agentName: 'Codex CLI' })).toBe('Close Codex CLI in its terminal. It resumes here.');
  });

  it('counts what a working agent found out, and names its last progress', () => {
    const working = (fresh: number, of: number, kind?: 'commit' | 'edit' | 'check_passed' | 'plan_item') =>
      lead({ kind: 'working', fresh, of, ...(kind && { progress: { kind, at: since } }) });
    expect([working(1, 1), working(0, 1), working(0, 0)]).toEqual([
      'Making progress. Its one step gave a new result.',
      'Its one step gave no new result.',
      'No step yet.',
    ]);
    expect(working(1, 1, 'edit')).toBe('Making progress. Its one step gave a new result; the last edit was 8 min ago.');
    expect(working(2, 10, 'check_passed')).toContain('; the last passing check was 8 min ago.');
    expect(working(2, 10, 'plan_item')).toContain('; the last finished plan item was 8 min ago.');
  });

  it('says what it does now', () => {
    expect(lead({ kind: 'working', fresh: 0, of: 0, doing: model })).toBe('No step yet. Thinking for 8 min.');
  });

  it('does not claim progress while one step takes long', () => {
    const publishing = (since: number): Lead => {
      const doing = { kind: 'tool', subject: 'npm publish', since } as const;
      return { kind: 'working', fresh: 10, of: 10, doing };
    };
    expect(lead(publishing(NOW - 60_000))).toMatch(/^Making progress\./);
    expect(lead(publishing(NOW - 14 * 60_000))).toBe(
      '10 of the last 10 steps gave new results. Running npm publish for 14 min.',
    );
  });

  it('says what decides whether a message helped', () => {
    const recovering = (seen: number, fresh: number) =>
      lead({ kind: 'recovering', watch: { nudge: 2, takenAt: NOW, seen, fresh }, before: [] }).replace(
        'Nudge 2 was delivered at 17:10:20. ',
        '',
      );
    expect([recovering(0, 0), recovering(1, 1), recovering(2, 2), recovering(4, 4), recovering(3, 1)]).toEqual([
      'No call since then; the next 5 decide.',
      'The call since then gave a new result; 4 more decide.',
      'Both calls since then gave new results; 3 more decide.',
      'All 4 calls since then gave new results; 1 more decides.',
      '1 of 3 calls since then gave new results; 2 more decide.',
    ]);
  });

  it('does not claim progress against its own count', () => {
    expect(lead({ kind: 'working', fresh: 5, of: 10 })).toBe('5 of the last 10 steps gave new results.');
  });

  it('shows that the watching is over after five calls', () => {
    const watch = { nudge: 1, takenAt: NOW, seen: 5, fresh: 5 };
    expect(lead({ kind: 'recovering', watch, before: [{ text: 'Before it, make failed.' }] })).toBe(
      'Nudge 1 was delivered at 17:10:20. All 5 calls since then gave new results. Before it, make failed.',
    );
  });
});

describe('a state and its reason in one line', () => {
  it('repeats no word', () => {
    const line = (kind: AgentState['kind'], more: Partial<AgentState>, why: string) =>
      stateLine({ kind, since: NOW - 1_000, ...more }, why, NOW);
    const failed = { waitingFor: 'error', ended: 'error' } as const;
    expect(line('waiting', failed, 'stopped: 529 Overloaded')).toBe('stopped by an error just now: 529 Overloaded');
    expect(line('waiting', failed, 'stopped by an error')).toBe('stopped by an error just now');
    expect(line('finished', { ended: 'died' }, 'died while running npm ci')).toBe('died just now while running npm ci');
    expect(line('waiting', { waitingFor: 'plan' }, 'proposes a plan')).toBe('waiting for you, proposes a plan');
  });
});
