export { StoreError, type StoreReason } from './errors';
export { learningOf, taskType } from './learning';
export { type Processes, systemProcesses } from './process-id';
export type { StoreClock, StoreOptions } from './options';
export { openStore } from './store';
export { type Spilled, type Spills, createSpills } from './spill';
export { statisticsOf } from './statistics';
export type * from './types';
