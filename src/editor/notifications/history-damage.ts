import * as vscode from 'vscode';
import type { IncidentKey } from '../../history/types';
import { historyDamaged } from '../../core/words';
import type { Services } from '../services';
import { ask } from './ask';

/** Key under which one window claims the notification of damage. It belongs to no incident. */
const KEY: IncidentKey = { agent: 'generic', session: '', key: 'history damaged' };

/** Notifies a person once that the history was damaged, whichever window or command found it, and says what to do. */
export function notifyOfDamage({ store, log }: Pick<Services, 'store' | 'log'>): vscode.Disposable {
  let seenAt: number | undefined;
  const look = async (): Promise<void> => {
    const { damage } = store.status();
    if (!damage || damage.at === seenAt) return;
    seenAt = damage.at;
    const [file] = damage.files;
    const claim = file === undefined ? null : await store.claim(KEY, String(damage.at));
    if (!claim || file === undefined) return;
    await claim.done();
    const answer = await ask(historyDamaged({ ...damage, file }));
    if (answer === 'OK') await store.dismissDamage();
    if (answer === 'Show File') await vscode.commands.executeCommand('revealFileInOS', vscode.Uri.file(file));
  };
  const begin = (): void => {
    look().catch((error: unknown) => log.warn(`history: its damage could not be reported: ${String(error)}`));
  };
  begin();
  return store.onDidChangeStatus(begin);
}
