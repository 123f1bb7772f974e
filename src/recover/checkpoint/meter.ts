/** Bytes that were read so far, and bytes that are known to be read in total. */
export type OnProgress = (done: number, all: number) => void;

/** Progress of reading files. */
export class Meter {
  private done = 0;
  private all = 0;

  constructor(
    private readonly signal: AbortSignal | undefined,
    private readonly onProgress: OnProgress | undefined,
  ) {}

  expect(bytes: number): void {
    this.all += bytes;
  }

  /** Throws once the work was ended. */
  read(bytes: number): void {
    this.signal?.throwIfAborted();
    this.done += bytes;
    if (bytes > 0) this.onProgress?.(Math.min(this.done, this.all), this.all);
  }
}
