import * as vscode from 'vscode';
import type { GateEngine, GateParts } from '../../recover/gates/ports';
import { type BlockingEvent, blockingEvent } from '../../recover/gates/blocking-event';
import { gatePlace } from '../../recover/gates/place';
import { QualityGates, adviceOf } from '../../recover/gates/quality-gates';
import { systemProcesses } from '../../base/processes/system';
import type { GateReport } from '../../core/model';
import type { Disposable } from '../../base/util/disposable';
import type { Services } from '../services';
import { Agreements } from './agreements';
import { GateConsent } from './consent';
import { GatesUi } from './gates';

/** Builds the quality gates over the editor's trust, settings and consents, and the actions of a person on them. */
export function createGates(
  services: Services,
  agents: Pick<GateParts, 'holds' | 'mostRefused'>,
): Disposable & { readonly ui: GatesUi; configure(): void } {
  const { engine, store, settings, folders, log, now } = services;
  const agreements = new Agreements(services.context.workspaceState, () => settings().gates);
  const consent = new GateConsent(agreements);
  const gates = new QualityGates({
    ...agents,
    engine: logged(engine, (session, report) => {
      const view = engine.agent(session);
      if (!view) return;
      const { agent } = view;
      agreements
        .gatesOf(gatePlace(view, folders())?.root ?? report.folder)
        .then(({ gates: agreed }) => gateEvent(report, blockingEvent(report, adviceOf(agreed))))
        .then((data) => store.appendEvent({ t: report.startedAt, type: 'Gate', session, agent, data }))
        .catch((error: unknown) => log.warn(`the event log could not be written: ${String(error)}`));
    }),
    processes: systemProcesses(folders),
    now,
    log,
    settings: () => ({ ...settings().gates, onCompletion: settings().gates.when === 'on_completion' }),
    folders,
    isTrusted: () => vscode.workspace.isTrusted,
    gatesOf: (folder) => agreements.gatesOf(folder),
    notAgreed: (folder) => void consent.notifyChanged(folder),
    claim: ({ agent, session }, what) => store.claim({ agent, session, key: 'gates' }, what),
    sent: ({ agent, session }, report, message, automated) => {
      const data = { action: 'gate', message, attempt: report.attempt, automated };
      store
        .appendEvent({ t: now(), type: 'Recovery', session, agent, data })
        .catch((error: unknown) => log.warn(`the event log could not be written: ${String(error)}`));
    },
    pid: process.pid,
  });
  const ui = new GatesUi(services, gates, agreements, consent);
  return {
    ui,
    configure: () => gates.configure(),
    dispose: () => {
      ui.dispose();
      gates.dispose();
    },
  };
}

/** Wraps the engine so that each finished run is reported once, however often its report is shown. */
function logged(engine: GateEngine, over: (session: string, report: GateReport) => void): GateEngine {
  const reported = new Map<string, number>();
  return {
    onDidSignalGates: (listener) => engine.onDidSignalGates(listener),
    agent: (session) => engine.agent(session),
    session: (session) => engine.session(session),
    showGates(session, report) {
      engine.showGates(session, report);
      if (report.endedAt === null || reported.get(session) === report.startedAt) return;
      reported.set(session, report.startedAt);
      over(session, report);
    },
    judge: (session, run) => engine.judge(session, run),
    turnEnds: (session, at) => engine.turnEnds(session, at),
    changeIncident: (id, input) => engine.changeIncident(id, input),
    mailChanged: (session) => engine.mailChanged(session),
  };
}

/** `blocking` says why the claim was not accepted, in the words that the agent gets; null if no gate failed. */
function gateEvent(
  { verdict, cause, claim, attempt, startedAt, endedAt, results }: GateReport,
  blocking: BlockingEvent | null,
) {
  const { originalRequest, blockedBy, summary, details, suggestions } = blocking ?? {};
  return {
    ...(blocking && { originalRequest, blockedBy, summary, details, suggestions }),
    verdict,
    cause,
    claim,
    attempt,
    ms: (endedAt ?? startedAt) - startedAt,
    gates: results.map(({ name, status, summary, reason }) => ({ name, status, summary: summary || reason })),
  };
}
