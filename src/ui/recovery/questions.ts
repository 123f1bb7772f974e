import { t } from '../../util/l10n';
import type { RecoveryAction } from '../../model';

/** What a person is asked before a process ends. Only restart and stop ask: nothing else ends one. */
export interface Question {
  readonly message: string;
  readonly detail: string;
  readonly button: string;
}

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
  const process = ended ? t`Its process has ended.` : t`The running process ends.`;
  const ends = inChat ? t`Its turn is cancelled, and a new chat comes to the front.` : process;
  const saved = t`Uncommitted work is saved first and can be restored with Restore Checkpoint.`;
  const restart = (message: string): Question => ({ message, detail: `${ends} ${saved}`, button: t`Restart` });
  switch (action) {
    case 'resume':
      return restart(t`Restart ${agentName} with feedback?`);
    case 'fresh':
      return restart(t`Restart ${agentName} with a fresh context?`);
    case 'next_model':
      return restart(
        model === undefined ? t`Restart ${agentName} with the next model?` : t`Restart ${agentName} with ${model}?`,
      );
    case 'top_model':
      return restart(
        model === undefined
          ? t`Restart ${agentName} with more thinking?`
          : t`Restart ${agentName} with ${model} and more thinking?`,
      );
    case 'stop':
      return {
        message: t`Stop ${agentName}?`,
        detail: inChat
          ? t`Its chat comes to the front, and its turn is cancelled.`
          : t`The running process ends. Its transcript stays.`,
        button: t`Stop`,
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
