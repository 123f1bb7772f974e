import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AgentView } from '../../../../src/core/model';
import { OrderedAgents } from '../../../../src/editor/trees/roster';

type Kind = AgentView['state']['kind'];
interface Row {
  readonly session: string;
  readonly kind: Kind;
  readonly since: number;
  readonly parent: string | undefined;
}

const viewOf = ({ session, kind, since, parent }: Row): AgentView =>
  ({ session, state: { kind, since }, incidents: [], ...(parent !== undefined && { parent }) }) as unknown as AgentView;

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

function rosterOf(shown: Map<string, AgentView>): OrderedAgents {
  return new OrderedAgents({
    all: () => [...shown.values()],
    one: (key) => shown.get(key),
    isListed: (view) => view.state.kind !== 'finished' || view.state.since > 1,
  });
}

describe('the agents in the order of the lists', () => {
  it('is the same whether it is updated change by change or built from all of them', () => {
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

  it('puts those that need a person first and finished ones last, newest first', () => {
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

  it('counts all that the engine shows, and returns only those that are listed', () => {
    const rows: Row[] = [
      { session: 'works', kind: 'working', since: 0, parent: undefined },
      { session: 'ended', kind: 'finished', since: 0, parent: undefined },
      { session: 'ended late', kind: 'finished', since: 3, parent: undefined },
    ];
    const roster = rosterOf(new Map(rows.map((one) => [one.session, viewOf(one)])));
    expect([roster.size, roster.list]).toEqual([0, []]);
    roster.update();
    expect([roster.size, roster.finished]).toEqual([3, 2]);
    expect(['works', 'ended', 'ended late', 'unknown'].map((session) => roster.get(session)?.session)).toEqual([
      'works',
      undefined,
      'ended late',
      undefined,
    ]);
  });

  it('has sub-agents under the session that started them, in order, as long as they exist', () => {
    const rows: Row[] = [
      { session: 'lead', kind: 'working', since: 0, parent: undefined },
      { session: 'quiet', kind: 'working', since: 1, parent: 'lead' },
      { session: 'stuck', kind: 'stuck', since: 5, parent: 'lead' },
      { session: 'other', kind: 'working', since: 1, parent: 'lead 2' },
    ];
    const shown = new Map(rows.map((one) => [one.session, viewOf(one)]));
    const roster = rosterOf(shown);
    roster.update();
    const family = (session: string) => roster.familyOf(session).map((one) => one.session);
    expect([family('lead'), family('lead 2'), family('quiet')]).toEqual([['stuck', 'quiet'], ['other'], []]);
    shown.delete('stuck');
    roster.update(['stuck']);
    expect(family('lead')).toEqual(['quiet']);
  });

  it('queries the engine only for the sessions that changed', () => {
    const row: Row = { session: 'a', kind: 'working', since: 0, parent: undefined };
    const shown = new Map([['a', viewOf(row)]]);
    const roster = rosterOf(shown);
    roster.update();
    shown.set('a', viewOf({ ...row, kind: 'stuck' }));
    shown.set('b', viewOf({ ...row, session: 'b' }));
    roster.update(['b']);
    expect(roster.list.map(({ session, state }) => [session, state.kind])).toEqual([
      ['a', 'working'],
      ['b', 'working'],
    ]);
  });
});

it('has a new version, because places may have new names, only if an agent appeared, left or moved', () => {
  const shown = new Map<string, AgentView>();
  const roster = rosterOf(shown);
  const put = (more: Partial<AgentView>) => {
    shown.set('a', { ...viewOf({ session: 'a', kind: 'working', since: 0, parent: undefined }), ...more });
    roster.update(['a']);
    return roster.version;
  };
  const came = put({ cwd: '/w' });
  expect(put({ cwd: '/w' })).toBe(came);
  const moved = put({ cwd: '/x' });
  expect(moved).toBeGreaterThan(came);
  expect(put({ cwd: '/x', branch: 'fix' })).toBeGreaterThan(moved);
  const before = roster.version;
  shown.delete('a');
  roster.update(['a']);
  expect(roster.version).toBeGreaterThan(before);
});
