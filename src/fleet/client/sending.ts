import { DELIVERY_STATES } from '../../core/model';
import { Emitter } from '../../base/util/emitter';
import type { AgentRecord, ReceiptRecord } from '../wire';
import type { FleetMessage, SentMessage, SendingState, SendingStep } from './types';

/** A later state hides an earlier one; but a message that was seen late was still seen. */
const RANK: Readonly<Record<SendingState, number>> = {
  sending: 0,
  sent: 1,
  queued: 2,
  taken: 3,
  failed: 4,
  seen: 5,
  acted: 6,
  expired: 7,
  withdrawn: 7,
  refused: 7,
  lost: 7,
};

/** True for a state after which nothing more follows. */
export function isFinal(state: SendingState): boolean {
  return RANK[state] >= RANK.acted;
}

/** A message on its way, with what is known of it. */
export class SendingMessage implements SentMessage {
  private readonly changed = new Emitter<SendingStep>();
  readonly onDidChange = this.changed.event;
  private readonly known: [SendingStep, ...SendingStep[]];

  constructor(
    readonly id: string,
    readonly message: FleetMessage,
    readonly bytes: Uint8Array,
    /** Milliseconds since the epoch. */
    readonly startedAt: number,
  ) {
    this.known = [{ state: 'sending', at: startedAt }];
  }

  steps(): readonly SendingStep[] {
    return this.known;
  }

  get state(): SendingState {
    return this.known.at(-1)?.state ?? 'sending';
  }

  /** Takes a receipt of the machine, whenever it comes. */
  receive({ state, reason, outcome }: Pick<ReceiptRecord, 'state' | 'reason' | 'outcome'>, now: number): void {
    this.step({ state, at: now, ...(reason !== undefined && { reason }), ...(outcome !== undefined && { outcome }) });
  }

  /** Takes over the state of the message from its agent's state: the states that it passed, and the current one. */
  follow({ state, times, ...told }: AgentRecord['deliveries'][number], now: number): void {
    for (const passed of DELIVERY_STATES)
      if (passed !== state && times[passed] !== undefined) this.step({ state: passed, at: now });
    this.receive({ state, ...told }, now);
  }

  step(step: SendingStep): void {
    if (RANK[step.state] <= RANK[this.state]) return;
    this.known.push(step);
    this.changed.fire(step);
  }

  dispose(): void {
    this.changed.dispose();
  }
}
