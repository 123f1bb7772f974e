export * from './bridge';
export { cleanInboxes, type Cleaned } from './messages/clean';
export {
  allDeliveries,
  type Deliveries,
  deliveries,
  deliveryOf,
  type Place,
} from './messages/deliveries';
export { watchEnds } from './end-file';
export { type InboxFailure, type InboxFailureCode } from './failure';
export { type GateFile, type GateFileState, removeGateFile, writeGateFile } from './gate-file';
export { inboxFolder, type InboxFolder, prepareUnstuck, sessionFolderName } from './folder';
export {
  findRuntimes,
  forgetRoot,
  type HookFiles,
  type HookState,
  hookState,
  installHook,
  recordedRoots,
  readHookFiles,
  recordRoot,
} from './hook/hook-folder';
export { isMessageId, markOf } from './messages/mark';
export { appendReceipt, readReceipts, receipt } from './messages/receipts';
export { contains, inboxRoot, inboxRoots, type RootFiles } from './root';
export { parseMessage } from './messages/schema';
export { draftOf, type MessageDraft, messageOf, sendMessage, type SendOptions } from './messages/send';
export { markSupervised, supervisorOf, unmarkSupervised } from './supervised';
export {
  emptyTracker,
  track,
  type Tracked,
  type TrackedMessage,
  type Tracker,
  type TrackerInput,
} from './messages/tracker';
export {
  expireMessages,
  type InboxProblem,
  type Taken,
  takeMessages,
  type TakeRequest,
  withdrawMessage,
} from './messages/waiting';
