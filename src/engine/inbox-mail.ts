import {
  appendReceipt,
  callAgent,
  cleanInboxes,
  deliveries,
  expireMessages,
  inboxFolder,
  inboxRoot,
  noteInterruption,
  sendMessage,
} from '../agents/inbox';
import { draftAgain } from '../agents/inbox/messages/send';
import { withdrawMessage } from '../agents/inbox/messages/waiting';
import { isTextKind } from '../core/model';
import type { Log } from '../base/util/log';
import type { Mail } from './ports';

/**
 * Returns access to the inboxes in the open workspace folders. `folders` and `mayWrite` are called each time: folders come and go, and nothing is
 * written or deleted in a folder that is not trusted.
 */
export function workspaceMail(
  folders: () => readonly string[],
  now: () => number,
  log: Log,
  mayWrite: () => boolean,
): Mail {
  return mailOf((cwd) => inboxRoot(folders(), cwd), now, log, mayWrite);
}

/** Returns access to the inboxes at the places that `rootOfAgent` returns for the working directory of an agent. */
export function mailOf(
  rootOfAgent: (cwd: string) => string | null,
  now: () => number,
  log: Log,
  mayWrite: () => boolean,
): Mail {
  const rootOf = (cwd: string | undefined) => (cwd === undefined ? null : rootOfAgent(cwd));
  const writableRootOf = (cwd: string | undefined) => (mayWrite() ? rootOf(cwd) : null);
  return {
    async read(session, cwd) {
      const root = rootOf(cwd);
      if (root === null) return [];
      const result = await deliveries(root, session, now());
      if (!result.ok) {
        log.warn(result.error.message);
        return [];
      }
      for (const { code, why } of result.value.problems) if (code === 'unreadable') log.warn(why);
      return result.value.deliveries;
    },
    async write(session, cwd, receipt) {
      const root = writableRootOf(cwd);
      if (root === null) return;
      const result = await appendReceipt(inboxFolder(root, session), receipt);
      if (!result.ok) log.warn(result.error.message);
    },
    async interrupted(session, cwd, since) {
      const root = writableRootOf(cwd);
      if (root === null) return;
      const result = await noteInterruption(root, session, since, now());
      if (!result.ok) log.warn(result.error.message);
    },
    async call(session, cwd, message) {
      const root = writableRootOf(cwd);
      if (root !== null) await callAgent(inboxFolder(root, session), message);
    },
    async passOn(from, to, cwd) {
      const root = writableRootOf(cwd);
      if (root === null) return false;
      const found = await deliveries(root, from, now());
      const waiting = found.ok ? found.value.deliveries.filter(({ state }) => state === 'queued') : [];
      for (const { message } of waiting.filter((one) => isTextKind(one.message.kind))) {
        // Withdrawn first: of several windows one succeeds, and no agent gets it twice.
        const mine = await withdrawMessage(root, from, message.id, now());
        const left = Date.parse(message.expires) - now();
        if (!mine.ok || left <= 0) continue;
        const sent = await sendMessage(root, { ...draftAgain(message), session: to, expiresIn: left }, now());
        if (!sent.ok) log.warn(sent.error.message);
      }
      return waiting.length > 0;
    },
    async expire(session, cwd) {
      const root = writableRootOf(cwd);
      if (root === null) return;
      const result = await expireMessages(root, session, now());
      if (!result.ok) log.warn(result.error.message);
    },
    async clean(folder) {
      if (!mayWrite()) return;
      const { expired, messages, folders: removed } = await cleanInboxes(folder, now());
      if (expired + messages + removed > 0)
        log.info(
          `${folder}: expired messages: ${expired}; deleted: old messages ${messages}, silent inboxes ${removed}`,
        );
    },
  };
}
