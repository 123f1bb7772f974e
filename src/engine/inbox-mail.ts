import { appendReceipt, deliveries, expireMessages, inboxFolder, inboxRoot } from '../inbox';
import type { Log } from '../util/log';
import type { Mail } from './ports';

/** The inboxes in the open workspace folders. `folders` is asked each time: folders come and go. */
export function workspaceMail(folders: () => readonly string[], now: () => number, log: Log): Mail {
  const rootOf = (cwd: string | undefined) => (cwd === undefined ? null : inboxRoot(folders(), cwd));
  return {
    async read(session, cwd) {
      const root = rootOf(cwd);
      if (root === null) return [];
      const result = await deliveries(root, session, now());
      if (result.ok) return result.value.deliveries;
      log.warn(result.error.message);
      return [];
    },
    async write(session, cwd, receipt) {
      const root = rootOf(cwd);
      if (root === null) return;
      const result = await appendReceipt(inboxFolder(root, session), receipt);
      if (!result.ok) log.warn(result.error.message);
    },
    async expire(session, cwd) {
      const root = rootOf(cwd);
      if (root === null) return;
      const result = await expireMessages(root, session, now());
      if (!result.ok) log.warn(result.error.message);
    },
  };
}
