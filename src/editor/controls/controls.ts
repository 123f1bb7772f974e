import type { AgentView, Delivery, Incident, RecoveryAction } from '../../core/model';
import type { PanelHelpedBefore, PanelRecovery } from '../panel-model/snapshot';
import type { Reach, Surface } from '../../core/words';

/** Messages to an agent, wherever it runs. */
export interface AgentMessages {
  /** Returns the text that would be sent for its gravest incident, or to get it going again; empty if nothing is wrong. */
  draft(view: AgentView): string;
  /** Returns the way in which a message would reach it now; null if there is none. */
  reach(view: AgentView): Reach | null;
  /** Returns whether anything hands messages to it. */
  isConnected(view: AgentView): boolean;
  /** Returns one sentence if its release was not tested; else null. */
  notTested(view: AgentView): string | null;
  send(view: AgentView, text: string, incident: Incident | undefined): Promise<SendResult>;
  /** Returns whether a message can be withdrawn while it waits. */
  canWithdraw(view: AgentView): boolean;
  /** Withdraws a message while it waits. Returns why it could not, else null. */
  withdraw(view: AgentView, id: string): Promise<string | null>;
  /** Sends the same words again, for a message that expired or failed. */
  sendAgain(view: AgentView, delivery: Delivery): Promise<SendResult>;
}

/** Actions other than messages that get an agent going, and the place where it runs. */
export interface AgentRecovery {
  /** Returns the ladder of an incident and what can be done about it; undefined if there is nothing to recover. */
  shown(view: AgentView, incident: Incident | undefined): PanelRecovery | undefined;
  helpedBefore(view: AgentView, incident: Incident | undefined): PanelHelpedBefore | undefined;
  act(view: AgentView, incident: Incident | undefined, action: RecoveryAction): Promise<void>;
  chooseRestart(view: AgentView): Promise<void>;
  stop(view: AgentView): Promise<void>;
  hold(view: AgentView, incident: Incident | undefined, on: boolean): void;
  saveCheckpoint(view: AgentView): Promise<void>;
  copyRestartCommand(view: AgentView): Promise<void>;
  /** Returns true if a restart was clicked and its agent has not ended yet: the person has to close it. */
  waitsForClose(view: AgentView): boolean;
  /** Returns where in this window it runs, as far as it is known by now; null if it does not. */
  surfaceOf(view: AgentView): Surface | null;
  /** Returns the same for an agent whose process may be gone by now. */
  surfaceLeft(view: AgentView): Surface | null;
  /** Returns whether the terminal in which it runs is in view, as far as it is known by now. */
  isInFront(view: AgentView): boolean;
  goTo(view: AgentView): Promise<void>;
}

/** The ways to one agent: through its inbox here, or through the message server and the relay of its machine. */
export interface AgentControls {
  readonly messages: AgentMessages;
  readonly recovery: AgentRecovery;
}

export type ControlsOf = (view: AgentView) => AgentControls;

/** Reaches an agent on another machine through that machine. */
export function controlsByMachine(here: AgentControls, there: AgentControls): ControlsOf {
  return ({ machine }) => (machine ? there : here);
}

/**
 * The message that was sent, or the reason why none was, in one clear sentence for the person. `handled` means that the person knows already, or did
 * not want it.
 */
export type SendResult = { readonly sent: Delivery } | { readonly message: string } | { readonly handled: true };
