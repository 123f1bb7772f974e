import type { AgentEvent, PermissionMode, ToolCallEvent } from '../../core/model';
import { namesToAllow } from '../../base/checks/names-to-allow';
import type { DetectContext } from './detector';
import { endedAfter } from '../steps/patience';
import type { Step } from '../steps/step';

/**
 * Silence after which a call that needs permission probably waits for it, milliseconds. docs/evaluation.md says how many of the
 * calls in asking modes with such a silence in public sessions did wait.
 */
export const SILENCE_MS = 20_000;
/** Commands that are remembered as allowed: a session has a handful. */
const REMEMBERED = 256;
/** Calls that are pending at a time: as many as are waited for (steps.ts). */
const PENDING = 64;

/** What earlier lines say of permissions; as JSON. */
export interface PermissionNote {
  readonly mode?: PermissionMode;
  readonly hasPerson: boolean;
  readonly allowed: readonly string[];
}

/**
 * Whether a call probably waits for its user's permission, where only silence says so (docs/detectors.md, "Whose move it is"): the mode asks
 * before calls like the oldest one that is pending, its like was not allowed before, and nothing was written since; or the agent would
 * have ended the call by itself long ago.
 */
export class PermissionWait {
  private permissionMode: PermissionMode | undefined = undefined;
  /** An agent that runs without a person has no one to ask. */
  private hasPerson = true;
  private readonly allowed = new Set<string>();
  /**
   * Calls of this turn: a prompt or the end of a turn drops the earlier ones, which do not run any more, though they were never
   * answered.
   */
  private readonly fresh = new Set<string>();
  private newestAt = 0;
  private tickedAt = 0;

  /** @param context whose `pending` calls are looked at */
  constructor(private readonly context: Pick<DetectContext, 'pending'>) {}

  note(): PermissionNote {
    const { permissionMode: mode, hasPerson, allowed } = this;
    return { ...(mode && { mode }), hasPerson, allowed: [...allowed] };
  }

  /** Knows what a reading of the whole knew, besides what it read itself. */
  adopt({ mode, hasPerson, allowed }: PermissionNote): void {
    this.permissionMode = mode;
    this.hasPerson = hasPerson;
    for (const name of allowed) this.allowed.add(name);
  }

  /** Takes an event, after the context has. */
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

  /** A call has its result: a command that was not refused is allowed from now on. */
  stepped({ call, result, malformed }: Pick<Step, 'call' | 'result' | 'malformed'>): void {
    if (call.command === undefined || !asksForCommands(this.permissionMode)) return;
    if (malformed || result.denied !== undefined || this.allowed.size >= REMEMBERED) return;
    for (const name of namesToAllow(call.command)) this.allowed.add(name);
  }

  /** It is known to ask no permission for any call. */
  get asksNobody(): boolean {
    return this.permissionMode === 'nothing' || !this.hasPerson;
  }

  tick(now: number): void {
    this.tickedAt = now;
  }

  /** Since when a call probably waits, milliseconds since the epoch; null where none does. */
  since(now: number): number | null {
    const call = this.oldest();
    return call && now >= this.dueAt(call) ? call.at : null;
  }

  /** Its agent would have ended the call long ago: nothing but the person can hold it. */
  isHeld(now: number): boolean {
    const call = this.oldest();
    return call !== null && now >= this.lastAt(call) + endedAfter(call);
  }

  /** The earliest time at which `since` could say something else without another event; Infinity where it could not. */
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

  /** The oldest pending call. Calls behind it wait for it, whatever it waits for. */
  private oldest(): ToolCallEvent | null {
    if (this.fresh.size === 0 || !this.mayAsk) return null;
    const call = this.context.pending[0];
    return call && this.fresh.has(call.id) ? call : null;
  }

  /** When silence says that it waits; Infinity where it never does. A call that cannot run any more waits, whatever it is. */
  private dueAt(call: ToolCallEvent): number {
    return this.lastAt(call) + (this.asksFor(call) ? SILENCE_MS : endedAfter(call));
  }

  private lastAt(call: ToolCallEvent): number {
    return Math.max(call.at, this.newestAt);
  }

  private asksFor(call: ToolCallEvent): boolean {
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
