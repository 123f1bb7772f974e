import type { TranscriptLine } from '../../base/tail';
import type { Reader, Tail } from '../../base/tail';
import type { Disposable } from '../../base/util/disposable';

export interface CompanionHost {
  readonly line: (path: string, line: TranscriptLine) => void;
  /** Everything a file held has been read. */
  readonly caughtUp: () => void;
  readonly problem: (path: string, why: string) => void;
}

/** Follows the other files of a session, each from its start, and waits for those that do not exist yet. */
export class CompanionReaders implements Disposable {
  private readers: Reader[] = [];
  private disposed = false;

  constructor(
    private readonly tail: Tail,
    private readonly paths: readonly string[],
    private readonly host: CompanionHost,
  ) {}

  /** Begins to read, or starts again. Settles when each file was read to its end once, is absent, or cannot be read. */
  async open(): Promise<void> {
    for (const reader of this.readers) reader.dispose();
    this.readers = [];
    if (!this.disposed) await Promise.all(this.paths.map((path) => this.follow(path)));
  }

  dispose(): void {
    this.disposed = true;
    for (const reader of this.readers) reader.dispose();
  }

  private follow(path: string): Promise<void> {
    const { tail, host } = this;
    return new Promise((done) => {
      this.readers.push(
        tail.open(path, {
          unit: 'line',
          from: 'start',
          markers: [],
          line: (line) => host.line(path, line),
          caughtUp: () => {
            done();
            host.caughtUp();
          },
          gone: done,
          problem: ({ why }) => {
            host.problem(path, why);
            done();
          },
        }),
      );
      // The reader reports that an absent file stays absent only after seconds.
      tail.readHead(path, 1).catch(() => done());
    });
  }
}
