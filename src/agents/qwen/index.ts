export { qwen } from './adapter';
