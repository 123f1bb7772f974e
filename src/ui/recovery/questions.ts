import type { RecoveryAction } from '../../model';

/** What a person is asked before a process ends. Only restart and stop ask: nothing else ends one. */
export interface Question {
  readonly message: string;
  readonly detail: string;
  readonly button: string;
}

const SAVED = 'Uncommitted work is saved first and can be restored with Restore Checkpoint.';

/** What the question depends on. */
export interface Circumstances {
  /** Its process has ended already. */
  readonly ended: boolean;
  /** It works in the chat of this window: its turn is cancelled, and a new chat begins. */
  readonly inChat?: boolean;
  /** The model that would be started. */
  readonly model?: string;
}

/** Null: the action ends nothing, so nothing is asked. */
export function questionBefore(
  action: RecoveryAction,
  agentName: string,
  { ended, inChat = false, model }: Circumstances,
): Question | null {
  const process = ended ? 'Its process has ended.' : 'The running process ends.';
  const ends = inChat ? 'Its turn is cancelled, and a new chat comes to the front.' : process;
  const restart = (how: string): Question => ({
    message: `Restart ${agentName} ${how}?`,
    detail: `${ends} ${SAVED}`,
    button: 'Restart',
  });
  switch (action) {
    case 'resume':
      return restart('with feedback');
    case 'fresh':
      return restart('with a fresh context');
    case 'next_model':
      return restart(`with ${model ?? 'the next model'}`);
    case 'top_model':
      return restart(model === undefined ? 'with more thinking' : `with ${model} and more thinking`);
    case 'stop':
      return {
        message: `Stop ${agentName}?`,
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
