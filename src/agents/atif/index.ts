export { atif } from './adapter';
