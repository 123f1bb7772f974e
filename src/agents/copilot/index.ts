export { copilot } from './adapter';
