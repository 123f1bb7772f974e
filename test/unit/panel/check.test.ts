import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MESSAGE_LENGTH, type PanelSnapshot, parseHostMessage, parseIntent, parseSnapshot } from '../../../src/panel';
import * as fixtures from '../webview/support/panel-fixtures';

const every: readonly (readonly [string, () => PanelSnapshot])[] = [
  ['stuck', fixtures.stuck],
  ['recovering', fixtures.recovering],
  ['healthy', fixtures.healthy],
  ['hinted', fixtures.hinted],
  ['waiting for a permission', fixtures.waitingForPermission],
  ['your turn', fixtures.yourTurn],
  ['stalled', fixtures.stalled],
  ['not monitored', fixtures.notMonitored],
  ['finished', fixtures.finished],
  ['gone', fixtures.gone],
  ['restricted', fixtures.restricted],
  ['escalated', fixtures.escalated],
  ['queued', fixtures.queued],
  ['in turn', fixtures.inTurn],
  ['long', fixtures.long],
  ['recovered by itself soon', fixtures.automatic],
  ['held', fixtures.held],
  ['left alone', fixtures.idle],
  ['checked', fixtures.checking],
  ['failing its gates', fixtures.manyFailures],
  ['told in other ways', fixtures.messages],
];

/** As it arrives: the editor copies messages between its processes. */
const sent = (snapshot: PanelSnapshot): unknown => structuredClone(snapshot);

describe('a snapshot on arrival', () => {
  it.each(every)('of an agent that is %s is understood whole', (_, make) => {
    const snapshot = make();
    const parsed = parseHostMessage({ type: 'snapshot', snapshot: sent(snapshot) });
    expect(parsed).toEqual({ ok: true, value: { type: 'snapshot', snapshot } });
  });

  it('may bring its numbers as bare buffers', () => {
    const snapshot = fixtures.stuck();
    const { timeline } = snapshot;
    const bare = { ...timeline, at: timeline.at.buffer, flags: timeline.flags.buffer };
    expect(parseSnapshot({ ...snapshot, timeline: bare })).toMatchObject({ ok: true });
  });

  it('shows control characters as signs and cuts what is too long', () => {
    const parsed = parseSnapshot(sent(fixtures.hostile()));
    if (!parsed.ok) throw new Error(parsed.problem);
    expect(parsed.value.title).toMatch(/\ufffdgnp\.exe␇$/);
    expect(parsed.value.incident?.evidence[0]?.subject).toHaveLength(200);
    expect(JSON.stringify(parsed.value)).not.toMatch(/\\u00(0[0-8bcef]|1[0-9a-f])/);
  });

  it('says where it was not understood, without the data', () => {
    const snapshot = fixtures.stuck();
    const problem = (changes: object) => {
      const parsed = parseSnapshot({ ...snapshot, ...changes });
      return parsed.ok ? '' : parsed.problem;
    };
    expect(problem({ version: 2 })).toBe('message.version: expected 1');
    expect(problem({ title: 7 })).toBe('message.title: expected a string');
    expect(problem({ vitals: { ...snapshot.vitals, calls: 1.5 } })).toBe(
      'message.vitals.calls: expected a whole number',
    );
    expect(problem({ state: { kind: 'happy', since: 1 } })).toMatch(
      /^message\.state\.kind: expected one of \d+ known words$/,
    );
    expect(problem({ timeline: { ...snapshot.timeline, flags: new Uint8Array(3) } })).toBe(
      'message.timeline: expected arrays of one length',
    );
    expect(problem({ lead: { kind: 'incident', why: 'text' } })).toMatch(/^message\.lead\.why: expected a list/);
  });

  it('refuses ranges that overlap: they would show text twice', () => {
    const snapshot = fixtures.stuck();
    const first = snapshot.incident?.first;
    const broken = {
      ...snapshot.incident,
      first: {
        ...first,
        ignored: [
          [3, 9],
          [5, 12],
        ],
      },
    };
    expect(parseSnapshot({ ...snapshot, incident: broken })).toMatchObject({ ok: false });
  });

  it('drops what it does not know', () => {
    const parsed = parseSnapshot({ ...fixtures.stuck(), html: '<b>' });
    expect(parsed.ok && 'html' in parsed.value).toBe(false);
  });

  it('is refused, never thrown, whatever it is', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        expect(parseHostMessage(value).ok).toBe(false);
        expect(parseHostMessage({ type: 'snapshot', snapshot: value }).ok).toBe(false);
      }),
    );
  });

  it('is refused, never thrown, with any one part broken', () => {
    const snapshot = fixtures.stuck() as unknown as Record<string, unknown>;
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(snapshot)), fc.anything(), (key, value) => {
        const parsed = parseSnapshot({ ...snapshot, [key]: value });
        expect(typeof parsed.ok).toBe('boolean');
      }),
    );
  });
});

describe('an intent on arrival', () => {
  it('is understood', () => {
    const intents = [
      { type: 'ready' },
      { type: 'openLine', file: '/t.jsonl', line: 4, offset: 900 },
      { type: 'openStep', step: 3 },
      { type: 'sendNudge', text: 'Try another way', incident: '01J' },
      { type: 'sendNudge', text: 'Try another way' },
      { type: 'withdraw', id: '01J' },
      { type: 'copySample', which: 'last' },
      { type: 'describeSteps', from: 0, to: 60 },
      { type: 'showIncident', id: '' },
      { type: 'nextStuck' },
      { type: 'recover', action: 'next_model' },
      { type: 'hold', on: true },
      { type: 'saveCheckpoint' },
      { type: 'exportIncident' },
      { type: 'showSimilar' },
    ];
    for (const intent of intents) expect(parseIntent(intent)).toEqual({ ok: true, value: intent });
  });

  it('is refused with a path that is none, a negative line or a text without end', () => {
    expect(parseIntent({ type: 'openLine', file: 4, line: 1, offset: 0 }).ok).toBe(false);
    expect(parseIntent({ type: 'openLine', file: '/t', line: -1, offset: 0 }).ok).toBe(false);
    expect(parseIntent({ type: 'sendNudge', text: 'x'.repeat(MESSAGE_LENGTH + 1) }).ok).toBe(false);
    const unknown = parseIntent({ type: 'runCommand', command: 'rm' });
    expect(unknown.ok ? '' : unknown.problem).toMatch(/^message\.type: expected one of \d+ known words$/);
    expect(parseIntent({ type: 'toString' }).ok).toBe(false);
    expect(parseIntent({ type: 'recover', action: 'nudge' }).ok).toBe(false);
    expect(parseIntent({ type: 'hold' }).ok).toBe(false);
  });

  it('sends the text of a message as it was written', () => {
    const text = 'two\r\nlines\tand a tab';
    expect(parseIntent({ type: 'sendNudge', text })).toEqual({ ok: true, value: { type: 'sendNudge', text } });
  });
});
