export { type Spills, createSpills } from './journal/spill';
export { openStore } from './store';
export type * from './types';
