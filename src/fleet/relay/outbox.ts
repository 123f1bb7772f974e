import type { Disposable } from '../../base/util/disposable';
import type { Log } from '../../base/util/log';
import type { Clock } from '../../base/clock';
import type { RelayLink } from './ports';

export interface Outgoing {
  readonly subject: string;
  /** The same id is stored once. */
  readonly id: string;
  readonly bytes: Uint8Array;
  /** A receipt is never dropped for lack of room; the oldest event is. */
  readonly keep: boolean;
}

interface Placed extends Outgoing {
  /** Place in the order in which all of them were added. */
  readonly place: number;
}

/** Longest queue for the server; a record takes 1 to 10 KB. */
const MOST_WAITING = 2_000;
const AT_A_TIME = 16;
const RETRY_MS = 1_000;

/** Events and receipts on their way to the server, in order, each until the server has it. The queue is bounded. */
export class Outbox implements Disposable {
  private waiting: Placed[] = [];
  private added = 0;
  private sending = 0;
  private timer: Disposable | undefined;
  private stopped = false;
  private dropped = 0;

  constructor(
    private readonly link: Pick<RelayLink, 'isUp' | 'publish'>,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  add(outgoing: Outgoing): void {
    if (this.stopped) return;
    this.waiting.push({ ...outgoing, place: ++this.added });
    if (this.waiting.length > MOST_WAITING) this.drop();
    this.pump();
  }

  /** Called when the connection is there, for the first time or again. */
  pump(): void {
    while (!this.stopped && this.link.isUp() && this.sending < AT_A_TIME) {
      const next = this.waiting.shift();
      if (!next) return;
      this.sending++;
      void this.send(next);
    }
  }

  get size(): number {
    return this.waiting.length + this.sending;
  }

  dispose(): void {
    this.stopped = true;
    this.timer?.dispose();
    this.waiting = [];
  }

  private async send(outgoing: Placed): Promise<void> {
    const sent = await this.link.publish(outgoing.subject, outgoing.id, outgoing.bytes);
    this.sending--;
    if (this.stopped) return;
    if (sent.ok) return this.pump();
    // The server may have it nevertheless: its id keeps it from being stored twice.
    const after = this.waiting.findIndex(({ place }) => place > outgoing.place);
    this.waiting.splice(after < 0 ? this.waiting.length : after, 0, outgoing);
    this.timer ??= this.clock.after(RETRY_MS, () => {
      this.timer = undefined;
      this.pump();
    });
  }

  private drop(): void {
    const oldest = this.waiting.findIndex(({ keep }) => !keep);
    this.waiting.splice(Math.max(0, oldest), 1);
    if (this.dropped++ === 0)
      this.log.warn(`more than ${MOST_WAITING} events wait for the server: the oldest are dropped`);
  }
}
