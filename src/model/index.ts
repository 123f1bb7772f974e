export * from './agent';
export * from './agent-id';
export * from './detector';
export * from './event';
export * from './finding';
export * from './incident';
export * from './message';
export * from './gate';
