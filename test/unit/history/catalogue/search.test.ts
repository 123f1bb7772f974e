import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Incident } from '../../../../src/core/model';
import type { IncidentFilter } from '../../../../src/history/types';
import { catalogueOf } from '../support/catalogue';
import { MINUTE, T0, incident, recovered } from '../support/make';

/** An incident whose only text is this. */
const plain = (id: string, changes: Partial<Incident>) =>
  incident({ id, title: '', subject: '', why: '', evidence: [], file: '/t', folder: '/f', ...changes });

async function found(incidents: readonly Incident[], words: string, filter: IncidentFilter = {}) {
  const hits = (await catalogueOf({ incidents })).recall(words, { filter, limit: 40 });
  return hits.map(({ id }) => id);
}

describe('the search', () => {
  it('ranks what has all words first, then what has the rarer ones', async () => {
    const common = Array.from({ length: 30 }, (_, n) => plain(`C${n}`, { why: 'the agent ran pytest' }));
    const rare = plain('rare', { why: 'the agent ran webpack' });
    const both = plain('both', { why: 'pytest and webpack' });
    const hits = await found([...common, rare, both], 'pytest webpack');
    expect(hits.slice(0, 2)).toEqual(['both', 'rare']);
    expect(hits).toHaveLength(32);
  });

  it('counts a word of the call more than one of the explanation', async () => {
    const call = plain('call', { subject: 'webpack' });
    const why = plain('why', { why: 'webpack' });
    expect(await found([why, call], 'webpack')).toEqual(['call', 'why']);
  });

  it('leaves out what has less than half of the words', async () => {
    const one = plain('one', { why: 'alpha' });
    expect(await found([one], 'alpha beta')).toEqual(['one']);
    expect(await found([one], 'alpha beta gamma')).toEqual([]);
  });

  it('finds words with typing errors, ranked below those that are written as in the query', async () => {
    const one = incident({ id: 'one' });
    expect(await found([one], 'stuk repeatng')).toEqual(['one']);
    expect(await found([one], 'pytset')).toEqual(['one']);
    expect(await found([one], 'xylophone')).toEqual([]);
  });

  it('finds nothing for signs, and takes operators of the index for words', async () => {
    const one = plain('one', { why: 'near not or and match' });
    for (const words of ['"', '*', '()', '-', '"unclosed', ':', "'; DROP TABLE words; --"])
      expect(await found([one], words), words).toEqual([]);
    for (const words of ['NEAR', 'NOT near', 'or and', 'near/2 match', 'why:match near'])
      expect(await found([one], words), words).toEqual(['one']);
  });

  it('finds words of other scripts', async () => {
    const one = plain('one', { title: '循环检测 fährt naïve' });
    for (const words of ['循环', 'fahrt', 'naive', 'FÄHRT']) expect(await found([one], words), words).toEqual(['one']);
  });

  it('without words lists what the filter lets through, newest first', async () => {
    const old = incident({ id: 'A', openedAt: T0 });
    const young = incident({ id: 'B', openedAt: T0 + MINUTE, agent: 'codex' });
    expect(await found([old, young], ' ')).toEqual(['B', 'A']);
    expect(await found([old, young], '', { agents: ['codex'] })).toEqual(['B']);
  });

  it('combines words with each filter', async () => {
    const all = [
      incident({ id: 'A', agent: 'codex' }),
      recovered({ id: 'B', folder: '/home/me/calc/sub' }),
      incident({ id: 'C', level: 'warn', stuckAt: null, detector: 'cycle', folder: '/else', openedAt: T0 + MINUTE }),
    ];
    const ids = async (filter: IncidentFilter) => (await found(all, 'pytest', filter)).toSorted().join('');
    expect(await ids({})).toBe('ABC');
    expect(await ids({ levels: ['warn'] })).toBe('C');
    expect(await ids({ detectors: ['repeating_action'] })).toBe('AB');
    expect(await ids({ agents: ['codex'] })).toBe('A');
    expect(await ids({ folders: ['/home/me/calc'] })).toBe('AB');
    expect(await ids({ endings: ['nudge'] })).toBe('B');
    expect(await ids({ endings: ['open'], levels: ['stuck'] })).toBe('A');
    expect(await ids({ until: T0 + 2 * MINUTE })).toBe('C');
  });

  it('finds a learning by its words, and with the filter of its incident', async () => {
    const learning = {
      id: 'A',
      at: T0,
      session: 's',
      agent: 'codex' as const,
      category: 'debugging' as const,
      title: 'Agent stuck: cycle on review',
      content: 'It read the wrong lockfile.',
      confidence: 'high' as const,
      sourceTask: 'Review',
      tags: ['stuck', 'cycle'],
      state: 'recovered' as const,
      tried: 'nudge' as const,
    };
    const catalogue = await catalogueOf({ incidents: [recovered({ id: 'A' })], learnings: [learning] });
    expect(catalogue.recall('lockfile', {})).toMatchObject([{ kind: 'learning', id: 'A', learning }]);
    expect(catalogue.recall('lockfile', { filter: { endings: ['nudge'] } })).toHaveLength(1);
    expect(catalogue.recall('lockfile', { filter: { endings: ['restart'] } })).toEqual([]);
  });

  it('finds exactly what is there, whatever was changed and deleted before', async () => {
    const operation = fc.tuple(
      fc.constantFrom('put', 'drop'),
      fc.integer({ min: 0, max: 9 }),
      fc.constantFrom('alpha', 'beta', 'gamma delta'),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { maxLength: 40 }), async (operations) => {
        const catalogue = await catalogueOf({});
        for (let pieces = 0; !catalogue.prepareSearch(); pieces++) expect(pieces).toBeLessThan(100);
        const expected = new Map<string, string>();
        operations.forEach(([what, number, title], time) => {
          const id = `I${number}`;
          if (what === 'put') {
            const one = plain(id, { key: id, title, updatedAt: T0 + time, reopened: time });
            catalogue.apply([{ k: 'incident', incident: one, stateAt: T0 + time, mute: null }]);
            expected.set(id, title);
          } else {
            catalogue.apply([{ k: 'remove', id, at: T0, reopened: time }]);
            expected.delete(id);
          }
        });
        for (const word of ['alpha', 'beta', 'gamma']) {
          const hits = new Set(catalogue.recall(word, { limit: 100 }).map(({ id }) => id));
          expect(hits).toEqual(new Set([...expected].filter(([, title]) => title.includes(word)).map(([id]) => id)));
        }
      }),
      { numRuns: 25 },
    );
  });
});

describe('the counts of the filters', () => {
  it('are of the incidents that are shown, the most frequent first', async () => {
    const catalogue = await catalogueOf({
      incidents: [
        incident({ agent: 'codex', folder: '/a' }),
        incident({ level: 'warn', folder: '/a' }),
        recovered({ folder: '/b' }),
      ],
    });
    expect(catalogue.facets({})).toEqual({
      level: [
        { value: 'stuck', count: 2 },
        { value: 'warn', count: 1 },
      ],
      ending: [
        { value: 'open', count: 2 },
        { value: 'nudge', count: 1 },
      ],
      detector: [{ value: 'repeating_action', count: 3 }],
      agent: [
        { value: 'claude-code', count: 2 },
        { value: 'codex', count: 1 },
      ],
      folder: [
        { value: '/a', count: 2 },
        { value: '/b', count: 1 },
      ],
    });
    expect(catalogue.facets({ levels: ['warn'] }).agent).toEqual([{ value: 'claude-code', count: 1 }]);
  });
});
