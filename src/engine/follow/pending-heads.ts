import type { Candidate, Tail } from '../../base/tail';

/** Consumer of the heads of files. */
export interface HeadConsumer {
  /** Works in steps of a few milliseconds at most. `candidate`: the newest report of the file before its head was read. */
  readonly look: (candidate: Candidate, head: string) => Generator<undefined, void>;
  /** The head could not be read. */
  readonly failed: (candidate: Candidate, error: unknown) => void;
  /** The file changed while its head was read. */
  readonly changed: (candidate: Candidate) => void;
}

/** Files whose heads are still to be read, each once, however often it is reported meanwhile. */
export class PendingHeads {
  private readonly pending = new Map<string, { newest: Candidate; readonly looked: Promise<void> }>();

  constructor(private readonly tail: Tail) {}

  /** Notes a newer report of a waiting file, and returns the promise that settles when its head was read; undefined if it does not wait. */
  update(candidate: Candidate): Promise<void> | undefined {
    const waiting = this.pending.get(candidate.path);
    if (waiting && candidate.modifiedAt >= waiting.newest.modifiedAt) waiting.newest = candidate;
    return waiting?.looked;
  }

  /** Reads the head of a file that is not waiting yet, when its turn comes. */
  look(first: Candidate, isExpected: boolean, consumer: HeadConsumer): Promise<void> {
    const { path, modifiedAt } = first;
    const newest = (): Candidate => this.pending.get(path)?.newest ?? first;
    let seen = first;
    const looked = this.tail
      .lookAtHead(path, { isExpected, modifiedAt }, (head) => {
        seen = newest();
        return consumer.look(seen, head);
      })
      .catch((error: unknown) => consumer.failed(seen, error))
      .finally(() => {
        const last = newest();
        this.pending.delete(path);
        if (last !== seen) consumer.changed(last);
      });
    this.pending.set(path, { newest: first, looked });
    return looked;
  }
}
