export * from './bridge';
export { cleanInboxes, type Cleaned, KEPT_FOR } from './clean';
export {
  allDeliveries,
  canSendAgain,
  CLOCK,
  type Deliveries,
  deliveries,
  deliveryOf,
  type Place,
  SEEN_WITHIN,
} from './deliveries';
export { type InboxFailure, type InboxFailureCode } from './failure';
export { inboxFolder, type InboxFolder, prepareUnstuck, sessionFolderName } from './folder';
export {
  canRun,
  findRuntimes,
  forgetRoot,
  type HookFiles,
  type HookState,
  hookState,
  installHook,
  recordedRoots,
  readHookFiles,
  recordRoot,
} from './hook-folder';
export { isMessageId, markOf, withMark, withoutMark } from './mark';
export { type Reach, reach, type Situation } from './reach';
export { appendReceipt, readReceipts, receipt } from './receipts';
export { contains, inboxRoot, inboxRoots, type RootFiles } from './root';
export { LONGEST_TEXT, parseMessage } from './schema';
export { DEFAULT_EXPIRY, draftOf, type MessageDraft, messageOf, sendMessage, type SendOptions } from './send';
export {
  emptyTracker,
  STEPS_UNTIL_ACTED,
  track,
  type Tracked,
  type TrackedMessage,
  type Tracker,
  type TrackerInput,
} from './tracker';
export {
  expireMessages,
  type InboxProblem,
  isExpired,
  type Taken,
  takeMessages,
  type TakeRequest,
  withdrawMessage,
} from './waiting';
