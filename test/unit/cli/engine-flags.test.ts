import { beforeEach, expect, it, vi } from 'vitest';
import { setEngineFlags } from '../../../src/cli/engine-flags';

const set = vi.hoisted(() => [] as string[]);
vi.mock('node:v8', () => ({ setFlagsFromString: (flag: string) => set.push(flag) }));

beforeEach(() => {
  set.length = 0;
});

it('has a command that reads long histories compile less, and one that stays keep its heap small', () => {
  setEngineFlags('scan', '20.20.2');
  expect(set).toEqual([expect.stringContaining('inlined'), expect.stringContaining('heap-growing')]);
  set.length = 0;
  setEngineFlags('run', '24.1.0');
  expect(set).toEqual([expect.stringContaining('semi-space'), expect.stringContaining('heap-growing')]);
});

it('leaves a Node alone of which nobody knows what flags it takes', () => {
  setEngineFlags('scan', '26.0.0');
  setEngineFlags(undefined, '25.0.0');
  expect(set).toEqual([]);
});
