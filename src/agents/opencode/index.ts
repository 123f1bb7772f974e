export { opencode, opencodeExport, opencodeStream } from './adapter';
