import * as vscode from 'vscode';
import { panelSnapshot } from '../panel-model/build';
import type { PanelSnapshot } from '../panel-model/snapshot';
import { setContext } from '../context-keys';
import type { Services } from '../services';
import type { PanelParts } from './parts';
import { markersOf, newestSubjects, stepsOf } from './snapshot';
import { type ShownSubject, type Subject, incidentsOf } from './subject';

/** Gathers the state of the engine and the window into a snapshot for the page. */
export function snapshotNow(
  shown: ShownSubject,
  subject: Subject,
  { agents, store, now }: Services,
  parts: Pick<PanelParts, 'configuration' | 'controls'>,
): PanelSnapshot {
  const { view, past, incident } = subject;
  const { messages, recovery: recovers } = parts.controls(view);
  const timeline = agents.timeline(shown.session);
  const steps = stepsOf(timeline);
  // The agent has ended: it can receive no message and cannot be restarted.
  const recovery = past ? undefined : recovers.shown(view, incident);
  const helpedBefore = recovery && recovers.helpedBefore(view, incident);
  return panelSnapshot({
    view,
    steps,
    subjects: newestSubjects(timeline),
    markers: markersOf(timeline, steps.from),
    reports: agents.reportsOf(shown.session),
    past: incidentsOf(shown, subject, agents),
    ...(shown.incident !== undefined && { chosen: shown.incident }),
    flags: {
      restricted: !vscode.workspace.isTrusted,
      paused: parts.configuration.isPaused,
      gone: view.deleted,
      ...(past && { past: true }),
      storeLocked: store.status().mode !== 'ready',
    },
    surface: past ? null : recovers.surfaceOf(view),
    closing: recovers.waitsForClose(view),
    draft: messages.draft(view),
    reach: messages.reach(view),
    connected: messages.isConnected(view),
    notTested: messages.notTested(view),
    ...(recovery && { recovery }),
    ...(helpedBefore && { helpedBefore }),
    now: now(),
  });
}

/** Sets the context keys that decide which commands VS Code offers for the panel. */
export function setPanelContext({ view, incident }: Subject, { controls }: Pick<PanelParts, 'controls'>): void {
  const { recovery } = controls(view);
  setContext('unstuck.panelSurface', recovery.surfaceOf(view) !== null);
  setContext('unstuck.panelCloses', recovery.waitsForClose(view));
  if (incident) setContext('unstuck.evidenceSeen', true);
}
