import type { AgentEvent, PermissionMode, ToolCallEvent } from '../../core/model';
import { namesToAllow } from '../../base/checks/names-to-allow';
import type { DetectContext } from './detector';
import { endedAfter } from '../steps/patience';
import type { Step } from '../steps/step';

/**
 * Silence after which a call that needs permission is probably waiting for it, in milliseconds. docs/evaluation.md reports how many calls in asking
 * modes with such a silence really did wait, in public sessions.
 */
export const SILENCE_MS = 20_000;
/** Limit of the commands that are remembered as allowed: a session has a handful. */
const REMEMBERED = 256;
/** Limit of the calls pending at one time, as in steps.ts. */
const PENDING = 64;

/** What earlier lines show about permissions; as JSON. */
export interface PermissionNote {
  readonly mode?: PermissionMode;
  readonly hasPerson: boolean;
  readonly allowed: readonly string[];
}

/**
 * Decides whether a call is probably waiting for its user's permission, judged by silence alone (docs/detectors.md, "Whose move it is"). Either the
 * mode requires permission for calls like the oldest pending one, no such call was allowed before, and nothing was written since; or the agent would
 * have ended the call on its own long ago.
 */
export class PermissionWait {
  private permissionMode: PermissionMode | undefined = undefined;
  /** An agent that runs without a person asks no one. */
  private hasPerson = true;
  private readonly allowed = new Set<string>();
  /** Calls of this turn: a prompt or the end of a turn drops the earlier ones, which no longer run even though they never got a result. */
  private readonly fresh = new Set<string>();
  private newestAt = 0;
  private tickedAt = 0;

  /** @param context the session whose `pending` calls are checked */
  constructor(private readonly context: Pick<DetectContext, 'pending'>) {}

  note(): PermissionNote {
    const { permissionMode: mode, hasPerson, allowed } = this;
    return { ...(mode && { mode }), hasPerson, allowed: [...allowed] };
  }

  /** Takes over the knowledge of a reading of the whole session, in addition to its own. */
  adopt({ mode, hasPerson, allowed }: PermissionNote): void {
    this.permissionMode = mode;
    this.hasPerson = hasPerson;
    for (const name of allowed) this.allowed.add(name);
  }

  /** Takes an event; to be called after the context has taken it. */
  push(event: AgentEvent): void {
    if (event.type === 'clock') return;
    if (event.at > this.newestAt) this.newestAt = event.at;
    switch (event.type) {
      case 'session_info':
        if (event.mode !== undefined) this.hasPerson = event.mode !== 'print';
        if (event.permissionMode !== undefined) this.permissionMode = event.permissionMode;
        break;
      case 'tool_call':
        if (this.mayAsk && this.fresh.size < PENDING) this.fresh.add(event.id);
        break;
      case 'tool_result':
        this.fresh.delete(event.id);
        break;
      case 'user':
      case 'turn_start':
      case 'turn_end':
      case 'request':
      case 'session_end':
        this.fresh.clear();
        break;
      default:
    }
  }

  /** Takes a call with its result: a command that was not refused is allowed from now on. */
  stepped({ call, result, malformed }: Pick<Step, 'call' | 'result' | 'malformed'>): void {
    if (call.command === undefined || !asksForCommands(this.permissionMode)) return;
    if (malformed || result.denied !== undefined || this.allowed.size >= REMEMBERED) return;
    for (const name of namesToAllow(call.command)) this.allowed.add(name);
  }

  /** True if it is known to request no permission for any call. */
  get asksNoPermission(): boolean {
    return this.permissionMode === 'nothing' || !this.hasPerson;
  }

  tick(now: number): void {
    this.tickedAt = now;
  }

  /** Returns since when a call has probably been waiting, in milliseconds since the epoch; null where none is. */
  since(now: number): number | null {
    const call = this.oldest();
    return call && now >= this.dueAt(call) ? call.at : null;
  }

  /** Returns whether the agent would have ended the call long ago, so that only the person can be holding it up. */
  isHeld(now: number): boolean {
    const call = this.oldest();
    return call !== null && now >= this.lastAt(call) + endedAfter(call);
  }

  /** Returns the earliest time at which the result of `since` could change without another event; Infinity where it could not. */
  deadline(): number {
    const call = this.oldest();
    const due = call ? this.dueAt(call) : Number.POSITIVE_INFINITY;
    return due > this.tickedAt ? due : Number.POSITIVE_INFINITY;
  }

  private get mayAsk(): boolean {
    const { permissionMode } = this;
    return (
      this.hasPerson && permissionMode !== undefined && permissionMode !== 'nothing' && permissionMode !== 'escalation'
    );
  }

  /** Returns the oldest pending call. Later calls wait for it, whatever it waits for. */
  private oldest(): ToolCallEvent | null {
    if (this.fresh.size === 0 || !this.mayAsk) return null;
    const call = this.context.pending[0];
    return call && this.fresh.has(call.id) ? call : null;
  }

  /**
   * Returns when silence shows that the call is waiting; Infinity where it never does. A call that can no longer be running is waiting, whatever its
   * kind.
   */
  private dueAt(call: ToolCallEvent): number {
    return this.lastAt(call) + (this.needsPermission(call) ? SILENCE_MS : endedAfter(call));
  }

  private lastAt(call: ToolCallEvent): number {
    return Math.max(call.at, this.newestAt);
  }

  private needsPermission(call: ToolCallEvent): boolean {
    const { permissionMode } = this;
    if (call.malformed !== undefined) return false;
    if (call.command === undefined)
      return call.kind === 'changed' && (permissionMode === 'all' || permissionMode === 'edits');
    return asksForCommands(permissionMode) && namesToAllow(call.command).some((name) => !this.allowed.has(name));
  }
}

function asksForCommands(mode: PermissionMode | undefined): boolean {
  return mode === 'all' || mode === 'commands';
}
