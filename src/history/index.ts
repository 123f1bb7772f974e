export { createBreather } from './breathe';
export { type Spills, createSpills } from './journal/spill';
export { OUTCOMES, narrowed, readSearchLine, type SearchLine } from './queries/search-line';
export { openStore, openThreadedStore } from './open-store';
export { STORE_EVENT_TYPES } from './types';
export type * from './types';
