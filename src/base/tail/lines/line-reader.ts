import { Priority } from '../pace/budget';
import { LINE_PROBLEMS, codeOf } from '../errors';
import type { FileStatus, LocalFs } from '../file-system';
import { Framer } from './framer';
import type { Lane } from '../pace/lanes';
import { Pacer } from '../pace/pacer';
import type { ReaderParts } from '../parts';
import { type Opened, FilePresence, callConsumer } from '../presence';
import { frameFile, lineStart } from '../read-file';
import { CHECK_BYTES, ReadMark } from './read-mark';
import { isSameStatus } from '../same-status';
import type { LinePlace, OpenOptions, Reader, ResetReason, TranscriptLine, TailProblemCode } from '../types';

/** Shortest time between two reads of one file. */
const INTERVAL_MS = 25;
const LINE_FEED = 0x0a;
/** A read of at least this many bytes is more than a few new lines: other files go first. */
const LIVE_BYTES = 1024 * 1024;
/** Up to this many bytes are read synchronously from a local disk; a thread reads the rest. */
const LOCAL_BYTES = 64 * 1024;

/** Follows one append-only file. Delivers its lines in order, each once per generation. */
export class LineReader implements Reader {
  generation = 0;
  offset = 0;
  seedOffset = 0;
  private readonly pacer: Pacer;
  private readonly presence: FilePresence;
  private readonly framer: Framer;
  private descriptor: number | null = null;
  private status: FileStatus | null = null;
  private readonly mark = new ReadMark();
  /** Set where synchronous calls may be used. */
  private local: LocalFs | undefined;
  /** True if this name was an open regular file and no change was reported: it may be opened without a check. */
  private isKnown = false;
  private gave = false;
  private caughtUp = false;
  private disposed = false;
  private inode = -1;
  private device = -1;
  /** Bytes taken since the read began. */
  private taken = 0;
  private priority: Priority = Priority.seed;

  constructor(
    readonly path: string,
    private readonly options: OpenOptions,
    private readonly parts: ReaderParts,
  ) {
    this.pacer = new Pacer(parts.clock, parts.lanes, INTERVAL_MS, (lane) => this.read(lane));
    this.presence = new FilePresence(path, options, parts, (milliseconds) => this.pacer.wakeAfter(milliseconds));
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

  mayBeAnother(): void {
    this.isKnown = false;
  }

  descriptorClosed(): void {
    this.descriptor = null;
  }

  async sweep(): Promise<boolean> {
    if (this.isReading) return false;
    const before = this.status;
    const now = await this.parts.fs.status(this.path).catch(() => null);
    return !this.disposed && !this.isReading && this.status === before && this.compare(now);
  }

  sweepAtOnce(): boolean | undefined {
    if (!this.local) return undefined;
    return !this.isReading && this.compare(this.local.status(this.path));
  }

  /** Reads the file if it has changed since the last read. Returns true if it has changed and had been read before. */
  private compare(now: FileStatus | null): boolean {
    const before = this.status;
    if (now && before && isSameStatus(now, before)) {
      if (this.framer.hasPending && this.framer.finishObject()) this.reportCaughtUp();
      return false;
    }
    if (now?.inode !== before?.inode || now?.device !== before?.device) this.isKnown = false;
    this.pacer.wake();
    return before !== null;
  }

  private async read(lane: Lane): Promise<void> {
    this.priority = this.generation === 0 ? Priority.seed : Priority.live;
    this.taken = 0;
    try {
      while (!this.disposed && (await this.follow(lane))) {
        // The file has begun a new generation.
      }
    } catch (error) {
      this.parts.descriptors.close(this);
      this.status = null;
      this.isKnown = false;
      this.parts.log.warn(`${this.path}: ${String(error)}`);
      this.presence.failed(codeOf(error));
    }
    if (this.disposed) this.letGo();
    this.parts.descriptors.trim();
  }

  /** Reads to the end of the open file. Returns true if the name or the content now belongs to another file, so that it must be checked again. */
  private async follow(lane: Lane): Promise<boolean> {
    const { fs, descriptors, budget } = this.parts;
    const quick = this.priority === Priority.live ? this.local : undefined;
    let named: Promise<FileStatus | null> | FileStatus | null | undefined;
    if (quick) while (budget.spent(0)) await budget.turn(this.priority);
    if (this.descriptor === null) {
      const opened = await this.presence.open(quick, this.isKnown);
      if (!opened) {
        this.status = null;
        return false;
      }
      named = opened.status;
      if (await this.begin(opened, lane)) return false;
    } else {
      descriptors.keep(this, this.descriptor, this.local);
      // Stat in parallel with the read, to save a round trip before the line arrives. A failed stat means the file is gone.
      if (!quick) named = fs.status(this.path).catch(() => null);
    }
    const before = this.offset;
    const same = await this.drain(this.descriptor as number, lane, quick);
    // Count it now: the slice started with the read, or with the check if nothing was read.
    if (quick) budget.begin();
    const status = await (named ?? quick?.status(this.path) ?? null);
    if (this.disposed) return false;
    if (!same) {
      this.newGeneration(status !== null && status.size < this.offset ? 'truncated' : 'rewritten');
      return true;
    }
    if (status === null || status.inode !== this.inode || status.device !== this.device) {
      // Everything appended before the removal has been read by now.
      this.isKnown = false;
      descriptors.close(this);
      return true;
    }
    // A read may return less than there is. If it returns nothing, the file has been truncated in the meantime, and the next check reports that.
    if (this.offset < status.size && this.offset > before) return true;
    this.atEnd(status);
    return false;
  }

  /** Called when the file was opened, for the first time or as another generation. Returns true if it has been read to its end. */
  private async begin(opened: Opened, lane: Lane): Promise<boolean> {
    const { descriptor, status, reappeared } = opened;
    const { descriptors } = this.parts;
    this.descriptor = descriptor;
    descriptors.keep(this, descriptor, opened.local);
    this.isKnown = true;
    const isFirst = this.generation === 0;
    const replaced = this.inode !== status.inode || this.device !== status.device;
    this.inode = status.inode;
    this.device = status.device;
    this.local = opened.local;
    if (this.disposed) return true;
    if (isFirst) return this.seed(descriptor, status, lane);
    if (reappeared) this.newGeneration('reappeared');
    else if (replaced) this.newGeneration('replaced');
    return false;
  }

  private atEnd(status: FileStatus): void {
    this.status = status;
    this.presence.works();
    if (this.gave || !this.caughtUp) this.reportCaughtUp();
  }

  /** Reads the new bytes. Returns false if the bytes before them have changed. */
  private async drain(descriptor: number, lane: Lane, quick: LocalFs | undefined): Promise<boolean> {
    const { fs } = this.parts;
    for (let first = true; ; first = false) {
      const { back } = this.mark;
      const at = this.offset - back;
      const wanted = first && quick ? LOCAL_BYTES : lane.chunk.length;
      let read: number;
      if (!first) read = await fs.read(descriptor, lane.chunk, 0, wanted, at);
      else if (quick) read = this.lookAtOnce(quick, descriptor, lane, wanted, at);
      else read = await this.look(descriptor, lane, wanted, at);
      if (this.disposed) return true;
      // Repeat the check with each chunk: the file may be rewritten during the read.
      if (!this.mark.isBefore(lane.chunk, read)) return false;
      if (read > back) await this.take(lane.chunk.subarray(back, read));
      if (read < wanted || this.disposed) return true;
    }
  }

  /** Reads the chunk at `at` and the head; returns -1 if the head has changed. */
  private async look(descriptor: number, lane: Lane, wanted: number, at: number): Promise<number> {
    const { fs } = this.parts;
    const { headBytes } = this.mark;
    // Wait for both before releasing the buffers, even if one fails.
    const [chunk, head] = await Promise.allSettled([
      fs.read(descriptor, lane.chunk, 0, wanted, at),
      headBytes > 0 ? fs.read(descriptor, lane.small, 0, headBytes, 0) : 0,
    ]);
    const read = valueOf(chunk);
    return this.mark.isHead(lane.small, valueOf(head)) ? read : -1;
  }

  private lookAtOnce(local: LocalFs, descriptor: number, lane: Lane, wanted: number, at: number): number {
    const { headBytes } = this.mark;
    const head = headBytes > 0 ? local.read(descriptor, lane.small, 0, headBytes, 0) : 0;
    return this.mark.isHead(lane.small, head) ? local.read(descriptor, lane.chunk, 0, wanted, at) : -1;
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
    this.mark.add(bytes, start);
    this.taken += bytes.length;
    if (this.taken > LIVE_BYTES) this.priority = Priority.seed;
  }

  private readonly pause = (milliseconds: number): boolean => this.disposed || this.parts.budget.spent(milliseconds);

  /** Starts at the beginning or in the tail. Returns true if it has read to the end. */
  private async seed(descriptor: number, status: FileStatus, lane: Lane): Promise<boolean> {
    this.generation = 1;
    const { size } = status;
    const { fs } = this.parts;
    const { from } = this.options;
    if (from === 'start' || size <= from) {
      this.framer.begin(0, 0);
      return false;
    }
    // Read the tail and the bytes before it in one go: usually nothing more is needed.
    const at = Math.max(0, size - from - CHECK_BYTES);
    const [chunk, small] = await Promise.allSettled([
      fs.read(descriptor, lane.chunk, 0, lane.chunk.length, at),
      fs.read(descriptor, lane.small, 0, lane.small.length, 0),
    ]);
    let read = valueOf(chunk);
    const head = valueOf(small);
    if (this.disposed) return true;
    let chunkAt = at;
    let start = at + lane.chunk.subarray(0, read).indexOf(LINE_FEED, size - from - at) + 1;
    if (start === at || start >= size) {
      start = await lineStart(fs, descriptor, at, lane.chunk);
      chunkAt = Math.max(0, start - CHECK_BYTES);
      read = await fs.read(descriptor, lane.chunk, 0, lane.chunk.length, chunkAt);
      if (this.disposed) return true;
    }
    this.offset = start;
    this.seedOffset = start;
    this.framer.begin(start, start === 0 ? 0 : -1);
    if (start > 0) this.mark.set(lane.small.subarray(0, head), lane.chunk.subarray(0, start - chunkAt));
    await this.take(lane.chunk.subarray(start - chunkAt, read));
    if (this.disposed) return true;
    if (this.offset < status.size) return false;
    this.atEnd(status);
    return true;
  }

  private newGeneration(reason: ResetReason): void {
    this.generation++;
    this.offset = 0;
    this.seedOffset = 0;
    this.mark.clear();
    this.framer.begin(0, 0);
    this.gave = true;
    this.callConsumer(() => this.options.reset?.(reason));
  }

  async readHistory(
    line: (line: TranscriptLine, calls: number) => void,
    done: () => void,
    start: LinePlace = { offset: 0, lines: 0 },
  ): Promise<'done' | 'replaced'> {
    const { generation, seedOffset, parts, path, options } = this;
    const isSame = (): boolean => !this.disposed && this.generation === generation;
    let { lines } = start;
    let before = lines;
    const sink = {
      line: (one: TranscriptLine, calls: number) => {
        lines++;
        if (one.offset < seedOffset) before++;
        callConsumer(options, parts, path, () => line(one, calls));
      },
      // Problems with the lines of this reader have already been reported.
      problem: (code: TailProblemCode, at: number, offset: number) => {
        if (offset < seedOffset) this.problem(code, at, offset);
      },
    };
    return parts.lanes.run(Priority.idle, async (lane) => {
      for (let from = start.offset; ; ) {
        if (!isSame() || generation === 0) return 'replaced';
        const to = this.givenUpTo();
        if (to === from) {
          // In the same turn, so that no new line comes between the history and the next line.
          const { early } = this.framer;
          if (early) sink.line({ ...early.line, line: lines + 1 }, early.calls);
          this.framer.setLinesBefore(before);
          done();
          return 'done';
        }
        const range = {
          lane,
          priority: Priority.idle,
          from,
          to,
          linesBefore: lines,
          isWanted: isSame,
          inode: this.inode,
        };
        const read = await frameFile(parts, path, sink, options.markers, range);
        if (read < to - from) return 'replaced';
        from = to;
      }
    });
  }

  /** Returns the offset where the last delivered line with a line break ends. */
  private givenUpTo(): number {
    const { boundary } = this.framer;
    return boundary === -1 ? this.offset : boundary;
  }

  private give(line: TranscriptLine, calls: number): void {
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
    this.callConsumer(() => this.options.problem?.({ code, line, offset, why: LINE_PROBLEMS[code] ?? code }));
  }

  private reportCaughtUp(): void {
    this.gave = false;
    this.caughtUp = true;
    this.callConsumer(() => this.options.caughtUp?.());
  }

  private callConsumer(call: () => void): void {
    if (!this.disposed) callConsumer(this.options, this.parts, this.path, call);
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
