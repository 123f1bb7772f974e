import type { AgentView } from '../../core/model';
import type { Disposable } from '../../base/util/disposable';
import type { Log } from '../../base/util/log';
import {
  agentStateKey,
  encode,
  encodeAgent,
  type FleetAction,
  HEARTBEAT_MS,
  type MachineRecord,
  machineStateKey,
  RENEW_MS,
  sessionKey,
} from '../wire';
import type { RecordHead } from '../wire/record';
import type { Clock } from '../../base/clock';
import type { RelayAgents, RelayLink } from './ports';

/** Shortest interval at which mere counters (calls, times, tokens) are published, milliseconds; anything urgent is published at once. */
const COUNTERS_MS = 5_000;
const AT_A_TIME = 16;
const RETRY_MS = 1_000;

export interface StatesParts {
  readonly link: Pick<RelayLink, 'isUp' | 'putState' | 'removeState'>;
  readonly agents: RelayAgents;
  readonly machine: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Returns the next head and counts up its `n`. */
  readonly head: () => RecordHead;
  readonly accepts: (view: AgentView) => readonly FleetAction[];
  readonly heartbeat: (head: RecordHead) => MachineRecord;
}

interface Published {
  /** The urgent fields, as text. */
  readonly urgent: string;
  /** The whole record except its head. */
  readonly rest: string;
  readonly at: number;
}

/**
 * Keeps the bucket in step with the agents: a state is written when it changed, at once if it matters, otherwise every 5 s; it is removed when the
 * agent is no longer shown. Writing again is harmless, so whatever the server did not confirm is simply written again.
 */
export class States implements Disposable {
  private readonly published = new Map<string, Published>();
  /** When each session is to be written, milliseconds since the epoch. */
  private readonly due = new Map<string, number>();
  private readonly sending = new Set<string>();
  private timer: { readonly at: number; readonly timer: Disposable } | undefined;
  private beating: Disposable | undefined;
  private active = false;
  private failing = false;

  constructor(private readonly parts: StatesParts) {}

  /** Starts, or starts again after the connection was gone: everything is written. */
  start(): void {
    this.active = true;
    this.published.clear();
    for (const view of this.parts.agents.agents()) this.due.set(view.session, 0);
    this.beat();
    this.pump();
  }

  /** Writes nothing until it is started again. */
  stop(): void {
    this.active = false;
    this.due.clear();
    this.beating?.dispose();
    this.timer?.timer.dispose();
    this.timer = undefined;
  }

  changed(sessions: readonly string[]): void {
    if (!this.active) return;
    const now = this.parts.clock.now();
    for (const session of sessions) {
      const view = this.parts.agents.shownAgent(session);
      const before = this.published.get(session);
      if (!view && !before && !this.sending.has(session)) continue;
      const isUrgent = !view || !before || this.urgentOf(view) !== before.urgent;
      const at = isUrgent ? now : (before?.at ?? now) + COUNTERS_MS;
      this.due.set(session, Math.min(at, this.due.get(session) ?? at));
    }
    this.pump();
  }

  /** Sends the last heartbeat, which says that the relay ended. */
  async end(): Promise<void> {
    const wasActive = this.active;
    this.stop();
    if (!wasActive || !this.parts.link.isUp()) return;
    const encoded = encode({ ...this.parts.heartbeat(this.parts.head()), stopped: true });
    if (encoded.ok) await this.parts.link.putState(machineStateKey(this.parts.machine), encoded.value);
  }

  dispose(): void {
    this.stop();
  }

  private beat(): void {
    this.beating?.dispose();
    if (!this.active) return;
    const { clock, link, machine } = this.parts;
    this.beating = clock.after(HEARTBEAT_MS, () => this.beat());
    if (!link.isUp()) return;
    const encoded = encode(this.parts.heartbeat(this.parts.head()));
    if (encoded.ok) void link.putState(machineStateKey(machine), encoded.value);
    this.renew();
  }

  /** Writes records again that have not changed for hours, before the server forgets them. */
  private renew(): void {
    const before = this.parts.clock.now() - RENEW_MS;
    for (const [session, { at }] of this.published)
      if (at <= before && !this.due.has(session)) this.due.set(session, 0);
    this.pump();
  }

  private pump(): void {
    if (!this.active || !this.parts.link.isUp()) return;
    const now = this.parts.clock.now();
    let next = Number.POSITIVE_INFINITY;
    for (const [session, at] of this.due) {
      if (this.sending.has(session)) continue;
      if (at > now) next = Math.min(next, at);
      else if (this.sending.size < AT_A_TIME) {
        this.due.delete(session);
        this.sending.add(session);
        void this.send(session).finally(() => {
          this.sending.delete(session);
          this.pump();
        });
      } else return;
    }
    if (next < (this.timer?.at ?? Number.POSITIVE_INFINITY)) this.wake(next, next - now);
  }

  private wake(at: number, milliseconds: number): void {
    this.timer?.timer.dispose();
    const timer = this.parts.clock.after(milliseconds, () => {
      this.timer = undefined;
      this.pump();
    });
    this.timer = { at, timer };
  }

  private async send(session: string): Promise<void> {
    const { agents, link, machine, clock, log } = this.parts;
    const view = agents.shownAgent(session);
    const key = agentStateKey(machine, sessionKey(session));
    if (!view) {
      const removed = await link.removeState(key);
      if (removed.ok) this.published.delete(session);
      else this.again(session);
      return;
    }
    const before = this.published.get(session);
    const encoded = encodeAgent(view, this.parts.head(), this.parts.accepts(view));
    if (!encoded.ok) return log.warn(`${session}: its state cannot be sent (${encoded.error})`);
    const { run: _run, n: _n, at: _at, ...rest } = encoded.value.record;
    const text = JSON.stringify(rest);
    const now = clock.now();
    if (before?.rest === text && now - before.at < RENEW_MS) return;
    const put = await link.putState(key, encoded.value.bytes);
    if (put.ok) {
      this.failing = false;
      this.published.set(session, { urgent: this.urgentOf(view), rest: text, at: now });
      return;
    }
    if (!this.failing) log.warn(`a state was not stored (${put.error}); it is tried again`);
    this.failing = true;
    this.again(session);
  }

  private again(session: string): void {
    if (this.active) this.due.set(session, this.parts.clock.now() + RETRY_MS);
  }

  private urgentOf(view: AgentView): string {
    const { state, incidents, deliveries, usageLimit } = view;
    return JSON.stringify([
      state.kind,
      state.since,
      state.waitingFor,
      state.ended,
      state.interrupted,
      incidents.map(({ id, state, level, count, attempts }) => [id, state, level, count, attempts.length]),
      deliveries.slice(-10).map(({ message, state, outcome }) => [message.id, state, outcome]),
      usageLimit?.since,
      this.parts.accepts(view),
    ]);
  }
}
