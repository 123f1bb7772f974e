import { age, clock } from '../format';
import { type Sentence, code, say } from '../parts';

/** Reason why no message may be written to an agent. */
export type MessageHindrance =
  | 'untrusted'
  | 'no_folder'
  | 'finished'
  | 'waits_for_permission'
  | 'waits_for_approval'
  | 'waits_for_answer'
  /** Reasons that apply to an agent on another machine. */
  | 'not_allowed'
  | 'machine_silent';

/** Whether a connected agent has called Unstuck: not yet (`waiting`), or not in several calls (`silent`). */
export type Proof = 'proven' | 'waiting' | 'silent';

/** The status of a connection in a few words. */
export const PROOF_TEXTS: Readonly<Record<Proof, string>> = {
  proven: 'connected',
  waiting: 'set up; its next tool call confirms it',
  silent: 'connected, but does not answer',
};

/** Route and time of a message sent now, decided in recover/decisions/reach.ts. */
export type Reach =
  | { readonly kind: 'hindered'; readonly why: MessageHindrance }
  /** Nothing hands messages to this agent. If it cannot be connected, they wait in the inbox until it reads them on its own. */
  | { readonly kind: 'not_connected'; readonly canConnect: boolean }
  /** It is set up, and waits for the person to take this step, a sentence. */
  | { readonly kind: 'waits_for_trust'; readonly step: string }
  /** The session began before Connect, and this kind of agent reads its hooks only then. */
  | { readonly kind: 'not_loaded' }
  /** It is connected, but has made calls without calling Unstuck. */
  | { readonly kind: 'silent' }
  /** The message is put into the chat of this window, which comes to the front, after a person has agreed. */
  | { readonly kind: 'chat'; readonly runs: boolean }
  | { readonly kind: 'wakes' }
  | { readonly kind: 'next_prompt'; readonly interrupted?: true }
  /** Its run is over; a loop starts the next one, which takes the message. */
  | { readonly kind: 'next_run' }
  | { readonly kind: 'hanging' }
  | {
      readonly kind: 'long_call';
      readonly call: string;
      /** Milliseconds since the epoch. */
      readonly since: number;
      /** The latest time at which the message is still taken, milliseconds since the epoch. */
      readonly until?: number;
    }
  | { readonly kind: 'next_call' }
  /** Its machine takes the message over. `isLost`: that machine is not responding now. */
  | { readonly kind: 'elsewhere'; readonly machine: string; readonly isLost: boolean };

/** Reasons why no message may be written, each in one sentence for a person. */
export const HINDRANCE_TEXTS: Readonly<Record<MessageHindrance, string>> = {
  untrusted: 'Nudges are off until you trust this folder.',
  no_folder: 'The agent works in a folder that is not open here.',
  finished: 'The session has ended and can no longer receive messages.',
  waits_for_permission: 'The agent needs your permission. Answer it first: a nudge could be taken as a yes.',
  waits_for_approval:
    'The agent is waiting for you to approve its plan. Answer it first: a nudge could be taken as a yes.',
  waits_for_answer: 'The agent is asking a question. Answer it first: a nudge could be taken as the answer.',
  not_allowed: 'Its machine does not allow this, or cannot reach the agent.',
  machine_silent: 'Its machine is not responding, so nothing can be sent to it.',
};

/** The reasons as part of a sentence: `Nothing was sent: the agent is asking a question.` */
export const HINDRANCE_CLAUSES: Readonly<Record<MessageHindrance, string>> = {
  untrusted: 'the folder is not trusted',
  no_folder: 'the agent works in a folder that is not open here',
  finished: 'the agent has ended',
  waits_for_permission: 'the agent needs your permission',
  waits_for_approval: 'the agent is waiting for you to approve its plan',
  waits_for_answer: 'the agent is asking a question',
  not_allowed: 'its machine does not allow it',
  machine_silent: 'its machine is not responding',
};

/** Writes the line under the message box. */
export function reachSentence(reach: Reach, now: number): Sentence {
  switch (reach.kind) {
    case 'hindered':
      return say`${HINDRANCE_TEXTS[reach.why]}`;
    case 'not_connected':
      return reach.canConnect
        ? say`This agent is not connected. Unstuck asks to connect it first.`
        : say`Unstuck cannot connect to this agent. The message stays in its inbox.`;
    case 'waits_for_trust':
      return say`Set up, waiting for you to trust the hook. ${reach.step}`;
    case 'not_loaded':
      return say`This session started before you connected. End and resume it to receive messages.`;
    case 'silent':
      return say`Connected, but the agent works without calling Unstuck. It may have been started before you connected, with a different configuration folder, in a sandbox, without trust in this folder, or with hooks turned off. Restart it, or check its settings.`;
    case 'chat':
      return reach.runs
        ? say`Goes to the chat, which comes to the front. Its running turn is stopped first. Unstuck asks you before that.`
        : say`Goes to the chat, which comes to the front, and starts a new turn. Unstuck asks you before that.`;
    case 'wakes':
      return say`Wakes the agent at once and starts a new turn.`;
    case 'next_prompt':
      return reach.interrupted
        ? say`You interrupted it. The message arrives with your next prompt, and does not expire before it.`
        : say`Its turn has ended. The message arrives with your next prompt.`;
    case 'next_run':
      return say`This run has ended. The message waits for the next run of the loop.`;
    case 'hanging':
      return say`The agent cannot be reached while its request hangs. Only a restart reaches it.`;
    case 'long_call': {
      const until = reach.until === undefined ? '' : `, at most until ${clock(reach.until)}`;
      return say`The agent has been running ${code(reach.call)} for ${age(now - reach.since)}. The message waits until that ends${until}.`;
    }
    case 'elsewhere':
      return reach.isLost
        ? say`${reach.machine} is not responding. The message waits for it for at most 10 min.`
        : say`Sent to ${reach.machine}, which delivers it to the agent.`;
    case 'next_call':
      return say`Arrives at the agent’s next tool call, usually within 20 s. It does not interrupt a running command.`;
  }
}

/** Says in a few words when an agent takes a message that waits for it: `at the next tool call`. */
export function arrivalOf(reach: Reach | null): string {
  switch (reach?.kind) {
    case undefined:
    case 'elsewhere':
      return '';
    case 'hindered':
      return `not while ${HINDRANCE_CLAUSES[reach.why]}`;
    case 'not_connected':
      return 'the agent is not connected';
    case 'waits_for_trust':
      return 'once you trust the hook';
    case 'not_loaded':
      return 'once you end and resume the session';
    case 'silent':
      return 'the agent does not answer';
    case 'chat':
      return 'once it is sent to the chat';
    case 'wakes':
      return 'at once';
    case 'next_prompt':
      return 'with your next prompt';
    case 'next_run':
      return 'with the next run';
    case 'hanging':
      return 'once its request ends';
    case 'long_call':
      return 'once its call ends';
    case 'next_call':
      return 'at the next tool call';
  }
}

/** Returns the name of the button that sends. `continues`: the message makes an agent continue. */
export function sendName(reach: Reach, continues: boolean): string {
  const connects = reach.kind === 'not_connected' && reach.canConnect;
  if (continues) return connects ? 'Connect and Continue' : 'Continue';
  return connects ? 'Connect and Nudge' : 'Send Nudge';
}

/** Returns whether the button that sends is enabled. */
export function maySend(reach: Reach): boolean {
  return reach.kind !== 'hindered';
}
