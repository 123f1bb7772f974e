import type { AgentView, FleetProblem, Incident } from '../../core/model';
import type { Disposable } from '../../base/util/disposable';
import type { Result } from '../../base/util/result';
import type { FleetAction, MessageRecord, RelayRefusal } from '../wire';

/** The agents of this machine: the engine. */
export interface RelayAgents {
  /** Returns the agents that are shown. */
  agents(): readonly AgentView[];
  shownAgent(session: string): AgentView | undefined;
  /** Calls the listener with the keys of the sessions that changed. */
  onDidChange(listener: (sessions: readonly string[]) => void): Disposable;
  onDidChangeIncident(
    listener: (change: {
      readonly incident: Incident;
      readonly before: Incident | null;
      readonly session: string;
    }) => void,
  ): Disposable;
}

/** The inboxes of this machine. */
export interface RelayMailbox {
  /** Returns which of the allowed actions may be written to an agent now. */
  accepts(view: AgentView): readonly FleetAction[];
  /** Writes a message into the agent's inbox; one that is already there is not written again. Resolves when it is in `new`. */
  write(
    view: AgentView,
    message: MessageRecord,
  ): Promise<Result<'queued' | 'known', { readonly why: RelayRefusal; readonly detail: string }>>;
}

/** A message as the server delivers it. One that is not done within ten seconds is delivered again. */
export interface IncomingMessage {
  readonly viewer: string;
  readonly bytes: Uint8Array;
  /** Marks it as done: the server forgets it. Resolves when the server has confirmed that. */
  done(): Promise<void>;
}

/** The connection to the message server, as a relay needs it. No method throws. */
export interface RelayLink extends Disposable {
  isUp(): boolean;
  /** Calls the listener when the connection came or went, or when the server refused something. */
  onDidChange(listener: (change: LinkChange) => void): Disposable;
  putState(stateKey: string, bytes: Uint8Array): Promise<Result<void, FleetProblem>>;
  removeState(stateKey: string): Promise<Result<void, FleetProblem>>;
  /** `id`: the server stores the same id once within ten minutes. */
  publish(subject: string, id: string, bytes: Uint8Array): Promise<Result<void, FleetProblem>>;
  /** Passes on messages for this machine, a limited number at a time, until disposed. */
  takeMessages(handle: (message: IncomingMessage) => Promise<void>): Disposable;
  /** Answers claims of other relays of this name: true keeps the name. */
  answerClaims(answer: (run: string) => boolean): Disposable;
  /** Checks whether another relay keeps the name. */
  claim(run: string): Promise<'free' | 'taken' | 'unknown'>;
  /** Sends what is still on its way. */
  drain(): Promise<void>;
}

export type LinkChange =
  | { readonly kind: 'up'; readonly server: string }
  | { readonly kind: 'down'; readonly problem: FleetProblem; readonly detail: string };
