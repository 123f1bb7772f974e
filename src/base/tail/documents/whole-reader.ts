import type { FileStatus } from '../file-system';
import type { Lane } from '../pace/lanes';
import { Pacer } from '../pace/pacer';
import type { ReaderParts } from '../parts';
import { FilePresence, callConsumer } from '../presence';
import type { OpenOptions, Reader } from '../types';

/** Shared part of following a file that is read as a whole each time. */
export abstract class WholeReader implements Reader {
  generation = 0;
  offset = 0;
  readonly seedOffset = 0;
  protected readonly pacer: Pacer;
  protected readonly presence: FilePresence;
  /** Status of the file when it was last read; null if it must be read at the next check. */
  protected status: FileStatus | null = null;
  protected disposed = false;
  protected tooLarge = false;

  /** @param intervalMs shortest time between two reads */
  constructor(
    readonly path: string,
    protected readonly options: OpenOptions,
    protected readonly parts: ReaderParts,
    intervalMs: number,
  ) {
    this.pacer = new Pacer(parts.clock, parts.lanes, intervalMs, (lane) => this.read(lane));
    this.presence = new FilePresence(path, options, parts, (milliseconds) => this.pacer.wakeAfter(milliseconds));
    this.pacer.seed(options.modifiedAt ?? 0);
  }

  poke(): void {
    this.pacer.wake();
  }

  dispose(): void {
    this.disposed = true;
    this.pacer.dispose();
  }

  readHistory(_line: unknown, done: () => void): Promise<'done'> {
    done();
    return Promise.resolve('done');
  }

  abstract sweep(): Promise<boolean>;

  protected abstract read(lane: Lane): Promise<void>;

  protected reset(): void {
    this.generation++;
    this.status = null;
    this.callConsumer(() => this.options.reset?.('reappeared'));
  }

  /** Reports it once, until a smaller one was read. */
  protected reportTooLarge(limit: number): void {
    if (this.tooLarge) return;
    this.tooLarge = true;
    const why = `larger than ${Math.round(limit / 1024 / 1024)} MB`;
    this.callConsumer(() => this.options.problem?.({ code: 'document-too-large', line: 0, offset: 0, why }));
  }

  protected callConsumer(call: () => void): void {
    if (!this.disposed) callConsumer(this.options, this.parts, this.path, call);
  }
}
