import type { RecoveryAction } from '../../core/model';

/** The question to a person before a process ends. Only restart and stop ask, since no other action ends one. */
export interface EndingQuestion {
  readonly message: string;
  readonly detail: string;
  readonly button: string;
}

/** Facts on which the question depends. */
export interface Circumstances {
  /** True if its process has ended already. */
  readonly ended: boolean;
  /** True if nothing shows whether its process still runs, so that the person has to know. */
  readonly unknown?: boolean;
  /** True if it works in the chat of this window: its turn is cancelled, and a new chat begins. */
  readonly inChat?: boolean;
  /** The other machine on which it runs. */
  readonly machine?: string;
  /** The model that would be started. */
  readonly model?: string;
}

/** Returns the question before an action; null if the action ends nothing, so that nothing is asked. */
export function questionBefore(
  action: RecoveryAction,
  agentName: string,
  { ended, unknown = false, inChat = false, machine, model }: Circumstances,
): EndingQuestion | null {
  const who = machine === undefined ? agentName : `${agentName} on ${machine}`;
  const running = unknown
    ? 'Unstuck cannot tell whether it is still running. Quit it first, or two of them work in the same session.'
    : 'The running process ends.';
  const process = ended ? 'Its process has ended.' : running;
  const ends = inChat ? 'Its turn is cancelled, and a new chat comes to the front.' : process;
  const saved = 'Uncommitted work is saved first and can be restored with Restore Checkpoint.';
  const detail = machine === undefined ? `${ends} ${saved}` : ends;
  const restart = (message: string): EndingQuestion => ({ message, detail, button: 'Restart' });
  switch (action) {
    case 'resume':
      return restart(`Restart ${who} with feedback?`);
    case 'fresh':
      return restart(`Restart ${who} with a fresh context?`);
    case 'next_model':
      return restart(model === undefined ? `Restart ${who} with the next model?` : `Restart ${who} with ${model}?`);
    case 'top_model':
      return restart(
        model === undefined ? `Restart ${who} with more thinking?` : `Restart ${who} with ${model} and more thinking?`,
      );
    case 'stop':
      return {
        message: `Stop ${who}?`,
        detail: inChat
          ? 'Its chat comes to the front, and its turn is cancelled.'
          : 'The running process ends. Its transcript stays.',
        button: 'Stop',
      };
    case 'fork':
    case 'nudge':
    case 'split':
    case 'reassign':
    case 'checkpoint':
    case 'block':
    case 'ask':
      return null;
  }
}
