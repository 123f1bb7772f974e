export { armFolder, disarmFolder } from './armed-folder';
export * from './bridge';
export { cleanInboxes } from './messages/clean';
export { deliveries } from './messages/deliveries';
export { watchEnds } from './end-file';
export { type InboxFailure } from './failure';
export { type GateFileState, removeGateFile, writeGateFile } from './gate-file';
export { inboxFolder, prepareUnstuck, sessionFolderName } from './folder';
export {
  findRuntimes,
  forgetRoot,
  type HookFiles,
  hookState,
  installHook,
  readHookFiles,
  recordRoot,
} from './hook/hook-folder';
export { forgetProofs, isProven } from './hook/hook-proof';
export { noteInterruption } from './interruptions';
export { markOf } from './messages/mark';
export { appendReceipt, receipt } from './messages/receipts';
export { contains, inboxRoot, inboxRoots } from './root';
export { callAgent, type MessageDraft, sendMessage } from './messages/send';
export { markSupervised, supervisorOf, unmarkSupervised } from './supervised';
export { expireMessages, takeMessages } from './messages/waiting';
