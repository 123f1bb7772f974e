import { describe, expect, it } from 'vitest';
import { contradictionsIn } from '../../../../src/history/queries/contradictions';
import type { StoreEvent } from '../../../../src/history/types';
import { T0 } from '../support/incidents';

type Row = readonly [type: StoreEvent['type'], data: StoreEvent['data'], incident?: string];

const log = (rows: readonly Row[]): StoreEvent[] =>
  rows.map(([type, data, incident = 'A'], index) => ({
    id: `${index}`,
    t: T0 + index,
    type,
    session: 's',
    agent: 'generic',
    incident,
    data,
  }));

/** Contradictions, each with its event. */
const codes = (...rows: readonly Row[]) => contradictionsIn(log(rows)).map(({ code, event }) => [code, event.id]);

const observed: Row = ['StuckObservation', { level: 'stuck' }];
const over = (outcome: string): Row => ['Resolution', { outcome }];
const learned = (state: string): Row => ['Learning', { state }];
const message = (state: string): Row => ['Delivery', { message: 'M', state }];
const result = (value: string): Row => ['Recovery', { action: 'result', message: 'M', result: value, rungKind: null }];

it('finds nothing wrong with a nudge that freed an agent, nor with a streak that came back', () => {
  const nudge: Row = ['Recovery', { action: 'nudge', rungKind: 'feedback', result: 'sent' }];
  const cycle = [observed, nudge, message('queued'), message('taken'), message('seen'), message('acted')];
  const end = [over('nudge'), learned('recovered'), result('recovered')];
  expect(codes(...cycle, ...end, observed, over('went_on'), learned('unknown'))).toEqual([]);
  expect(codes(observed, over('nudge'), ['Resolution', { outcome: 'nudge' }, 'B'])).toEqual([]);
});

describe('finds', () => {
  it.each<[string, string, readonly Row[]]>([
    ['an end after the end', 'resolved_twice', [observed, over('nudge'), over('went_on')]],
    ['two learnings of one cycle', 'learned_twice', [over('nudge'), learned('recovered'), learned('recovered')]],
    ['a learning of what is not over', 'learned_otherwise', [observed, learned('unknown')]],
    ['a recovery that was none', 'learned_otherwise', [observed, over('stuck'), learned('recovered')]],
    ['a state that was entered twice', 'delivered_twice', [message('queued'), message('queued')]],
    ['an effect before its cause', 'delivered_backwards', [message('taken'), message('acted'), message('seen')]],
    ['two ends of a message', 'delivered_backwards', [message('queued'), message('expired'), message('acted')]],
    ['an effect without a cause', 'never_queued', [observed, message('acted')]],
    ['two results', 'judged_otherwise', [observed, result('failed'), result('recovered')]],
    ['one result twice', 'judged_twice', [observed, result('failed'), result('failed')]],
    [
      'a step that was not taken',
      'other_rung',
      [observed, ['Recovery', { action: 'reassign', rungKind: 'next_model' }]],
    ],
  ])('%s', (_what, code, rows) => {
    expect(codes(...rows)).toEqual([[code, String(rows.length - 1)]]);
  });
});
