import { describe, expect, it } from 'vitest';
import type { Incident } from '../../../../src/core/model';
import { changesOf, type GroupedIncidents } from '../../../../src/editor/trees/incident-changes';
import type { IncidentGroup } from '../../../../src/editor/trees/incident-groups';

/** Parses `Active: a24 b3 | Today: c5`: groups, each with the ids and counts of its incidents. */
function list(drawing: string): GroupedIncidents {
  const groups = drawing.split('|').map((part): [IncidentGroup, Incident[]] => {
    const [name = '', rest = ''] = part.trim().split(': ');
    const incidents = rest
      .split(' ')
      .map((word) => ({ id: word[0], count: Number(word.slice(1)) }) as unknown as Incident);
    return [name as IncidentGroup, incidents];
  });
  return new Map(groups);
}

const lookOf = ({ count }: Incident): string => `×${String(count)}`;

/** Returns what must be redrawn when the list changes from one drawing to another; `hidden`: rows that were never drawn. */
function drawn(from: string, to: string, hidden = ''): string {
  const before = list(from);
  const looks = new Map(
    [...before.values()]
      .flat()
      .filter(({ id }) => !hidden.includes(id))
      .map((incident) => [incident.id, lookOf(incident)]),
  );
  const { all, group, rows } = changesOf(before, list(to), looks, lookOf);
  return all ? 'all' : [...(group ? [group] : []), ...rows].join(' ') || 'nothing';
}

describe('the list of incidents', () => {
  it.each([
    ['Active: a24 | Today: c5 d6', 'Active: a24 | Today: c5 d6', 'nothing'],
    // a count rises
    ['Active: a24 b3 | Today: c5 d6', 'Active: a25 b3 | Today: c5 d6', 'a'],
    // another one begins
    ['Active: a24 | Today: c5 d6', 'Active: b3 a24 | Today: c5 d6', 'Active'],
    ['Active: a24 | Today: c5 d6', 'Active: b3 a25 | Today: c5 d6', 'Active a'],
    // the first one begins
    ['Today: c5 d6', 'Active: a3 | Today: c5 d6', 'all'],
    // one ends, and others stay open
    ['Active: a24 b3 | Today: c5 d6', 'Active: b3 | Today: a24 c5 d6', 'all'],
    ['Active: a24 | Today: c5 d6', 'Today: a24 c5 d6', 'all'],
    // midnight
    ['Today: c5 d6', 'This week: c5 d6', 'all'],
    // deleted, or another order
    ['Active: a24 | Today: c5 d6', 'Active: a24 | Today: d6', 'Today'],
    ['Active: a24 | Today: c5 d6', 'Active: a24 | Today: d6 c5', 'Today'],
  ])('that goes from %s to %s redraws: %s', (from, to, expected) => {
    expect(drawn(from, to)).toBe(expected);
  });

  it('does not redraw rows that were never drawn', () => {
    expect(drawn('Active: a24 | Older: c5', 'Active: a24 | Older: c6', 'c')).toBe('nothing');
  });
});
