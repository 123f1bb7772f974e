import type { Incident } from '../../core/model';
import type { CataloguePort } from '../catalogue/port';
import { allIncidents } from '../contents/contents';
import type { Memory } from '../contents/memory';
import { exportJson, exportMarkdown } from '../export';
import { FACET_KINDS, type Facets, type IncidentStore } from '../types';
import { filterEvents, filterIncidents, shownLearnings } from './query';
import { MOST_SIMILAR, helpedBefore } from './recall';

/** The queries that a store answers, once `load` has read what is on disk. */
export type Answers = Pick<
  IncidentStore,
  'incidents' | 'facets' | 'events' | 'learnings' | 'recall' | 'helpedBefore' | 'statistics' | 'exportIncident'
>;

export interface AnswerParts {
  readonly memory: Memory;
  readonly catalogue: CataloguePort;
  /** Resolves to whether the catalogue can be queried. */
  readonly load: () => Promise<boolean>;
  /** Called when the catalogue failed to answer. */
  readonly onProblem: (error: unknown) => void;
  readonly now: () => number;
}

/** Queries the catalogue; if that is impossible, answers from this window's memory. */
export function createAnswers({ memory, catalogue, load, onProblem, now }: AnswerParts): Answers {
  const { contents } = memory;

  async function query<T>(question: () => Promise<T>, without: () => T): Promise<T> {
    if (!(await load())) return without();
    try {
      return await question();
    } catch (error) {
      onProblem(error);
      return without();
    }
  }

  const known = (): readonly Incident[] => [...allIncidents(contents)];

  return {
    incidents: (filter = {}) =>
      query(
        () => catalogue.incidents(filter),
        () => filterIncidents(known(), filter),
      ),
    facets: (filter = {}) =>
      query(
        () => catalogue.facets(filter),
        () => Object.fromEntries(FACET_KINDS.map((kind) => [kind, []])) as unknown as Facets,
      ),
    events: (filter = {}) =>
      query(
        () => catalogue.events(filter),
        () => filterEvents(contents.events.values(), filter),
      ),
    learnings: () =>
      query(
        () => catalogue.learnings(),
        () => shownLearnings(contents.learnings.values()),
      ),
    recall: (words, options = {}) =>
      query(
        () => catalogue.recall(words, options),
        () => [],
      ),
    helpedBefore: (incident) =>
      query(
        async () => {
          const { incidents, learnings } = await catalogue.alike(incident, MOST_SIMILAR);
          return helpedBefore(incident, incidents, (id) => learnings.find((one) => one.id === id) ?? null);
        },
        () => helpedBefore(incident, known()),
      ),
    async statistics(range) {
      const figures = await query(
        () => catalogue.statistics(range, now()),
        () => null,
      );
      if (!figures) throw new Error('The statistics need the database, which could not be loaded.');
      return figures;
    },
    async exportIncident(id, format) {
      const file = await query(
        () => catalogue.file(id),
        () => null,
      );
      if (!file) return undefined;
      const { incident, learning, events } = file;
      const exported = { incident, learning: learning ?? undefined, events };
      return format === 'json' ? exportJson(exported) : exportMarkdown(exported);
    },
  };
}
