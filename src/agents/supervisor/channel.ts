import type { MessageKind } from '../../core/model';
import type { Result } from '../../base/util/result';

/** Options of a restart, with its prompt marked by the message's id. */
export interface RestartRequest {
  readonly mode: 'resume' | 'fork' | 'fresh';
  readonly session: string;
  readonly prompt: string;
  readonly model?: string;
  readonly thinking?: string;
}

/** `done`: the running program did it itself. `start`: the program is ended first, then this one started. */
export type Restart =
  | { readonly how: 'done'; readonly session: string }
  | {
      readonly how: 'start';
      readonly argv: readonly string[];
      /** Added to the environment. */
      readonly env?: Readonly<Record<string, string>>;
      /** Lines that are written to it first. */
      readonly lines?: readonly string[];
      /** `closed`: it gets no standard input. */
      readonly input: 'passed_on' | 'closed';
      /** The session that will come of it, where that is known beforehand. */
      readonly session?: string;
    };

export interface RestartFailure {
  /** For the receipt: `no_template`, `no_mode`, `not_answered`, … */
  readonly reason: string;
  /** One sentence. */
  readonly message: string;
}

/** Writes one line to the program's standard input; false where that is closed. */
export type WriteLine = (line: string) => boolean;

/** Talks to one kind of program over its standard streams. One channel for each start. */
export interface Channel {
  /** `raw`: bytes are passed on as they come. `lines`: whole lines are, so that our lines never land in the middle of another. */
  readonly passes: 'raw' | 'lines';
  /** Sessions whose messages can be taken now. */
  sessions(): readonly string[];
  /** A line that the program wrote. False: it answers us and is not passed on. */
  heard(line: Buffer): boolean;
  /** A line of the person that is passed on to the program. */
  told(line: Buffer): void;
  /** May standard input be closed, once the person has closed theirs? */
  mayCloseInput(): boolean;
  takes(kind: MessageKind): boolean;
  /** Hands a text over; false: the program did not take it. */
  deliver(session: string, text: string): Promise<boolean>;
  /**
   * Asks the program to stop working on a session. `ends`: the program is expected to end by itself. `done`: it has stopped and lives on for
   * its other sessions. `cannot`: there is no way to ask.
   */
  askToStop(session: string): 'ends' | 'done' | 'cannot';
  /** Returns whether the command starts one agent after another: ending it means ending all of them. */
  isLoop?(): boolean;
  restart(request: RestartRequest): Promise<Result<Restart, RestartFailure>>;
}
