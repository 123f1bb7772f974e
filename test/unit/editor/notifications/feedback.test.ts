import { describe, expect, it, vi } from 'vitest';
import type { FeedbackEntry, NotStuck } from '../../../../src/core/model';
import { Feedback, followFeedback } from '../../../../src/editor/notifications/feedback';
import { Emitter } from '../../../../src/base/util/emitter';
import { memento } from '../support/memento';

const one = (incident: string, at = 1): NotStuck => ({
  detector: 'repeating_action',
  rule: null,
  call: `digest of ${incident}`,
  limit: 8,
  incident,
  agent: 'claude-code',
  session: 's',
  subject: 'pytest -q',
  count: 4,
  at,
});
const said = (incident: string, at = 1): FeedbackEntry => ({ ...one(incident, at), action: 'not_stuck' });
const takenBack = (incident: string, at = 2): FeedbackEntry => ({ ...one(incident, at), action: 'taken_back' });

/** A window's verdicts, and the event log that it shares with others. */
function stage(entries: readonly FeedbackEntry[] = [], kept = new Map<string, unknown>()) {
  const log = [...entries];
  const changes = new Emitter<{ source: string; events: readonly unknown[] }>();
  const { memory } = memento(kept);
  const update = vi.spyOn(memory, 'update');
  const feedback = new Feedback(memory, { feedback: () => log, onDidChange: changes.event } as never);
  const heard = vi.fn();
  feedback.onDidChange(heard);
  /** Writes to the event log as another window. */
  const arrives = (entry: FeedbackEntry, source = 'other') => {
    log.push(entry);
    changes.fire({ source, events: [entry] });
  };
  return {
    feedback,
    heard,
    update,
    kept,
    arrives,
    changes,
    list: () => feedback.list().map(({ incident }) => incident),
  };
}

describe('a Not Stuck verdict', () => {
  it('is kept if it was given while the window was closed, and is not written again if nothing is new', () => {
    const { kept, list } = stage([said('A')]);
    expect([list(), kept.size]).toEqual([['A'], 1]);
    expect(stage([said('A')], kept).update).not.toHaveBeenCalled();
  });

  it('arrives from another window once and is kept, and does not come back from its own', () => {
    const { arrives, changes, heard, list, kept } = stage();
    arrives(said('A'), 'own');
    expect([list(), heard.mock.calls.length]).toEqual([[], 0]);
    changes.fire({ source: 'other', events: [] });
    expect(list()).toEqual([]);
    changes.fire({ source: 'other', events: [{}] });
    changes.fire({ source: 'other', events: [{}] });
    expect([list(), heard.mock.calls.length, stage([], kept).list()]).toEqual([['A'], 1, ['A']]);
  });

  it('no longer arrives once the window is closed', () => {
    const { feedback, arrives, heard, list } = stage();
    const others = vi.fn();
    feedback.onDidHear(others);
    feedback.dispose();
    arrives(said('A'));
    void feedback.add(one('B'));
    expect([heard.mock.calls, others.mock.calls, list()]).toEqual([[], [], ['B']]);
  });

  it('does not fail if the memory of the workspace cannot be written: the event log has it', async () => {
    const { arrives, update, list } = stage();
    update.mockRejectedValue(new Error('no space'));
    arrives(said('A'));
    await new Promise((done) => setImmediate(done));
    expect(list()).toEqual(['A']);
  });
});

it('a verdict ends or reopens only an incident of this window, and sets the limits of the rule again', () => {
  const { feedback, arrives } = stage([said('B')]);
  const changed: unknown[] = [];
  const engine = {
    changeIncident: (id: string, { type }: { type: string }) => (changed.push([id, type]), true),
    session: () => ({ book: { all: () => [{ ...one('C'), id: 'C', openedAt: 0 }] } }),
  };
  const configure = vi.fn();
  const following = followFeedback({ engine: engine as never, feedback }, configure);
  arrives(said('A'));
  arrives(takenBack('B'));
  expect(changed).toEqual([
    ['A', 'not_stuck'],
    ['B', 'take_back'],
  ]);
  expect(configure).toHaveBeenCalledTimes(2);
  following.dispose();
  arrives(takenBack('A'));
  expect([changed.length, configure.mock.calls.length]).toEqual([2, 2]);
});
