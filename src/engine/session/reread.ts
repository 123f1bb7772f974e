import { putNewest } from '../../base/util/newest';
import type { ToolCallEvent } from '../../core/model';

/** Number of the newest things read that are remembered. */
const MOST = 2_000;

/**
 * Measures what compactions cost a session: how many of the steps after one read again what was read before it. Reading something twice without a
 * compaction in between does not count.
 */
export class Rereads {
  private readonly before = new Map<string, true>();
  private readonly since = new Map<string, true>();
  private isCompacted = false;
  private steps = 0;
  private again = 0;

  compacted(): void {
    this.isCompacted = true;
    for (const name of this.since.keys()) putNewest(this.before, name, true, MOST);
    this.since.clear();
  }

  step({ kind, target, subject }: Pick<ToolCallEvent, 'kind' | 'target' | 'subject'>): void {
    if (this.isCompacted) this.steps++;
    if (kind !== 'looked') return;
    const name = target ?? subject;
    if (this.before.delete(name)) this.again++;
    putNewest(this.since, name, true, MOST);
  }

  /** Takes over the counts of the whole transcript, after counting its last lines. */
  adopt(share: Rereads['share']): void {
    this.steps = share?.of ?? 0;
    this.again = share?.n ?? 0;
  }

  /** Returns null if no step came after a compaction. */
  get share(): { readonly n: number; readonly of: number } | null {
    return this.steps === 0 ? null : { n: this.again, of: this.steps };
  }
}
