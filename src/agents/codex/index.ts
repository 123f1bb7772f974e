export { codex } from './adapter';
