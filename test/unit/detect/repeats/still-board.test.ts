import { describe, expect, it } from 'vitest';
import { begin, saidBy } from './telling';

/** Waits that request an hour each, and return with the same after this many seconds. */
const board = (looks: number, seconds: number) =>
  begin().times(looks, (run) =>
    run.call('wait_agent', { id: 'w', timeout_ms: 3_600_000 }, { output: 'running', after: seconds }),
  );
const still = (looks: number, seconds: number): string[] =>
  saidBy(board(looks, seconds), 'repeating_outcome', 'still_board');

describe('a board that does not change', () => {
  it('twenty equal looks and twenty minutes warn, whatever time each of them requests', () => {
    expect(still(19, 90)).toEqual([]);
    expect(still(20, 90)).toEqual(['warn 20']);
    expect(still(20, 30)).toEqual([]);
  });

  it('never reports stuck', () => expect(still(60, 90).every((one) => one.startsWith('warn'))).toBe(true));

  it('twin: something new in between', () => {
    const moved = begin().times(24, (run, n) =>
      run
        .call('wait_agent', { id: 'w', timeout_ms: 3_600_000 }, { output: 'running', after: 90 })
        .call('read_file', { path: 'board.md' }, { output: `${n} of 30 are done` }),
    );
    expect(saidBy(moved, 'repeating_outcome', 'still_board')).toEqual([]);
  });
});
