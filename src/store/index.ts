export type { StoreClock, StoreOptions } from './options';
export { openStore } from './store';
export type * from './types';
