import type { AgentEvent, Source } from '../../core/model';
import { endsWithQuestion } from '../../base/util/question';
import { readable } from '../../base/util/cut';
import { presentableLine } from '../../base/util/redact';

/** The agent's statement that it is done: a separate line, a submit tool, or a turn that ends after an edit without a question. */
export interface CompletionClaim {
  readonly at: number;
  readonly source: Source;
  /** `TASK_COMPLETE`, `the end of the turn`. */
  readonly text: string;
  /**
   * Set if it comes from the agent's own hook, which reports it at the same moment in every window; the line is the position of the transcript in
   * this window.
   */
  readonly fromHook?: true;
}

/** Signals for the quality gates of a session. */
export type GateSignal =
  /** The work tree has changed: a claim would be worth a run, and a run in progress is about the past. */
  | { readonly type: 'edited'; readonly at: number }
  | { readonly type: 'claim'; readonly claim: CompletionClaim }
  /** The turn ended, and nothing is claimed: there was a question, an interruption, or no change. */
  | { readonly type: 'no_claim'; readonly at: number }
  /** A person wrote, so an earlier claim is void. */
  | { readonly type: 'person'; readonly at: number }
  | { readonly type: 'ended'; readonly at: number };

const SUBMIT = /^(?:submit|finish|attempt_completion|complete_task|task_complete|task_completed|mark_task_complete)$/i;

/**
 * Finds claims of completion: a `completion` event, a submit tool, or a turn that ends without a question after an edit since the last gate run. One
 * claim is reported once, even where a submit tool, a completion line and the end of the turn all make it. Pure.
 */
export class ClaimWatch {
  private edited = false;
  /** True if something was claimed since the last edit or message. */
  private claimed = false;
  private lastWords = '';

  /** Takes a step. `changed`: it changed the work tree. */
  step(changed: boolean, at: number): GateSignal | null {
    if (!changed) return null;
    this.edited = true;
    this.claimed = false;
    return { type: 'edited', at };
  }

  push(event: AgentEvent): GateSignal | null {
    switch (event.type) {
      case 'completion':
        return this.claim(event.claim, event);
      case 'tool_call':
        return SUBMIT.test(event.name) && event.malformed === undefined ? this.claim(event.name, event) : null;
      case 'assistant':
        this.lastWords = event.chunk ? (this.lastWords + event.text).slice(-200) : event.text.slice(-200);
        return null;
      case 'user':
        this.claimed = false;
        this.lastWords = '';
        return event.automated ? null : { type: 'person', at: event.at };
      case 'turn_end':
        if (event.reason === 'done' && this.edited && !endsWithQuestion(this.lastWords))
          return this.claim('the end of the turn', event);
        return this.claimed ? null : { type: 'no_claim', at: event.at };
      case 'session_end':
        return { type: 'ended', at: event.at };
      default:
        return null;
    }
  }

  /** Takes the report of the agent's hook that the turn ends, and not with a question, before the transcript shows it. */
  hookEnded(at: number, source: Source): GateSignal | null {
    const signal = this.edited ? this.claim('the end of the turn', { at, source }) : null;
    return signal?.type === 'claim' ? { ...signal, claim: { ...signal.claim, fromHook: true } } : signal;
  }

  private claim(text: string, { at, source }: Pick<AgentEvent, 'at' | 'source'>): GateSignal | null {
    if (this.claimed) return null;
    this.claimed = true;
    this.edited = false;
    return { type: 'claim', claim: { at, source, text: presentableLine(readable(text), 120) } };
  }
}
