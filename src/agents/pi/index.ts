export { pi } from './adapter';
