import type { SeenBefore } from '../seen-before';
import { launchModes, moreThinking } from '../../agents/launch';
import { inboxRoot } from '../../agents/inbox';
import {
  hasFailed,
  heightOf,
  isActive,
  type AgentView,
  type Incident,
  type InboxMessage,
  repeatsIn,
} from '../../core/model';
import { callSignature } from '../../base/util/canonical';
import { type ExactCall, canBlock } from '../drafts/block-call';
import type { AgentSituation, RecoveryFacts } from '../decisions/decision';
import type { MessageSituation } from '../decisions/reach';
import { type Brakes, readBrakes } from '../brakes';
import type { ProgressFacts } from '../drafts/progress-summary';
import { planOutlook } from '../decisions/plan-items';
import { messageSituation } from '../decisions/message-situation';
import type { Case, RecoveryParts } from './ports';

/** Number of the newest steps that are searched for changes. */
const CHANGES_LOOKED_AT = 400;

/** Gathers what is known of an incident: its session, the sessions it comes from, its plan, its work. */
export class Cases {
  /** Sessions that took over, by id: which session they replaced, and for which incident. */
  private readonly successors = new Map<string, { readonly session: string; readonly incident: string }>();

  constructor(private readonly parts: RecoveryParts) {}

  /** Returns the incident as it is now; undefined if no session remembers it. */
  find(id: string): Case | undefined {
    const { engine } = this.parts;
    for (const view of engine.agents()) {
      const incident = engine.session(view.session)?.book.get(id);
      if (incident) return { incident, view };
    }
    return undefined;
  }

  /** Returns the incidents of all shown agents. */
  active(): readonly Case[] {
    return this.parts.engine.agents().flatMap((view) => view.incidents.map((incident) => ({ incident, view })));
  }

  /** Applies the state of a message that may be known before its attempt is: an agent can be faster than the receipt of the sending. */
  catchUp(incident: string, session: string, message: string): void {
    const delivery = this.parts.engine.session(session)?.deliveries.find((one) => one.message.id === message);
    if (!delivery) return;
    const { state, outcome, times } = delivery;
    const at = times[state] ?? this.parts.clock.now();
    this.parts.engine.changeIncident(incident, { type: 'delivery', message, state, at, ...(outcome && { outcome }) });
  }

  tookOver(session: string, from: { readonly session: string; readonly incident: string }): void {
    if (session !== from.session) this.successors.set(session, from);
  }

  hasTakenOver(session: string): boolean {
    return this.successors.has(session);
  }

  /**
   * Returns the id under which attempts are counted: that of the first incident of its kind, if a restarted agent ran into it again. Otherwise a
   * restart would reset the limits.
   */
  caseOf(incident: Incident): string {
    let found = incident;
    for (const seen = new Set<string>(); !seen.has(found.session); ) {
      seen.add(found.session);
      const from = this.successors.get(found.session);
      const before = from && this.incidentOf(from.session, from.incident);
      if (!before || before.detector !== found.detector) break;
      found = before;
    }
    return found.id;
  }

  /** Returns the first session of a chain of restarts and forks. */
  rootOf(session: string): string {
    return this.lineOf(session).at(-1) ?? session;
  }

  /** Returns the incidents of this session, of those it comes from and of those that resulted from it, oldest first. */
  related(session: string): readonly Incident[] {
    const root = this.rootOf(session);
    const sessions = new Set(this.lineOf(session));
    for (const view of this.parts.engine.agents()) if (this.rootOf(view.session) === root) sessions.add(view.session);
    const found = new Map<string, Incident>();
    for (const incident of this.parts.store.current())
      if (sessions.has(incident.session)) found.set(incident.id, incident);
    for (const one of sessions)
      for (const incident of this.parts.engine.session(one)?.book.all() ?? []) found.set(incident.id, incident);
    return [...found.values()].sort((a, b) => a.openedAt - b.openedAt);
  }

  facts({ incident, view }: Case): RecoveryFacts {
    const { settings, clock } = this.parts;
    const { ladder, limits, tiers, launch, expiryMs } = settings();
    const situation = this.situation(view);
    const ways = launchModes(view.agent, 'terminal', launch);
    const before = this.before(incident);
    const call = this.callOf(incident);
    const session = this.parts.engine.session(incident.session);
    return {
      incident,
      agent: situation,
      ladder,
      limits,
      tiers: tiers[view.agent] ?? [],
      ways: {
        resume: ways.resume?.message ?? null,
        fork: ways.fork?.message ?? null,
        fresh: ways.fresh?.message ?? null,
      },
      moreThinking: situation.inChat ? null : moreThinking(view.agent, 'terminal', launch),
      callKnown: call !== undefined,
      isNewestCall: call !== undefined && call === session?.facts.keptCalls.newest,
      isOverBudget: session?.book.isOverBudget(incident.id) === true,
      isStopSent: session?.deliveries.some(({ message }) => isStopOf(message, incident)) === true,
      brakes: this.brakes(view),
      messageExpiryMs: expiryMs,
      ...(before && { before }),
      now: clock.now(),
    };
  }

  /** Returns what may be stopped without a click in the folder of an agent. */
  brakes(view: AgentView): Brakes {
    const folder = this.rootFolder(view);
    return folder === null ? readBrakes(undefined) : this.parts.settings().brakes(folder);
  }

  /**
   * Returns the blocks sent by a brake that the agent has not taken yet, though their call is no longer the one it repeats: the agent called
   * something else, or the incident is over.
   */
  idleBlocks(view: AgentView): readonly string[] {
    const session = this.parts.engine.session(view.session);
    const newest = session?.facts.keptCalls.newest;
    return (session?.deliveries ?? []).flatMap(({ state, message }) => {
      if (state !== 'queued' || message.kind !== 'block' || !message.automated) return [];
      const incident = session?.book.get(message.incident ?? '');
      const isRepeated = newest !== undefined && isSame(newest, message.call);
      return incident && isActive(incident.state) && incident.resolvedAt === null && isRepeated ? [] : [message.id];
    });
  }

  /** Returns attempts in incidents like this one. */
  before(incident: Incident): SeenBefore | undefined {
    return this.parts.before(incident);
  }

  /** Returns the repeating call, word for word. */
  callOf(incident: Incident): ExactCall | undefined {
    const last = repeatsIn(incident.evidence).findLast(({ step }) => step !== undefined);
    const call = last && this.parts.engine.session(incident.session)?.facts.keptCalls.at(last.source);
    return call && call.malformed === undefined && canBlock(call) ? call : undefined;
  }

  progress(view: AgentView, incident: Incident | null): ProgressFacts {
    const timeline = this.parts.engine.timeline(view.session);
    const changes: string[] = [];
    for (
      let index = Math.max(0, (timeline?.length ?? 0) - CHANGES_LOOKED_AT);
      index < (timeline?.length ?? 0);
      index++
    ) {
      const flag = timeline?.flag(index) ?? 0;
      if (heightOf(flag) === 'changed' && !hasFailed(flag)) changes.push(timeline?.subject(index) ?? '');
    }
    return {
      title: view.title,
      plan: view.plan,
      changes,
      incident,
      ...(view.health.lastProgress && { lastProgress: view.health.lastProgress.text }),
      ...(view.branch !== undefined && { branch: view.branch }),
    };
  }

  task(view: AgentView): string {
    return this.parts.engine.session(view.session)?.facts.task ?? '';
  }

  otherItems(view: AgentView): readonly string[] {
    return planOutlook(view.plan).others.map((item) => item.title);
  }

  /** Returns the workspace folder that holds the inbox of a session; null if none is open. */
  rootFolder(view: AgentView): string | null {
    return view.cwd === undefined ? null : inboxRoot(this.parts.folders(), view.cwd);
  }

  situation(view: AgentView): AgentSituation {
    const { takes, supervised, terminals, chats, engine, clock } = this.parts;
    return {
      ...this.messageSituation(view),
      probablyWaits: (engine.session(view.session)?.permissionSince(clock.now()) ?? null) !== null,
      supervised: supervised(view),
      takes: takes(view),
      here: terminals.isHere(view),
      inChat: chats.isHere(view),
      plan: view.plan,
      ...(view.model !== undefined && { model: view.model }),
    };
  }

  /** Returns the facts that decide whether a message may be written for an agent. */
  messageSituation(view: AgentView): MessageSituation {
    const { engine, trusted } = this.parts;
    const inFolder = this.rootFolder(view) !== null;
    return messageSituation(view, engine.session(view.session), { trusted: trusted(), inFolder });
  }

  private incidentOf(session: string, id: string): Incident | undefined {
    return this.parts.engine.session(session)?.book.get(id) ?? this.parts.store.known(id);
  }

  /** Returns a session and those it comes from, newest first. */
  private lineOf(session: string): readonly string[] {
    const line = [session];
    for (;;) {
      const last = line.at(-1) ?? session;
      const before = this.successors.get(last)?.session ?? this.parts.engine.session(last)?.facts.forkedFrom;
      if (before === undefined || line.includes(before)) return line;
      line.push(before);
    }
  }
}

function isStopOf({ kind, incident }: InboxMessage, { id }: Incident): boolean {
  return kind === 'stop' && incident === id;
}

function isSame(one: { readonly name: string; readonly args: unknown }, other: InboxMessage['call']): boolean {
  return other !== undefined && callSignature(one.name, one.args, null) === callSignature(other.name, other.args, null);
}
