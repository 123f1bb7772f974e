export * from './conversation';
export * from './document';
export * from './event-body';
export * from './known-facts';
export * from './paired-calls';
export * from './record-emitter';
export * from './tool-result';
export * from './usage';
