export { sweAgent } from './adapter';
