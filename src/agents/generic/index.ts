export { generic } from './adapter';
export { checkGeneric } from './check';
