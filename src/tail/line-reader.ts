import { Priority } from './budget';
import { codeOf } from './errors';
import type { FileStatus } from './file-system';
import { Framer } from './framer';
import type { Lane } from './lanes';
import { Pacer } from './pacer';
import type { ReaderParts } from './parts';
import { Presence, tell } from './presence';
import { frameFile, lineStart } from './read-file';
import { LINE_PROBLEMS } from './errors';
import { isSameStatus } from './same-status';
import type { OpenOptions, Reader, ResetReason, TailLine, TailProblemCode } from './types';

/** How often one file is read at most (notes: performance 3). */
const INTERVAL_MS = 25;
/** Bytes of the end from which a tail is read. */
export const TAIL_BYTES = 256 * 1024;
/** A file is the one that was read before if its first bytes and those before the offset are what they were. */
const HEAD_BYTES = 1024;
const CHECK_BYTES = 64;
/** A read that takes so many bytes is no longer a look at what is new: others go first. */
const LIVE_BYTES = 1024 * 1024;
const NOTHING = Buffer.alloc(0);

/** Follows one append-only file. Its lines come in order, each once per generation. */
export class LineReader implements Reader {
  generation = 0;
  offset = 0;
  seedOffset = 0;
  private readonly pacer: Pacer;
  private readonly presence: Presence;
  private readonly framer: Framer;
  private descriptor: number | null = null;
  private status: FileStatus | null = null;
  private head: Buffer = NOTHING;
  private check: Buffer = NOTHING;
  private gave = false;
  private caughtUp = false;
  private disposed = false;
  private inode = -1;
  private device = -1;
  /** Bytes since the read began. */
  private taken = 0;
  private priority: Priority = Priority.seed;

  constructor(
    readonly path: string,
    private readonly options: OpenOptions,
    private readonly parts: ReaderParts,
  ) {
    this.pacer = new Pacer(parts.clock, parts.lanes, INTERVAL_MS, (lane) => this.read(lane));
    this.presence = new Presence(path, options, parts, (milliseconds) => this.pacer.wakeAfter(milliseconds));
    this.framer = new Framer(
      {
        line: (line, calls) => this.give(line, calls),
        problem: (code, line, offset) => this.problem(code, line, offset),
      },
      options.markers,
      parts.shrinkers,
    );
    this.pacer.seed(options.modifiedAt ?? 0);
  }

  get isReading(): boolean {
    return this.pacer.isRunning;
  }

  poke(): void {
    this.pacer.wake();
  }

  dispose(): void {
    this.disposed = true;
    this.pacer.dispose();
    if (!this.isReading) this.letGo();
  }

  descriptorClosed(): void {
    this.descriptor = null;
  }

  /** Compares the file with what was read last; reads where it differs. True: it did. */
  async sweep(): Promise<boolean> {
    if (this.isReading) return false;
    const before = this.status;
    const now = await this.parts.fs.status(this.path).catch(() => null);
    if (this.disposed || this.isReading || this.status !== before) return false;
    if (now && before && isSameStatus(now, before)) {
      if (this.framer.hasPending && this.framer.finishObject()) this.tellCaughtUp();
      return false;
    }
    this.pacer.wake();
    return before !== null;
  }

  private async read(lane: Lane): Promise<void> {
    this.priority = this.generation === 0 ? Priority.seed : Priority.live;
    this.taken = 0;
    try {
      while (!this.disposed && (await this.follow(lane))) {
        // Another generation of the file is there.
      }
    } catch (error) {
      this.parts.descriptors.close(this);
      this.status = null;
      this.presence.failed(codeOf(error));
    }
    if (this.disposed) this.letGo();
  }

  /** Reads to the end of the file that is open. True: it is no longer the one of this name or content, look again. */
  private async follow(lane: Lane): Promise<boolean> {
    const { fs, descriptors } = this.parts;
    let named: Promise<FileStatus | null>;
    if (this.descriptor === null) {
      const opened = await this.presence.open();
      if (!opened) {
        this.status = null;
        return false;
      }
      const { descriptor, status, reappeared } = opened;
      this.descriptor = descriptor;
      descriptors.keep(this, descriptor);
      if (this.generation === 0) await this.seed(descriptor, status, lane);
      else if (reappeared) this.newGeneration('reappeared');
      else if (this.inode !== status.inode || this.device !== status.device) this.newGeneration('replaced');
      this.inode = status.inode;
      this.device = status.device;
      named = Promise.resolve(status);
    } else {
      descriptors.keep(this, this.descriptor);
      // Along with the read, not before it: one way to the system less until the line is there. Not to be seen counts as not there.
      named = fs.status(this.path).catch(() => null);
    }
    const same = await this.drain(this.descriptor, lane);
    const status = await named;
    if (this.disposed) return false;
    if (!same) {
      this.newGeneration(status !== null && status.size < this.offset ? 'truncated' : 'rewritten');
      return true;
    }
    if (status === null || status.inode !== this.inode || status.device !== this.device) {
      // What was appended before it went away has been read by now.
      descriptors.close(this);
      return true;
    }
    this.status = status;
    if (this.gave || !this.caughtUp) this.tellCaughtUp();
    return false;
  }

  /** Reads what is new. False: the bytes before are not what they were. */
  private async drain(descriptor: number, lane: Lane): Promise<boolean> {
    const { fs } = this.parts;
    let back = this.check.length;
    let first = true;
    for (;;) {
      // Both are settled before the buffers are anyone else's, also where one fails.
      const [chunk, head] = await Promise.allSettled([
        fs.read(descriptor, lane.chunk, 0, lane.chunk.length, this.offset - back),
        first ? this.headIs(descriptor, lane) : true,
      ]);
      if (this.disposed) return true;
      const read = valueOf(chunk);
      const sameHead = valueOf(head);
      if (!sameHead || read < back || this.check.compare(lane.chunk, 0, back) !== 0) return false;
      const bytes = lane.chunk.subarray(back, read);
      if (bytes.length > 0) await this.take(bytes);
      if (read < lane.chunk.length || this.disposed) return true;
      // The same check goes along with each further chunk: the file may be rewritten under the read.
      back = this.check.length;
      first = false;
    }
  }

  private async headIs(descriptor: number, lane: Lane): Promise<boolean> {
    const { head } = this;
    if (head.length === 0) return true;
    const read = await this.parts.fs.read(descriptor, lane.small, 0, head.length, 0);
    return read === head.length && head.compare(lane.small, 0, read) === 0;
  }

  /** Frames new bytes, in slices. */
  private async take(bytes: Buffer): Promise<void> {
    const { budget } = this.parts;
    const start = this.offset;
    for (let at = 0; ; ) {
      while (!budget.begin()) await budget.turn(this.priority);
      at = this.framer.feed(bytes, at, this.pause);
      if (at === bytes.length || this.disposed) break;
      this.offset = start + at;
      await budget.turn(this.priority);
    }
    this.offset = start + bytes.length;
    if (this.head.length < HEAD_BYTES && start === this.head.length) {
      this.head = Buffer.concat([this.head, bytes.subarray(0, HEAD_BYTES - this.head.length)]);
    }
    const check = bytes.length >= CHECK_BYTES ? bytes : Buffer.concat([this.check, bytes]);
    this.check = Buffer.from(check.subarray(-CHECK_BYTES));
    this.taken += bytes.length;
    if (this.taken > LIVE_BYTES) this.priority = Priority.seed;
  }

  private readonly pause = (milliseconds: number): boolean => this.disposed || this.parts.budget.spent(milliseconds);

  /** Where the first generation begins to be read. */
  private async seed(descriptor: number, status: FileStatus, lane: Lane): Promise<void> {
    this.generation = 1;
    const { fs } = this.parts;
    if (this.options.from === 'tail' && status.size > TAIL_BYTES) {
      const start = await lineStart(fs, descriptor, status.size - TAIL_BYTES, status.size, lane.chunk);
      if (start > 0) {
        const head = await fs.read(descriptor, lane.chunk, 0, HEAD_BYTES, 0);
        this.head = Buffer.from(lane.chunk.subarray(0, head));
        const from = Math.max(0, start - CHECK_BYTES);
        const check = await fs.read(descriptor, lane.chunk, 0, start - from, from);
        this.check = Buffer.from(lane.chunk.subarray(0, check));
        this.offset = start;
        this.seedOffset = start;
      }
    }
    this.framer.begin(this.offset, this.offset === 0 ? 0 : -1);
  }

  private newGeneration(reason: ResetReason): void {
    this.generation++;
    this.offset = 0;
    this.seedOffset = 0;
    this.head = NOTHING;
    this.check = NOTHING;
    this.framer.begin(0, 0);
    this.gave = true;
    this.tell(() => this.options.reset?.(reason));
  }

  async readHistory(
    line?: (line: TailLine, calls: number) => void,
  ): Promise<{ state: 'done' | 'replaced'; lines: number }> {
    const { generation, seedOffset, parts, path, options } = this;
    let lines = 0;
    const isSame = (): boolean => !this.disposed && this.generation === generation;
    if (generation === 0 || seedOffset === 0) return { state: 'done', lines };
    const sink = {
      line: (one: TailLine, calls: number) => {
        lines++;
        if (line) tell(options, parts, path, () => line(one, calls));
      },
      problem: (code: TailProblemCode, at: number, offset: number) => this.problem(code, at, offset),
    };
    await parts.lanes.run(Priority.idle, (lane) =>
      frameFile(parts, path, sink, options.markers, {
        lane,
        priority: Priority.idle,
        from: 0,
        to: seedOffset,
        isWanted: isSame,
        inode: this.inode,
      }),
    );
    if (!isSame()) return { state: 'replaced', lines };
    this.framer.setLinesBefore(lines);
    return { state: 'done', lines };
  }

  private give(line: TailLine, calls: number): void {
    if (this.disposed) return;
    this.gave = true;
    try {
      this.options.line?.(line, calls);
    } catch (error) {
      this.parts.log.error(`${this.path}:${line.line}: ${String(error)}`);
      this.problem('consumer', line.line, line.offset);
    }
  }

  private problem(code: TailProblemCode, line: number, offset: number): void {
    this.tell(() => this.options.problem?.({ code, line, offset, why: LINE_PROBLEMS[code] ?? code }));
  }

  private tellCaughtUp(): void {
    this.gave = false;
    this.caughtUp = true;
    this.tell(() => this.options.caughtUp?.());
  }

  private tell(call: () => void): void {
    if (!this.disposed) tell(this.options, this.parts, this.path, call);
  }

  private letGo(): void {
    this.parts.descriptors.close(this);
    this.framer.release();
  }
}

function valueOf<T>(settled: PromiseSettledResult<T>): T {
  if (settled.status === 'rejected') throw settled.reason;
  return settled.value;
}
