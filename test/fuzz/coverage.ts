import { type Profiler, Session } from 'node:inspector';

/** Counts which blocks of the program ran, with V8's own coverage. */
export class Coverage {
  private readonly session = new Session();
  private readonly seen = new Set<string>();
  private fresh: string[] = [];

  /** @param script the end of the address of the program's file; other code does not count */
  constructor(private readonly script: string) {
    this.session.connect();
    this.post('Profiler.enable');
    this.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
    this.take();
  }

  /** The number of blocks that ran since the last call for the first time ever. */
  take(): number {
    this.fresh = [];
    const { result } = this.post('Profiler.takePreciseCoverage') as Profiler.TakePreciseCoverageReturnType;
    for (const { url, functions } of result) {
      if (!url.endsWith(this.script)) continue;
      for (const { ranges } of functions)
        for (const { startOffset, endOffset, count } of ranges) {
          const block = `${startOffset}-${endOffset}`;
          if (count === 0 || this.seen.has(block)) continue;
          this.seen.add(block);
          this.fresh.push(block);
        }
    }
    return this.fresh.length;
  }

  /** Makes what the last `take` found count as new again. */
  forget(): void {
    for (const block of this.fresh) this.seen.delete(block);
  }

  get blocks(): number {
    return this.seen.size;
  }

  /** Lets the program run at full speed again. */
  dispose(): void {
    this.post('Profiler.stopPreciseCoverage');
    this.session.disconnect();
  }

  /** Returns at once: the session is connected to its own thread. */
  private post(method: string, parameters?: object): unknown {
    let answer: unknown;
    this.session.post(method as never, parameters as never, (error: Error | null, result: unknown) => {
      if (error) throw error;
      answer = result;
    });
    return answer;
  }
}
