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

/** Every state that an agent can be in, by how it is called in a test. */
const STATES = {
  escalated: at('escalated'),
  stuck: at('stuck'),
  asks: at('waiting', { waitingFor: 'question' }),
  turn: at('waiting', { waitingFor: 'turn_end' }),
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
  it('has a look, quiet where nothing is asked of a person', () => {
    expect(each((state) => Object.values(stateLook(state)).join(' '))).toEqual({
      escalated: 'bell-dot error',
      stuck: 'warning trouble',
      asks: 'comment-discussion info',
      turn: 'comment-discussion none',
      silent: 'watch none',
      blind: 'eye-closed quiet',
      recovers: 'debug-restart info',
      works: 'pulse none',
      ended: 'check quiet',
      died: 'circle-slash none',
      interrupted: 'circle-slash none',
      failed: 'circle-slash none',
    });
  });

  it('is said on the pill, in a row, and to a screen reader', () => {
    expect(
      each((state) => [
        statePill(state, NOW),
        treeDescription(state, 'codex', NOW),
        stateLabel(state, 'T', 'codex', NOW),
      ]),
    ).toEqual({
      escalated: ['Asks you for 8 min', 'asks you, 8 min', 'T, asks you, 8 minutes, codex'],
      stuck: ['Stuck for 8 min', 'stuck 8 min', 'T, stuck, 8 minutes, codex'],
      asks: ['Waiting for you for 8 min', 'waits 8 min', 'T, waits for you, 8 minutes, codex'],
      turn: ['Your turn for 8 min', 'your turn, 8 min', 'T, your turn, 8 minutes, codex'],
      silent: ['Silent for 8 min', 'silent 8 min', 'T, silent, 8 minutes, codex'],
      blind: ['Not monitored', 'not monitored', 'T, not monitored, codex'],
      recovers: ['Recovering for 8 min', 'recovering, 8 min', 'T, recovering, codex'],
      works: ['Working', 'codex', 'T, working, codex'],
      ended: ['Finished 8 min ago', 'finished, 8 min ago', 'T, finished, codex'],
      died: ['Ended in mid-turn 8 min ago', 'died, 8 min ago', 'T, ended in mid-turn, codex'],
      interrupted: ['Interrupted 8 min ago', 'interrupted, 8 min ago', 'T, interrupted, codex'],
      failed: ['Ended in error 8 min ago', 'failed, 8 min ago', 'T, ended in error, codex'],
    });
  });

  it('has a sentence also where nothing more is known', () => {
    expect(each((state) => plain(stateSentence({ state, now: NOW })))).toEqual({
      escalated: 'Recovery ended. It is your turn.',
      stuck: 'Stuck for 8 min.',
      asks: 'Asks a question.',
      turn: 'Its turn ended 8 min ago. It asks nothing.',
      silent: 'Nothing written for 8 min while the model answers. A guess: it may only be slow.',
      blind: 'The transcript grows, but no action was recognised in the last 400 lines.',
      recovers: 'A message was taken. Watching the next 5 calls.',
      works: 'Working.',
      ended: 'Ended by itself.',
      died: 'Its process ended in mid-turn.',
      interrupted: 'Interrupted.',
      failed: 'Ended in error.',
    });
  });

  it('says how long an ended session ran, however it ended', () => {
    const ran = (state: AgentState) =>
      plain(stateSentence({ state, now: NOW, ran: 60_000, gates: 'All gates passed.' }));
    expect([STATES.died, STATES.interrupted, STATES.failed].map(ran)).toEqual([
      'Its process ended in mid-turn after 1 min. All gates passed.',
      'Interrupted after 1 min. All gates passed.',
      'Ended in error after 1 min. All gates passed.',
    ]);
  });

  it('says what is asked', () => {
    const sentence = (more: Partial<AgentState>) => plain(stateSentence({ state: at('waiting', more), now: NOW }));
    expect(sentence({ waitingFor: 'permission' })).toBe('Asks for a permission.');
    expect(sentence({ waitingFor: 'question', question: 'Which port?' })).toBe('Asks: Which port?');
    expect(isYourTurn(at('working', { waitingFor: 'turn_end' }))).toBe(false);
  });

  it('says what the message that is watched is, and what came since', () => {
    const watched = (more: Partial<NonNullable<StateFacts['watch']>>) =>
      plain(
        stateSentence({
          state: at('recovering'),
          now: NOW,
          watch: { nudge: 1, takenAt: NOW, seen: 0, fresh: 0, ...more },
        }),
      ).replace('Nudge 1 taken at 17:10:20. Watching the next 5 calls: ', '');
    expect([
      watched({}),
      watched({ seen: 1, fresh: 1 }),
      watched({ seen: 3, fresh: 3 }),
      watched({ seen: 3, fresh: 1 }),
    ]).toEqual(['none yet.', '1 seen, new.', '3 seen, all new.', '3 seen, 1 new.']);
    expect(watchedName({ nudge: 0 })).toBe('The nudge');
    const kinds = ['block', 'stop', 'restart', 'escalate', 'reassign', 'checkpoint'] as const;
    expect(kinds.map((kind) => watchedName({ kind, nudge: 2 }))).toEqual([
      'The refusal of the call',
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

  it('has a color of the theme, another one in high contrast where the theme has none', () => {
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
  const lead = (of: Lead) => plain(leadSentence(of, 'T', NOW));
  const finished = (ended: 'clean' | 'interrupted' | 'died' | 'error', doing?: Doing) =>
    lead({ kind: 'finished', ended, ran: 60_000, ...(doing && { doing }) });

  it('says how a session ended, and what died with it', () => {
    expect([finished('clean'), finished('interrupted'), finished('error')]).toEqual([
      'Finished after 1 min.',
      'Interrupted after 1 min.',
      'Ended in error after 1 min.',
    ]);
    expect(finished('died', tool)).toBe('Its process ended in mid-turn after 1 min, while running npm ci.');
    expect([finished('died'), finished('died', model)]).toEqual([
      'Its process ended in mid-turn after 1 min.',
      'Its process ended in mid-turn after 1 min.',
    ]);
  });

  it('says what an agent waits for', () => {
    expect(lead({ kind: 'waiting', for: 'turn_end' })).toBe(
      'Its turn ended. It asks nothing; it goes on when you send a message.',
    );
    expect(lead({ kind: 'waiting', for: 'permission', question: 'run psql' })).toBe(
      'It asks for a permission: run psql',
    );
    expect(lead({ kind: 'waiting', for: 'question' })).toBe('It asks a question. Answer it where the agent runs.');
  });

  it('says that it waits until its person has closed it', () => {
    expect(lead({ kind: 'closing', agentName: 'Codex CLI' })).toBe(
      'Close Codex CLI in its terminal; it is resumed here.',
    );
  });

  it('says that the person interrupted it, and what was stuck then', () => {
    expect(lead({ kind: 'interrupted', was: say`pytest failed 6 times.` })).toBe(
      'You interrupted it. Nothing is sent to it before your next prompt. It was stuck: pytest failed 6 times.',
    );
    expect(lead({ kind: 'interrupted', was: null })).toBe(
      'You interrupted it. Nothing is sent to it before your next prompt.',
    );
  });

  it('says what a silent agent is busy with', () => {
    expect(lead({ kind: 'stalled', since, doing: model })).toBe(
      'Nothing was written for 8 min while the model answers.',
    );
    expect(lead({ kind: 'stalled', since })).toBe('Nothing was written for 8 min while the model answers.');
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

  it('says that the model answers', () => {
    expect(lead({ kind: 'working', fresh: 0, of: 0, doing: model })).toBe(
      'No step yet. The model has been answering for 8 min.',
    );
  });

  it('says that the watching is over after five calls', () => {
    const watch = { nudge: 1, takenAt: NOW, seen: 5, fresh: 5 };
    expect(lead({ kind: 'recovering', watch, before: [{ text: 'Before it, make failed.' }] })).toBe(
      'Nudge 1 was taken at 17:10:20. All 5 calls since then gave new results. Before it, make failed.',
    );
  });
});
