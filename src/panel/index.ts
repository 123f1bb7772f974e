/** What host and webview share. The host's own parts are build.ts, intents.ts and showable.ts; the webview imports none of them. */
export { hasFailed, heightIndex, heightOf, wasSeen } from '../model';
export type { PanelIntent } from './intents';
export * from './messages';
export * from './snapshot';
export * from './stored';
export * from './timeline';
