import type { Tail, TailOptions } from './types';

export function createTail(_options: TailOptions): Tail {
  throw new Error('being built');
}
