export * from './copy';
export * from './exit-code';
export * from './files';
export * from './json';
export * from './message-mark';
export * from './shell-command';
export * from './tool-names';
export * from './tools';
