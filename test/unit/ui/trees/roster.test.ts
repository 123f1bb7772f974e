import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AgentView } from '../../../../src/model';
import { Roster } from '../../../../src/ui/trees/roster';

type Kind = AgentView['state']['kind'];
interface Row {
  readonly session: string;
  readonly kind: Kind;
  readonly since: number;
  readonly parent: string | undefined;
}

const viewOf = ({ session, kind, since, parent }: Row): AgentView =>
  ({ session, state: { kind, since }, ...(parent !== undefined && { parent }) }) as unknown as AgentView;

const session = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g');
const row = fc.record({
  session,
  kind: fc.constantFrom<Kind>(
    'escalated',
    'stuck',
    'waiting',
    'stalled',
    'not_monitored',
    'recovering',
    'working',
    'finished',
  ),
  since: fc.integer({ min: 0, max: 3 }),
  parent: fc.option(session, { nil: undefined }),
});
/** A change of one session, or its end. */
const change = fc.oneof(row, session);

function rosterOf(shown: Map<string, AgentView>): Roster {
  return new Roster({
    all: () => [...shown.values()],
    one: (key) => shown.get(key),
    isListed: (view) => view.state.kind !== 'finished' || view.state.since > 1,
  });
}

describe('the agents in the order of the lists', () => {
  it('is the same when it is kept up change by change as when all are looked at', () => {
    fc.assert(
      fc.property(fc.array(fc.array(change, { maxLength: 4 }), { maxLength: 30 }), (batches) => {
        const shown = new Map<string, AgentView>();
        const kept = rosterOf(shown);
        for (const batch of batches) {
          for (const one of batch) {
            if (typeof one === 'string') shown.delete(one);
            else shown.set(one.session, viewOf(one));
          }
          kept.update(batch.map((one) => (typeof one === 'string' ? one : one.session)));
        }
        const fresh = rosterOf(shown);
        fresh.update();
        expect(kept.list).toEqual(fresh.list);
        expect([kept.size, kept.finished]).toEqual([fresh.size, fresh.finished]);
        for (const key of 'abcdefg') {
          expect(kept.familyOf(key)).toEqual(fresh.familyOf(key));
        }
      }),
    );
  });

  it('puts those first that need a person, and finished ones last, the newest first', () => {
    const rows: Row[] = [
      { session: 'done early', kind: 'finished', since: 2, parent: undefined },
      { session: 'done late', kind: 'finished', since: 3, parent: undefined },
      { session: 'works', kind: 'working', since: 0, parent: undefined },
      { session: 'stuck', kind: 'stuck', since: 3, parent: undefined },
      { session: 'stuck for longer', kind: 'stuck', since: 1, parent: undefined },
      { session: 'silent', kind: 'stalled', since: 0, parent: undefined },
    ];
    const roster = rosterOf(new Map(rows.map((one) => [one.session, viewOf(one)])));
    roster.update();
    expect(roster.list.map((one) => one.session)).toEqual([
      'stuck for longer',
      'stuck',
      'silent',
      'works',
      'done late',
      'done early',
    ]);
  });
});
