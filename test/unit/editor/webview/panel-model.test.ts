import codicons from '@vscode/codicons/dist/codicon.csv?raw';
import { describe, expect, it } from 'vitest';
import { type PanelSnapshot, storedPlace } from '../../../../src/editor/panel-model';
import { plain } from '../../../../src/core/words';
import { QUIET_MS, createAnnouncer } from '../../../../src/editor/webview/announcer';
import { evidenceLabel, spanOf } from '../../../../src/editor/webview/evidence-rows';
import { ICONS } from '../../../../src/editor/webview/icons';
import {
  mayWonderWhyNot,
  FRESH,
  derive,
  messageKey,
  messageText,
  withSnapshot,
} from '../../../../src/editor/webview/panel-model';
import { fromState, toState } from '../../../../src/editor/webview/persist';
import {
  automatic,
  checking,
  escalated,
  healthy,
  inTurn,
  limitOpened,
  long,
  missedNotice,
  NOW,
  queued,
  recovering,
  stalled,
  stoppedByError,
  stuck,
} from './support/panel-fixtures';

describe('why an agent is not stuck', () => {
  const explained = (state: Partial<PanelSnapshot['state']>) =>
    mayWonderWhyNot({ ...healthy(), state: { ...healthy().state, ...state } }, NOW);

  it('is explained while it works or its turn is over', () => {
    expect(mayWonderWhyNot(healthy(), NOW)).toBe(true);
    expect(explained({ kind: 'waiting', waitingFor: 'turn_end' })).toBe(true);
  });

  it('is not explained if the agent itself says why it does nothing', () => {
    expect(explained({ kind: 'waiting', waitingFor: 'permission' })).toBe(false);
    expect(explained({ kind: 'waiting', waitingFor: 'limit', until: NOW + 60_000 })).toBe(false);
    expect([stoppedByError(), missedNotice()].map((one) => mayWonderWhyNot(one, NOW))).toEqual([false, false]);
  });

  it('is not explained next to an incident, which says what would clear it', () => {
    expect(mayWonderWhyNot({ ...healthy(), incident: stuck().incident }, NOW)).toBe(false);
    expect(mayWonderWhyNot(stuck(), NOW)).toBe(false);
  });
});

describe('the rows of evidence', () => {
  it('show the first result and what came in between, joined in one line', () => {
    const rows = derive(stuck()).folded;
    expect(rows[0]).toMatchObject({
      kind: 'occurrence',
      first: true,
      same: '',
      text: '1 failed, 46 passed',
      step: 202,
    });
    expect(rows[1]).toEqual({ kind: 'gap', text: 'edited sitecustomize.py, +4 −1' });
    expect(rows[5]).toEqual({ kind: 'gap', text: 'edited sitecustomize.py, +6 −2, and read tests/conftest.py' });
    expect(rows.at(-1)).toMatchObject({ kind: 'occurrence', same: 'same result', line: 1391 });
  });

  it('fold more than 12 results to the first 3 and the last 8; the rest comes from the timeline', () => {
    const snapshot = long();
    const { folded, unfolded, steps } = derive(snapshot);
    const total = snapshot.timeline.patterns[0]?.steps.length ?? 0;
    expect(folded.map((row) => row.kind)).toEqual([
      ...Array(3).fill('occurrence'),
      'more',
      ...Array(8).fill('occurrence'),
    ]);
    expect(folded[3]).toEqual({ kind: 'more', count: total - 11 });
    const shown = unfolded.flatMap((row) => (row.kind === 'occurrence' ? [row.step] : []));
    expect(shown).toEqual(snapshot.timeline.patterns[0]?.steps);
    expect(steps.range.end).toBe(5000);
  });

  it('have a label with counts', () => {
    const label = (snapshot: ReturnType<typeof stuck>) => {
      if (!snapshot.incident) throw new Error('no incident');
      return plain(evidenceLabel(snapshot.incident, derive(snapshot).steps));
    };
    expect(label(stuck())).toBe('6 results of pytest -q, 5 edits in between');
    expect(label(inTurn())).toBe('12 results of 2 calls');
    expect(label(stalled())).toBe('1 record');
  });

  it('span this many steps', () => {
    const { incident } = stuck();
    expect(incident && spanOf(incident)).toBe(12);
  });
});

describe("the reader's input", () => {
  const onItsWay = (text: string | null) => ({ key: messageKey(stuck()), text, isLate: false });

  it('stays when a new snapshot arrives', () => {
    const local = { ...FRESH, text: 'my words', selected: 12, allEvidence: true };
    expect(withSnapshot(local, stuck(), stuck())).toEqual(local);
  });

  it('is reset after a message was sent and the host answered', () => {
    const sent = { ...FRESH, text: 'my words', sent: onItsWay('my words') };
    expect(withSnapshot(sent, stuck(), stuck())).toEqual(sent);
    expect(withSnapshot(sent, stuck(), queued())).toMatchObject({ text: null, sent: null, boxOpen: false });
  });

  it('is reset even if the answer took so long that the message could be sent again', () => {
    const late = { ...FRESH, text: 'my words', boxOpen: true, sent: { ...onItsWay('my words'), isLate: true } };
    expect(withSnapshot(late, stuck(), queued())).toMatchObject({ text: null, sent: null, boxOpen: false });
  });

  it('is kept if no answer came and the box is about another incident now: the message may have failed', () => {
    const late = { ...FRESH, text: 'my words', boxOpen: true, sent: { ...onItsWay('my words'), isLate: true } };
    const other = stuck();
    const after = { ...other, message: other.message && { ...other.message, incident: 'other' } };
    expect(withSnapshot(late, stuck(), after)).toMatchObject({ text: 'my words', sent: null, boxOpen: true });
  });

  it('is kept as far as it was written after the message was sent', () => {
    const more = { ...FRESH, text: 'my words, and more', sent: onItsWay('my words') };
    expect(withSnapshot(more, stuck(), queued())).toMatchObject({
      text: 'my words, and more',
      sent: null,
      boxOpen: true,
    });
    const draft = { ...FRESH, text: 'the draft, and more', sent: onItsWay(null) };
    expect(withSnapshot(draft, stuck(), queued())).toMatchObject({ text: 'the draft, and more' });
  });

  it('is not carried over to another agent', () => {
    const local = { ...FRESH, text: 'for the other one', selected: 12 };
    expect(withSnapshot(local, stuck(), healthy())).toMatchObject({ text: null, selected: null });
  });

  it('the menu of a finished recovery does not open again', () => {
    const local = { ...FRESH, menu: 'recover' } as const;
    expect(withSnapshot(local, stuck(), stuck()).menu).toBe('recover');
    const { recovery: _, ...over } = stuck();
    expect(withSnapshot(local, stuck(), over).menu).toBeNull();
    expect(withSnapshot({ ...FRESH, menu: 'more' }, stuck(), over).menu).toBe('more');
  });

  it('the box contains the draft until something is typed', () => {
    const snapshot = stuck();
    expect(messageText({ snapshot, local: FRESH })).toBe(snapshot.message?.draft);
    expect(messageText({ snapshot, local: { ...FRESH, text: '' } })).toBe('');
  });
});

describe('an agent that stopped before its work was done', () => {
  it.each([
    ['an error', stoppedByError],
    ['a limit', limitOpened],
    ['a missed notice', missedNotice],
  ])('has the draft in an open box: %s', (_, made) => {
    const snapshot = made();
    expect(snapshot.message).toMatchObject({ open: true, continues: true });
    expect(messageText({ snapshot, local: FRESH })).toMatch(/Continue with the task/);
  });
});

describe('the state stored by the editor', () => {
  const throughJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

  it("has the reader's position and the unsent words, but not what the host will send again", () => {
    const local = { ...FRESH, window: { pitch: 25, from: 40 }, selected: 44, text: 'unsent', boxOpen: true };
    const state = throughJson(toState(stuck(), { ...local, menu: 'more', allLines: true }));
    expect(fromState(state)).toEqual({ session: '5f2c', local });
    expect(storedPlace(state)).toEqual({ session: '5f2c', incident: '01JDSTUCK' });
    expect(JSON.stringify(state).length).toBeLessThan(250);
  });

  it('is reset if a part of it is broken', () => {
    const state = { ...toState(stuck(), FRESH), window: { pitch: 900 }, selected: -1, text: 7, boxOpen: 'yes' };
    expect(fromState(state)?.local).toEqual(FRESH);
  });

  it.each([undefined, null, 7, 'x', [], {}, { snapshot: { version: 1, session: '5f2c' } }, { version: 2 }])(
    'of another version (%o) is dropped',
    (state) => {
      expect(fromState(state)).toBeNull();
      expect(storedPlace(state)).toBeNull();
    },
  );
});

describe('a screen reader announces', () => {
  it('changes of state, once, and not the state when the panel opens', () => {
    const announcer = createAnnouncer();
    expect(announcer.state(stuck(), 0)).toBeNull();
    expect(announcer.state(stuck(), 5)).toBeNull();
    expect(announcer.state(recovering(), 10)).toBe(
      'Fix the import error in the test suite: Nudge 2 was delivered at 17:10:31. Both calls since then gave new results; 3 more decide. Before that, pytest -q gave the same result 6 times.',
    );
    expect(announcer.state(recovering(), 20)).toBeNull();
  });

  it('at most one change in 10 s, then the newest', () => {
    const announcer = createAnnouncer();
    announcer.state(stuck(), 0);
    expect(announcer.state(recovering(), 100)).not.toBeNull();
    expect(announcer.state(stuck(), 200)).toBeNull();
    expect(announcer.due(QUIET_MS)).toBeNull();
    expect(announcer.due(QUIET_MS + 100)).toMatch(
      /^Fix the import error in the test suite: Stuck for 8 min: pytest -q gave/,
    );
    expect(announcer.due(QUIET_MS * 3)).toBeNull();
  });

  it('no state that passed before it could be announced', () => {
    const announcer = createAnnouncer();
    announcer.state(stuck(), 0);
    expect(announcer.state(recovering(), 100)).not.toBeNull();
    expect(announcer.state(stuck(), 200)).toBeNull();
    expect(announcer.state(escalated(), 300)).toBeNull();
    expect(announcer.due(QUIET_MS + 100)).toBe(
      'Fix the import error in the test suite: Recovery did not help. Over to you.',
    );
    expect(announcer.due(QUIET_MS * 3)).toBeNull();
  });
});

describe('besides the state, a screen reader announces', () => {
  const title = 'Fix the import error in the test suite';

  it('that automatic mode will act, once, without counting the seconds', () => {
    const announcer = createAnnouncer();
    announcer.state(stuck(), 0);
    expect(announcer.state(automatic(), QUIET_MS)).toBe(
      `${title}: automatic, next in 40 s, Nudge, nudged 2 times, last 17:08, no change.`,
    );
    expect(announcer.state(automatic(), QUIET_MS * 2)).toBeNull();
    expect(announcer.state(automatic(true), QUIET_MS * 3)).toBe(
      `${title}: automatic, held, Nudge, nudged 2 times, last 17:08, no change.`,
    );
  });

  it('how the gates ended, but not that they began', () => {
    const announcer = createAnnouncer();
    announcer.state(stuck(), 0);
    expect(announcer.state(checking(), QUIET_MS)).toBeNull();
    expect(announcer.state(stuck(), QUIET_MS * 2)).toBe(`${title}: 1 gate failed after TASK_COMPLETE.`);
  });

  it('the gravest of several changes', () => {
    const announcer = createAnnouncer();
    announcer.state(checking(), 0);
    expect(announcer.state(escalated(), QUIET_MS)).toBe(`${title}: Recovery did not help. Over to you.`);
    announcer.state(checking(), QUIET_MS + 1);
    expect(announcer.due(QUIET_MS * 3)).toMatch(/: Stuck for 8 min/);
  });

  it('only the state of another agent', () => {
    const announcer = createAnnouncer();
    announcer.state(stuck(), 0);
    expect(announcer.state(healthy(), QUIET_MS)).toMatch(/^Add rate limiting to the public API: Making progress/);
    expect(announcer.due(QUIET_MS * 3)).toBeNull();
  });
});

it('icons are those of the bundled font', () => {
  for (const [name, character] of Object.entries(ICONS)) {
    expect(codicons).toMatch(new RegExp(`^${name},.*,${character.codePointAt(0)?.toString(16)}\\s*$`, 'im'));
  }
});
