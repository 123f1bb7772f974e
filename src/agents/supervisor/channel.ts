import type { MessageKind } from '../../core/model';
import type { Result } from '../../base/util/result';

/** Options of a restart, whose prompt carries the mark with the message's id. */
export interface RestartRequest {
  readonly mode: 'resume' | 'fork' | 'fresh';
  readonly session: string;
  readonly prompt: string;
  readonly model?: string;
  readonly thinking?: string;
}

/** `done`: the running program did it itself. `start`: the program is ended first, then this one is started. */
export type Restart =
  | { readonly how: 'done'; readonly session: string }
  | {
      readonly how: 'start';
      readonly argv: readonly string[];
      /** Variables added to the environment. */
      readonly env?: Readonly<Record<string, string>>;
      /** Lines that are written to its standard input first. */
      readonly lines?: readonly string[];
      /** `closed`: the program gets no standard input. */
      readonly input: 'passed_on' | 'closed';
      /** The resulting session, if it is known beforehand. */
      readonly session?: string;
    };

export interface RestartFailure {
  /** For the receipt: `no_template`, `no_mode`, `not_answered`, … */
  readonly reason: string;
  /** One sentence. */
  readonly message: string;
}

/** Writes one line to the program's standard input; false if that is closed. */
export type WriteLine = (line: string) => boolean;

/** Talks to one kind of program over its standard streams. One channel for each start. */
export interface Channel {
  /** `raw`: bytes are passed on as they come. `lines`: whole lines are passed on, so that our lines never land in the middle of another. */
  readonly passes: 'raw' | 'lines';
  /** Returns the sessions whose messages can be taken now. */
  sessions(): readonly string[];
  /** Handles a line that the program wrote. Returns false if it answers us and must not be passed on. */
  programWrote(line: Buffer): boolean;
  /** Handles a line of the person that is passed on to the program. */
  personWrote(line: Buffer): void;
  /** Returns whether standard input may be closed, once the person has closed theirs. */
  mayCloseInput(): boolean;
  takes(kind: MessageKind): boolean;
  /** Delivers a text; false: the program did not take it. */
  deliver(session: string, text: string): Promise<boolean>;
  /**
   * Asks the program to stop working on a session. `ends`: the program is expected to end on its own. `done`: it has stopped, and stays alive for its
   * other sessions. `cannot`: there is no way to ask.
   */
  requestStop(session: string): 'ends' | 'done' | 'cannot';
  /** Returns whether the command starts one agent after another: ending it means ending all of them. */
  isLoop?(): boolean;
  restart(request: RestartRequest): Promise<Result<Restart, RestartFailure>>;
}
