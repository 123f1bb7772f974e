export { rooCode } from './adapter';
