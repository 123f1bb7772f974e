import type { Incident } from '../../model';
import { createBreather } from '../breathe';
import { allIncidents, clusterOf, findIncident } from '../contents/contents';
import { exportJson, exportMarkdown } from '../export';
import type { Memory } from '../contents/memory';
import { filterEvents, filterIncidents, filterLearnings } from './query';
import { helpedBefore, incidentTexts, learningTexts } from './recall';
import { createRecallIndex } from './recall-index';
import { statisticsOf } from './statistics';
import type { IncidentStore, RecallHit } from '../types';

/** The questions that a store answers, once `load` has brought in what is on disk. */
export type Answers = Pick<
  IncidentStore,
  'incidents' | 'events' | 'learnings' | 'recall' | 'helpedBefore' | 'statistics' | 'exportIncident'
>;

const MOST_HITS = 20;

export function createAnswers(memory: Memory, load: () => Promise<void>, now: () => number): Answers {
  const { contents } = memory;
  const index = createRecallIndex();

  async function refreshIndex(): Promise<void> {
    const breather = createBreather();
    for (const document of memory.staleDocuments()) {
      const id = document.slice(document.indexOf(':') + 1);
      if (document.startsWith('incident:')) {
        const incident = findIncident(contents, id);
        // The incident that two windows opened is one document.
        if (incident?.id === id) index.put(document, incidentTexts(incident));
        else index.drop(document);
      } else {
        const learning = contents.learnings.get(id);
        if (learning) index.put(document, learningTexts(learning));
        else index.drop(document);
      }
      const pause = breather.breathe();
      if (pause) await pause;
    }
  }

  function hitOf(document: string, score: number, matched: readonly string[]): RecallHit | undefined {
    const id = document.slice(document.indexOf(':') + 1);
    if (document.startsWith('incident:')) {
      const incident = findIncident(contents, id);
      return incident && { kind: 'incident', id, score, matched, incident };
    }
    const learning = contents.learnings.get(id);
    return learning && { kind: 'learning', id, score, matched, learning };
  }

  function learningFor(incident: Incident) {
    for (const id of clusterOf(contents, incident.id)?.ids ?? [incident.id]) {
      const learning = contents.learnings.get(id);
      if (learning) return learning;
    }
    return undefined;
  }

  return {
    async incidents(filter) {
      await load();
      return filterIncidents(allIncidents(contents), filter);
    },
    async events(filter) {
      await load();
      return filterEvents(contents.events.values(), filter);
    },
    async learnings(filter) {
      await load();
      return filterLearnings(contents.learnings.values(), filter);
    },
    async recall(words, limit = MOST_HITS) {
      await load();
      await refreshIndex();
      const hits = index.search(words, limit);
      return hits.flatMap(({ key, score, matched }) => hitOf(key, score, matched) ?? []);
    },
    async helpedBefore(incident) {
      await load();
      return helpedBefore(incident, allIncidents(contents));
    },
    async statistics(range) {
      await load();
      return statisticsOf(allIncidents(contents), contents.sessions.values(), range, now());
    },
    async exportIncident(id, format) {
      await load();
      const cluster = clusterOf(contents, id);
      if (!cluster) return undefined;
      const { view: incident, ids } = cluster;
      const events = ids
        .flatMap((one) => filterEvents(contents.events.values(), { incident: one }))
        .sort((a, b) => a.t - b.t);
      const exported = { incident, learning: learningFor(incident), events };
      return format === 'json' ? exportJson(exported) : exportMarkdown(exported);
    },
  };
}
