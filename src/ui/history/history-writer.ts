import type { Incident } from '../../model';
import { type Disposable, DisposableStore } from '../../util/disposable';
import type { Services } from '../services';

type Parts = Pick<Services, 'engine' | 'store' | 'log' | 'now'>;

/** Writes into the history what the engine sees: sessions, each change of an incident, and an event where its state or level changes. */
export function writeHistory(services: Parts): Disposable {
  const { engine, store } = services;
  const owned = new DisposableStore();
  owned.add(engine.onDidChangeIncident(({ incident, before }) => writeIncident(services, incident, before)));
  owned.add(
    engine.onDidChange((sessions) => {
      for (const session of sessions) {
        const view = engine.shownAgent(session);
        // The history compares stuck sessions with all that were watched.
        if (view)
          store.sawSession({
            agent: view.agent,
            session: view.session,
            firstAt: view.health.startedAt,
            lastAt: view.health.lastEventAt,
            ...(view.model !== undefined && { model: view.model }),
            ...(view.role !== undefined && { role: view.role }),
            ...(view.cwd !== undefined && { folder: view.cwd }),
          });
      }
    }),
  );
  return owned;
}

function writeIncident({ store, log, now }: Parts, incident: Incident, before: Incident | null): void {
  store.save(incident).catch((error: unknown) => log.warn(`an incident could not be kept: ${String(error)}`));
  if (!isTurn(incident, before)) return;
  const { id, session, agent, detector, level, state, count } = incident;
  store
    .appendEvent({
      t: now(),
      type: 'Observation',
      session,
      agent,
      incident: id,
      data: { detector, level, state, count },
    })
    .catch((error: unknown) => log.warn(`the event log could not be written: ${String(error)}`));
}

/** Is the incident new, or did its state or level change? Its count alone changes many times. */
export function isTurn(incident: Incident, before: Incident | null): boolean {
  return before === null || before.state !== incident.state || before.level !== incident.level;
}
