import type { Incident } from '../../core/model';
import type { IncidentStore } from '../../history/types';
import { type Disposable, DisposableStore } from '../../base/util/disposable';
import type { Log } from '../../base/util/log';
import type { Engine } from '../engine';
import type { ScannedSession } from '../scan';
import { seenOf } from './seen';
import { foldSilences, isFolded } from './silences';
import { storyOf } from './story';

export interface KeepParts {
  readonly engine: Pick<Engine, 'onDidChange' | 'onDidChangeIncident' | 'shownAgent' | 'session'>;
  readonly store: Pick<IncidentStore, 'save' | 'appendEvent' | 'sawSession'>;
  readonly log: Log;
}

/** Writes what the engine sees into the history: sessions, each change of an incident, and everything worth an event. */
export function keepHistory({ engine, store, log }: KeepParts): Disposable {
  const owned = new DisposableStore();
  const save = (incident: Incident) => {
    store.save(incident).catch((error: unknown) => log.warn(`an incident could not be kept: ${String(error)}`));
  };
  owned.add(
    engine.onDidChangeIncident(({ incident, before, session }) => {
      // The first silence of a session is kept as it is; later ones are folded into it once they are over.
      if (incident.detector === 'stall') {
        const silences = (engine.session(session)?.book.all() ?? []).filter(isFolded);
        const isLater = silences.some(({ openedAt, id }) => openedAt < incident.openedAt && id !== incident.id);
        if (!isLater || isFolded(incident)) for (const one of foldSilences(isLater ? silences : [incident])) save(one);
        else if (incident.attempts.length > 0 || incident.state === 'muted') save(incident);
      } else save(incident);
      for (const event of storyOf(incident, before)) {
        store
          .appendEvent(event)
          .catch((error: unknown) => log.warn(`the event log could not be written: ${String(error)}`));
      }
    }),
  );
  owned.add(
    engine.onDidChange((sessions) => {
      for (const session of sessions) {
        const view = engine.shownAgent(session);
        // The history compares stuck sessions with all watched ones.
        if (view) store.sawSession(seenOf(view));
      }
    }),
  );
  return owned;
}

/**
 * Writes a session that was read from beginning to end. What is still open there is over, because it is not followed. Resolves once all of it is on
 * disk.
 */
export async function keepScanned(
  store: Pick<IncidentStore, 'save' | 'appendEvent' | 'sawSession'>,
  scanned: Pick<ScannedSession, 'incidents' | 'whole'>,
): Promise<void> {
  const incidents = foldSilences(scanned.incidents.map((incident) => ended({ ...incident, history: true })));
  store.sawSession(scanned.whole);
  await Promise.all(
    incidents.flatMap((incident) => [
      store.save(incident),
      ...storyOf(incident, null).map((event) => store.appendEvent(event)),
    ]),
  );
}

/** Ends an incident that a transcript left open. */
function ended(incident: Incident): Incident {
  return incident.resolvedAt === null
    ? { ...incident, state: 'ended', cleared: 'session_end', resolvedAt: incident.updatedAt }
    : incident;
}
