import { TaskLoop, type TaskLoopOptions } from '../core/task-loop';
import { validateJsonResponse, validateToolCall } from '../base/schema/validate';
import type { AgentState, DetectorId, Evidence, Incident, Level, ReasonCode } from '../core/model';
import type { Engine } from '../engine/engine';
import type { Disposable } from '../base/util/disposable';

/** Status of a session in the exported API. */
export interface StuckStatus {
  readonly stuck: boolean;
  readonly level: Level | null;
  readonly detector?: DetectorId;
  readonly reason?: ReasonCode;
  /** 0..1 */
  readonly confidence: number;
  readonly evidence: readonly Evidence[];
  readonly suggestion: string;
}

/** One recovery of an incident: what was sent, and its state. */
export interface RecoveryEvent {
  readonly incident: string;
  readonly kind: Incident['attempts'][number]['kind'];
  readonly attempt: number;
  readonly state: Incident['attempts'][number]['state'];
  readonly outcome?: 'changed' | 'same';
  readonly recovered: boolean;
}

type ApiEngine = Pick<Engine, 'agent' | 'onDidChangeIncident'>;

/** The object that `activate` returns to other extensions. */
export interface UnstuckApi extends ReturnType<typeof toolsOf> {
  readonly version: string;
  /** Lets the caller's listeners hear of this session again. Without any call they hear of all sessions. */
  monitor(session: string): void;
  /** Stops the caller's listeners from hearing of this session. Listeners of other callers are not affected. */
  stopMonitoring(session: string): void;
  isStuck(session: string): StuckStatus;
  onStuck(listener: (session: string, status: StuckStatus) => void): Disposable;
  onRecovery(listener: (session: string, recovery: RecoveryEvent) => void): Disposable;
}

/** States of an agent that has not left its loop. An open incident alone does not show that: the person may have answered since. */
const IN_TROUBLE: ReadonlySet<AgentState['kind']> = new Set(['stuck', 'escalated', 'recovering']);

const FREE: StuckStatus = { stuck: false, level: null, confidence: 0, evidence: [], suggestion: '' };

/** Returns functions for extensions that run an agent loop of their own. They do not depend on the editor. */
function toolsOf(now: () => number) {
  return {
    createTaskLoop: (options: Omit<TaskLoopOptions, 'now'> = {}) => new TaskLoop({ ...options, now }),
    validateToolCall,
    validateJsonResponse,
  };
}

/**
 * @param now milliseconds since the epoch
 * @param caller returns the extension that is calling at this moment, since VS Code hands one object to all extensions
 */
export function createApi(
  engine: ApiEngine,
  version: string,
  now: () => number,
  caller: () => string = () => '',
): UnstuckApi {
  const byCaller = new Map<string, Set<string>>();
  /** Sessions of which the caller no longer wants to hear. */
  const silencedByCaller = (): Set<string> => {
    const name = caller();
    const known = byCaller.get(name) ?? new Set<string>();
    byCaller.set(name, known);
    return known;
  };
  return {
    ...toolsOf(now),
    version,
    monitor: (session) => void silencedByCaller().delete(session),
    stopMonitoring: (session) => void silencedByCaller().add(session),
    isStuck: (session) => {
      const view = engine.agent(session);
      const status = statusOf(view?.incidents.find((incident) => incident.state !== 'muted'));
      return { ...status, stuck: status.stuck && view !== undefined && IN_TROUBLE.has(view.state.kind) };
    },
    onStuck: (listener) => {
      const silenced = silencedByCaller();
      return engine.onDidChangeIncident(({ incident, before, session }) => {
        const became = incident.stuckAt !== null && (before?.stuckAt ?? null) === null;
        if (became && !incident.history && incident.state !== 'muted' && !silenced.has(session))
          listener(session, statusOf(incident));
      });
    },
    onRecovery: (listener) => {
      const silenced = silencedByCaller();
      return engine.onDidChangeIncident(({ incident, before, session }) => {
        if (silenced.has(session)) return;
        const last = incident.attempts.at(-1);
        const known = before?.attempts.find((attempt) => attempt.message === last?.message);
        const recovered = incident.state === 'recovered';
        const same =
          known?.state === last?.state &&
          known?.outcome === last?.outcome &&
          (before?.state === 'recovered') === recovered;
        if (!last || same) return;
        const { kind, attempt, state, outcome } = last;
        listener(session, { incident: incident.id, kind, attempt, state, recovered, ...(outcome && { outcome }) });
      });
    },
  };
}

function statusOf(incident: Incident | undefined): StuckStatus {
  if (!incident) return FREE;
  const { level, detector, reason, confidence, evidence, suggestion } = incident;
  return { stuck: level === 'stuck', level, detector, reason, confidence, evidence, suggestion };
}
