export { goose } from './adapter';
