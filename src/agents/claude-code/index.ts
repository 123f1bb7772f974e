export { claudeCode } from './adapter';
