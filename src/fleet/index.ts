export type * from './client/types';
export * from './wire';
