import type { Source, ToolCallEvent } from '../../core/model';

/** Calls that are kept: an open incident was seen again within 12 steps (docs/detectors.md), and some may be running at the same time. */
const MOST = 24;
/** Approximate number of characters in all their arguments together: agents write whole files. */
const MOST_CHARACTERS = 32_000;

/** Keeps the newest calls as they were made, so that exactly one of them can be refused. */
export class KeptCalls {
  private readonly calls: ToolCallEvent[] = [];
  private readonly sizes: number[] = [];
  private size = 0;

  add(call: ToolCallEvent): void {
    const size = sizeOf(call.args);
    this.calls.push(call);
    this.sizes.push(size);
    this.size += size;
    // The newest call stays, whatever its size.
    while (this.calls.length > 1 && (this.calls.length > MOST || this.size > MOST_CHARACTERS)) {
      this.calls.shift();
      this.size -= this.sizes.shift() ?? 0;
    }
  }

  clear(): void {
    this.calls.length = 0;
    this.sizes.length = 0;
    this.size = 0;
  }

  /** Returns the newest call, with or without a result. */
  get newest(): ToolCallEvent | undefined {
    return this.calls.at(-1);
  }

  /** Returns the call of a record; undefined once it is gone. */
  at({ line, offset }: Source): ToolCallEvent | undefined {
    return this.calls.find(({ source }) => source.line === line && source.offset === offset);
  }
}

/** Returns the number of characters in the texts of arguments, not counting deeply nested ones. */
function sizeOf(args: unknown, depth = 3): number {
  if (typeof args === 'string') return args.length;
  if (typeof args !== 'object' || args === null || depth === 0) return 0;
  let size = 0;
  for (const value of Object.values(args)) size += sizeOf(value, depth - 1);
  return size;
}
