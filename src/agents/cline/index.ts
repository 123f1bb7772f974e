export { cline } from './adapter';
