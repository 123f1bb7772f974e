import type { Incident } from '../../core/model';
import { withdrawMessage } from '../../agents/inbox/messages/waiting';
import { decideAutomatic, limitOf } from '../decisions/automatic';
import { canBrake } from '../brakes';
import type { AutomaticMode, Decision } from '../decisions/decision';
import type { LedgerEntry, LimitReached } from '../decisions/limits';
import { planOutlook } from '../decisions/plan-items';
import type { StoreEvent } from '../../history/types';
import type { Disposable } from '../../base/util/disposable';
import { EarliestTimer } from '../../engine/follow/earliest-timer';
import type { Actor } from './actor';
import type { Cases } from './cases';
import type { Case, RecoveryParts } from './ports';

/** Sessions change often; they are judged this long after a change, milliseconds. */
const SOON_MS = 50;
/** Delay before a failed action (a full disk, no git) is tried again, milliseconds. */
const PAUSE_MS = 60_000;

/** Automatic mode and brakes: decides about all incidents when something changed or a countdown ends, and carries out each decision once. */
export class Automatic implements Disposable {
  private readonly held = new Set<string>();
  /** Incidents for which something went wrong, or on which another window acts, with the time until which they are left alone. */
  private readonly paused = new Map<string, number>();
  /** Attempts by their message. An attempt of this window arrives a second time with the event log; the two times differ. */
  private ledger: Map<string, LedgerEntry> | null = null;
  /**
   * Incidents with an action under way, each with its attempt; null if the action is no attempt. It counts for all other incidents, or two agents
   * that get stuck together would both get the last one.
   */
  private readonly underWay = new Map<string, LedgerEntry | null>();
  private loading = false;
  private readonly alarm: EarliestTimer;
  private readonly since: number;
  private stopped = false;

  constructor(
    private readonly parts: RecoveryParts,
    private readonly cases: Cases,
    private readonly actor: Actor,
    private readonly changed: () => void,
  ) {
    this.since = parts.clock.now();
    this.alarm = new EarliestTimer(parts.clock, () => this.evaluate());
  }

  hold(incident: string, on: boolean): void {
    if (on) this.held.add(incident);
    else this.held.delete(incident);
    this.soon();
  }

  isHeld(incident: string): boolean {
    return this.held.has(incident);
  }

  /** Called when something changed. */
  soon(): void {
    if (!this.stopped && this.mayAct) this.alarm.at(this.parts.clock.now() + SOON_MS);
  }

  /** Returns the action it would take on an incident now. */
  decide(found: Case): Decision {
    return decideAutomatic(this.cases.facts(found), this.mode(found.incident));
  }

  /** Returns the limit that keeps it from acting on an incident; null if none does, or if the past has not been read yet. */
  limit(found: Case): LimitReached | null {
    return this.ledger ? limitOf(this.cases.facts(found), this.mode(found.incident)) : null;
  }

  /** True once attempts of other windows are counted. Until then all of them are read at once, when they are first needed. */
  get keepsLedger(): boolean {
    return this.ledger !== null;
  }

  /** Adds attempts that another window made. */
  learn(events: readonly StoreEvent[]): void {
    if (!this.ledger) return;
    for (const event of events) {
      const entry = entryOf(event);
      if (entry) this.ledger.set(messageOf(event), entry);
    }
    const oldest = this.parts.clock.now() - this.parts.settings().limits.windowMs;
    for (const [message, entry] of this.ledger) if (entry.at <= oldest) this.ledger.delete(message);
  }

  dispose(): void {
    this.stopped = true;
    this.alarm.dispose();
  }

  /** True if automatic mode is on, or a folder has a brake. */
  private get mayAct(): boolean {
    const { automatic, brakes } = this.parts.settings();
    return automatic || this.parts.folders().some((folder) => canBrake(brakes(folder)));
  }

  /** Withdraws blocks that wait in vain: a brake blocks the next call in a row, and no later one. */
  private withdrawIdle(): void {
    const { engine, clock, log } = this.parts;
    for (const view of engine.agents()) {
      const root = this.cases.rootFolder(view);
      if (root === null) continue;
      for (const message of this.cases.idleBlocks(view)) {
        void withdrawMessage(root, view.session, message, clock.now()).then(
          () => engine.mailChanged(view.session),
          (error: unknown) => log.warn(`a block was not withdrawn: ${String(error)}`),
        );
      }
    }
  }

  private mode(incident: Incident): AutomaticMode {
    const { automatic } = this.parts.settings();
    // The limits of an incident continue in a session that took over: they are counted under the first one.
    const first = this.cases.caseOf(incident);
    const root = this.cases.rootOf(incident.session);
    const own = (entry: LedgerEntry): LedgerEntry => ({
      ...entry,
      incident: entry.incident === first ? incident.id : entry.incident,
      session: entry.session === root ? incident.session : entry.session,
    });
    const others = [...this.underWay].flatMap(([id, entry]) => (id === incident.id || entry === null ? [] : [entry]));
    const ledger = [...(this.ledger?.values() ?? []), ...others].map(own);
    return { on: automatic, held: this.held.has(incident.id), since: this.since, ledger };
  }

  private evaluate(): void {
    if (this.stopped || !this.mayAct) return;
    this.withdrawIdle();
    if (!this.ledger) return void this.load();
    let next = Number.POSITIVE_INFINITY;
    for (const found of this.cases.active()) {
      const { incident } = found;
      if (this.underWay.has(incident.id)) continue;
      const paused = this.paused.get(incident.id) ?? 0;
      if (paused > this.parts.clock.now()) {
        next = Math.min(next, paused);
        continue;
      }
      const decision = this.decide(found);
      if (decision.do === 'wait') next = Math.min(next, decision.until ?? next);
      else if (decision.do !== 'nothing') void this.run(found, decision);
    }
    this.alarm.at(next);
    this.changed();
  }

  private async run(found: Case, decision: Decision): Promise<void> {
    const { id } = found.incident;
    const isAttempt = decision.do !== 'ask' && decision.do !== 'checkpoint';
    this.underWay.set(id, isAttempt ? this.entry(found) : null);
    try {
      const stillWanted = () => {
        const now = this.cases.find(id);
        return now !== undefined && this.decide(now).do === decision.do;
      };
      const acted = await this.actor.perform(found, decision, { automated: true, stillWanted });
      if (!acted.ok) {
        if (acted.error.code !== 'not_possible') this.paused.set(id, this.parts.clock.now() + PAUSE_MS);
        this.parts.log.info(`automatic mode did not ${decision.do}: ${acted.error.message}`);
      } else if (acted.value.kind === 'sent') this.ledger?.set(acted.value.delivery.message.id, this.entry(found));
    } catch (error) {
      this.paused.set(id, this.parts.clock.now() + PAUSE_MS);
      this.parts.log.warn(`automatic mode failed: ${String(error)}`);
    } finally {
      this.underWay.delete(id);
      // Not at once: an action that failed now is tried again when something changes, or a little later.
      if (!this.stopped) this.alarm.at(this.parts.clock.now() + 5_000);
      this.changed();
    }
  }

  /** Returns the ledger entry of an attempt made now. */
  private entry({ incident, view }: Case): LedgerEntry {
    return {
      at: this.parts.clock.now(),
      incident: this.cases.caseOf(incident),
      session: this.cases.rootOf(incident.session),
      planItem: planOutlook(view.plan).stuckOn?.id ?? null,
    };
  }

  private async load(): Promise<void> {
    if (this.loading) return;
    this.loading = true;
    const { store, clock, settings, log } = this.parts;
    try {
      const events = await store.events({ type: 'Recovery', since: clock.now() - settings().limits.windowMs });
      this.ledger = new Map();
      this.learn(events);
    } catch (error) {
      // Without the past, limits would be empty promises: automatic mode waits until it can be read.
      log.warn(`the event log could not be read: ${String(error)}`);
    } finally {
      this.loading = false;
      if (this.ledger) this.soon();
      else if (!this.stopped) this.alarm.at(clock.now() + 60_000);
    }
  }
}

function messageOf({ id, data }: StoreEvent): string {
  return typeof data['message'] === 'string' ? data['message'] : id;
}

function entryOf({ t, data, incident, session }: StoreEvent): LedgerEntry | null {
  if (data['automated'] !== true || (data['result'] !== 'sent' && data['result'] !== 'started')) return null;
  const text = (name: string, fallback: string) => (typeof data[name] === 'string' ? data[name] : fallback);
  const planItem = data['planItem'];
  return {
    at: t,
    incident: text('case', incident ?? ''),
    session: text('root', session),
    planItem: typeof planItem === 'string' ? planItem : null,
  };
}
