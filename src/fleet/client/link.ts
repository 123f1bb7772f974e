import type { FleetProblem } from '../../core/model';
import type { Disposable } from '../../base/util/disposable';
import type { Result } from '../../base/util/result';
import type { LinkChange } from '../relay/ports';

/** A state as the server has it. Empty bytes: it was removed. */
export interface StoredState {
  readonly key: string;
  readonly bytes: Uint8Array;
  /** Position in the bucket's stream: of two states with one key the higher one is newer. */
  readonly sequence: number;
  /** When the server stored it, by the server's clock; absent for a state received as it is stored. */
  readonly storedAt?: number;
}

/** The connection to the message server, as a window needs it. No method throws. */
export interface ViewerLink extends Disposable {
  readonly viewer: string;
  isUp(): boolean;
  server(): string;
  onDidChange(listener: (change: LinkChange) => void): Disposable;
  /** Calls `heard` for states as they are stored from now on. */
  hearStates(heard: (state: StoredState) => void): Disposable;
  /** Calls `heard` for receipts for this viewer from now on. */
  hearReceipts(heard: (machine: string, bytes: Uint8Array) => void): Disposable;
  /** Resolves when the server knows the subscriptions. */
  ready(): Promise<void>;
  /** Returns all keys of the bucket. `last`: the newest position of its stream. */
  listStates(): Promise<Result<{ readonly keys: readonly string[]; readonly last: number }, FleetProblem>>;
  /** Returns a state; null if there is none. */
  readState(key: string): Promise<Result<StoredState | null, FleetProblem>>;
  /** Returns the first record of a subject at or after a position of the stream; null if none is left. */
  readEvent(
    subject: string,
    from: number,
  ): Promise<Result<{ readonly bytes: Uint8Array; readonly sequence: number } | null, FleetProblem>>;
  /** Sends a message to the server; the same id is stored once. */
  sendMessage(subject: string, id: string, bytes: Uint8Array): Promise<Result<void, FleetProblem>>;
}
