import { describe, expect, it } from 'vitest';
import { isFirst, isPatternRepeat, letterIndex, stampPatterns } from '../../../../src/editor/panel-model';
import { stepFlags } from '../../../../src/core/model';
import { panelSnapshot } from '../../../../src/editor/panel-model/build';
import { plain, leadSentence } from '../../../../src/core/words';
import * as fixtures from '../webview/support/panel-fixtures';

const lead = (snapshot: ReturnType<typeof fixtures.stuck>) => plain(leadSentence(snapshot.lead, snapshot.now));

describe('the snapshot of a stuck agent', () => {
  it('shows the gravest incident, its draft and the state of the last message', () => {
    const snapshot = fixtures.stuck();
    expect(snapshot.incident?.id).toBe('01JDSTUCK');
    expect(snapshot.message).toMatchObject({
      number: 2,
      open: true,
      incident: '01JDSTUCK',
      reach: { kind: 'next_call' },
    });
    expect(snapshot.deliveries.map((one) => [one.number, one.state, one.outcome])).toEqual([[1, 'acted', 'same']]);
  });

  it('stamps the letter of the pattern on its steps, the first one hollow', () => {
    const { flags } = fixtures.stuck().timeline;
    expect([202, 204, 206, 209, 211, 213].map((step) => letterIndex(flags[step] ?? 0))).toEqual([1, 1, 1, 1, 1, 1]);
    expect(isFirst(flags[202] ?? 0)).toBe(true);
    expect(isPatternRepeat(flags[202] ?? 0)).toBe(false);
    expect(isPatternRepeat(flags[204] ?? 0)).toBe(true);
    expect(letterIndex(flags[203] ?? 0)).toBe(0);
  });

  it('continues from the last line while a turn is open', () => {
    expect(fixtures.stuck().timeline.silentSince).toBe(Date.UTC(2026, 10, 20, 17, 9, 38));
    expect(fixtures.finished().timeline.silentSince).toBeUndefined();
  });
});

it('the message box stays while a nudge is on its way, without the draft', () => {
  expect(fixtures.queued().message).toMatchObject({ number: 3, open: true, draft: '' });
  expect(fixtures.queued(false).deliveries[0]).toMatchObject({ number: 2, connected: false });
});

it('the lead of a recovering agent says what came since the message was taken', () => {
  const snapshot = fixtures.recovering();
  expect(snapshot.lead).toMatchObject({
    kind: 'recovering',
    watch: { kind: 'nudge', nudge: 2, takenAt: Date.UTC(2026, 10, 20, 17, 10, 31), seen: 2, fresh: 2 },
  });
  expect(lead(snapshot)).toBe(
    'Nudge 2 was delivered at 17:10:31. Both calls since then gave new results; 3 more decide. Before that, pytest -q gave the same result 6 times.',
  );
});

it('nudges are numbered by the attempts of their incident; other messages are not', () => {
  const kinds = fixtures.messages().deliveries.map((one) => [one.kind, one.number]);
  expect(kinds).toEqual([
    ['stop', 0],
    ['restart', 0],
    ['block', 0],
    ['gate', 0],
    ['checkpoint', 0],
  ]);
  expect(fixtures.messages().message?.number).toBe(1);
  const attempt = (kind: 'nudge' | 'restart', message: string, index: number) => ({
    attempt: index,
    kind,
    message,
    at: index,
    automated: false,
    state: 'acted' as const,
  });
  const attempts = [attempt('nudge', '01GONE', 1), attempt('restart', '01RESTART', 2), attempt('nudge', '01NUDGE1', 3)];
  const { view, ...rest } = fixtures.stuckInput();
  const snapshot = panelSnapshot({ ...rest, view: { ...view, incidents: [fixtures.incident({ attempts })] } });
  expect(snapshot.deliveries.map((one) => one.number)).toEqual([2]);
  expect(snapshot.message?.number).toBe(3);
});

it('a warning keeps the state of a working agent and its lead', () => {
  const snapshot = fixtures.hinted();
  expect(snapshot.lead.kind).toBe('working');
  expect(snapshot.incident).toMatchObject({ level: 'warn', resolvedAt: null });
  expect(snapshot.message?.open).toBe(false);
});

it('a chosen past incident replaces the lead', () => {
  const past = fixtures.incident({ id: '01JDPAST', state: 'recovered', resolvedAt: 5, why: '`make` failed.' });
  const snapshot = fixtures.healthy({ past: [past], chosen: '01JDPAST' });
  expect(snapshot.incident).toMatchObject({ id: '01JDPAST', resolvedAt: expect.any(Number) });
  expect(lead(snapshot)).toBe('make failed.');
  expect(fixtures.healthy({ past: [past] }).incident).toBeNull();
  expect(fixtures.healthy({ past: [past] }).others.map((one) => one.id)).toEqual(['01JDPAST']);
});

it('an agent that only its silence gives away probably waits, and the lead says so', () => {
  expect(lead(fixtures.probablyWaiting())).toBe(
    'Probably waiting for you: no output for 40 s since it called npm publish, which needs permission. Guessed from the lack of output.',
  );
});

const EVERY = {
  stuck: fixtures.stuck,
  recovering: fixtures.recovering,
  healthy: fixtures.healthy,
  hinted: fixtures.hinted,
  waitingForPermission: fixtures.waitingForPermission,
  probablyWaiting: fixtures.probablyWaiting,
  yourTurn: fixtures.yourTurn,
  stalled: fixtures.stalled,
  notMonitored: fixtures.notMonitored,
  finished: fixtures.finished,
  gone: fixtures.gone,
  restricted: fixtures.restricted,
  escalated: fixtures.escalated,
  queued: fixtures.queued,
  inTurn: fixtures.inTurn,
  long: fixtures.long,
  automatic: fixtures.automatic,
  held: fixtures.held,
  idle: fixtures.idle,
  checking: fixtures.checking,
  manyFailures: fixtures.manyFailures,
  messages: fixtures.messages,
  counted: fixtures.counted,
};

it('the calls of twelve tools are counted separately and those of all others together, and plan items are named', () => {
  const { health } = fixtures.counted();
  expect(health.tools).toHaveLength(12);
  expect(health.tools[0]).toEqual({ name: 'mcp__server__tool_0', calls: 20 });
  expect(health.otherCalls).toBe(8 + 7 + 6);
  expect(health.blocked).toEqual([{ id: '2', title: 'Write the migration guide', times: 3 }]);
});

it.each(Object.entries(EVERY))('%s survives being copied: the editor copies it between processes', (_, make) => {
  const snapshot = make();
  expect(structuredClone(snapshot)).toEqual(snapshot);
});

it('hidden characters of transcripts are sent as visible ones, while ids and paths stay as they are', () => {
  const snapshot = fixtures.hostile();
  expect(snapshot.title).toMatch(/\ufffdgnp\.exe␇$/);
  expect(snapshot.incident?.first?.text).toMatch(/␛\[31mred␀\ufffdx \nnext$/);
  expect(snapshot.message?.draft).toMatch(/\ufffd$/);
  expect(JSON.stringify(snapshot)).not.toMatch(/[\u202a-\u202e\u2066-\u2069]|\\u00(0[0-8bcef]|1[0-9a-f])/);
  const { view, ...rest } = fixtures.stuckInput();
  const named = panelSnapshot({ ...rest, view: { ...view, session: 'a\u200bb' } });
  expect(named.session).toBe('a\u200bb');
  expect(named.timeline.at).toBe(rest.steps.at);
});

it('without trust nothing can be sent, even if a message could reach the agent', () => {
  expect(fixtures.restricted().message?.reach).toEqual({ kind: 'hindered', why: 'untrusted' });
});

it('a session that nothing reaches has no message box', () => {
  expect(fixtures.finished().message).toBeNull();
});

describe('letters on steps', () => {
  const plainFlags = () => Uint8Array.from({ length: 6 }, () => stepFlags('ran', true, false));
  const pattern = {
    group: 'g',
    letter: 'B',
    subject: 'x',
    steps: [11, 13],
    count: 2,
    words: 'same result',
  };

  it('count from the first step that was sent', () => {
    const flags = plainFlags();
    stampPatterns(flags, 10, [pattern]);
    expect([...flags].map(letterIndex)).toEqual([0, 2, 0, 2, 0, 0]);
    expect([...flags].map(isFirst)).toEqual([false, true, false, false, false, false]);
  });

  it('mark no first step if the list does not reach back to it', () => {
    const flags = plainFlags();
    stampPatterns(flags, 10, [{ ...pattern, count: 250 }]);
    expect([...flags].some(isFirst)).toBe(false);
  });

  it('do not touch steps that were not sent', () => {
    const flags = plainFlags();
    stampPatterns(flags, 100, [pattern]);
    expect(flags).toEqual(plainFlags());
  });

  it('keep the kind of the step', () => {
    const flags = Uint8Array.from([stepFlags('changed', true, true)]);
    stampPatterns(flags, 0, [{ ...pattern, steps: [0], count: 1 }]);
    expect((flags[0] ?? 0) & 15).toBe(stepFlags('changed', true, true));
  });
});
