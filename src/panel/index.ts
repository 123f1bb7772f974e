export * from './build';
export * from './check';
export * from './messages';
export * from './snapshot';
export * from './timeline';
