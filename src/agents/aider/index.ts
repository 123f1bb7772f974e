export { aider } from './adapter';
