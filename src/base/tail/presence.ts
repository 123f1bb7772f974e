import { codeOf, isOutOfDescriptors } from './errors';
import type { FileStatus, LocalFs } from './file-system';
import type { ReaderParts } from './parts';
import type { OpenOptions, TailProblemCode } from './types';

/** A file that is replaced by deleting and rewriting it is missing for a moment. A shorter absence is not reported. */
const GONE_AFTER_MS = 200;

/** Calls a consumer and logs what it throws, so that one consumer cannot stop the reading. */
export function callConsumer(
  options: OpenOptions,
  parts: Pick<ReaderParts, 'log'>,
  path: string,
  call: () => void,
): void {
  try {
    call();
  } catch (error) {
    parts.log.error(`${path}: ${String(error)}`);
    try {
      options.problem?.({ code: 'consumer', line: 0, offset: 0, why: 'could not be processed' });
    } catch {
      // It was logged already.
    }
  }
}

export interface Opened {
  readonly descriptor: number;
  readonly status: FileStatus;
  /** Set where synchronous calls may be used. */
  readonly local: LocalFs | undefined;
  /** True if it was missing at the last check. */
  readonly reappeared: boolean;
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'no permission to read it',
  EPERM: 'no permission to read it',
  EMFILE: 'too many open files',
  ENFILE: 'too many open files',
  EIO: 'the disk cannot be read',
  ELOOP: 'a link that leads to itself',
};

/** Knows whether a file exists and is readable, and reports each change to its consumer once. */
export class FilePresence {
  private absentSince = -1;
  private goneReported = false;
  private reportedProblem: TailProblemCode | null = null;

  constructor(
    private readonly path: string,
    private readonly options: OpenOptions,
    private readonly parts: ReaderParts,
    private readonly wakeAfter: (milliseconds: number) => void,
  ) {}

  /**
   * Opens the file, or reports why it cannot. Checks first that it is a regular file, unless that is certain, so that no pipe or device is opened.
   * With `known` it opens synchronously. Otherwise it reads the status on a thread, and opens synchronously if the disk turns out to be local,
   * because everything that opening needs is then in memory.
   */
  async open(known?: LocalFs, isFile = false): Promise<Opened | null> {
    const { fs, descriptors } = this.parts;
    for (let attempt = 1; ; attempt++) {
      let descriptor = -1;
      try {
        let local = known;
        if (!local || !isFile) {
          const named = known?.status(this.path) ?? (await fs.status(this.path));
          if (named.kind !== 'file')
            return this.refuse('not-a-file', `is a ${named.kind === 'folder' ? 'folder' : 'pipe or device'}`);
          local ??= (await fs.local?.holds(this.path, named.device)) ? fs.local : undefined;
        }
        descriptor = local ? local.open(this.path) : await fs.open(this.path);
        const status = local ? local.statusOf(descriptor) : await fs.statusOf(descriptor);
        if (status.kind === 'file') return { descriptor, status, local, reappeared: this.found() };
        void fs.close(descriptor);
        return this.refuse('not-a-file', 'is a pipe or device');
      } catch (error) {
        if (descriptor !== -1) void fs.close(descriptor);
        const code = codeOf(error);
        if (isOutOfDescriptors(code) && attempt === 1) {
          descriptors.closeAll();
          continue;
        }
        this.failed(code);
        return null;
      }
    }
  }

  /** Called when a system call failed with this code. */
  failed(code: string): void {
    if (code === 'ENOENT' || code === 'ENOTDIR') this.absent();
    else this.refuse('unreadable', REASONS[code] ?? code);
  }

  /** Called when the file was read to its end: the next problem is a new one. */
  works(): void {
    this.reportedProblem = null;
  }

  private found(): boolean {
    const reappeared = this.absentSince >= 0;
    this.absentSince = -1;
    this.goneReported = false;
    return reappeared;
  }

  private absent(): void {
    const now = this.parts.clock.now();
    if (this.absentSince < 0) this.absentSince = now;
    if (this.goneReported) return;
    const left = this.absentSince + GONE_AFTER_MS - now;
    if (left > 0) {
      this.wakeAfter(left);
      return;
    }
    this.goneReported = true;
    callConsumer(this.options, this.parts, this.path, () => this.options.gone?.());
  }

  private refuse(code: TailProblemCode, why: string): null {
    if (this.reportedProblem === code) return null;
    this.reportedProblem = code;
    callConsumer(this.options, this.parts, this.path, () => this.options.problem?.({ code, line: 0, offset: 0, why }));
    return null;
  }
}
