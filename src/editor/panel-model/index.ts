/** Exports for host and webview. The host's own parts are build.ts, intents.ts and showable.ts; the webview imports none of them. */
export { hasFailed, heightIndex, heightOf, wasSeen } from '../../core/model';
export * from './compare';
export type { PanelIntent } from './intents';
export * from './messages';
export * from './overview';
export type { OverviewIntent } from './overview-intents';
export * from './rules';
export type { RulesIntent } from './rules-intents';
export * from './snapshot';
export * from './statistics';
export type { StatisticsIntent } from './statistics-intents';
export * from './stored';
export * from './timeline';
