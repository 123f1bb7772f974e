import { describe, expect, it } from 'vitest';
import { strategyOf } from '../../../src/recover/strategy';

describe('the strategy of an incident', () => {
  it('is that of its owner', () => {
    expect(strategyOf({ detector: 'repeating_outcome' }).name).toBe('reassign');
  });

  it('is chosen by the first rule of context that is itself stuck', () => {
    const context = [
      { detector: 'condensation_loop', level: 'warn' },
      { detector: 'token_exhaustion', level: 'stuck' },
      { detector: 'context_pollution', level: 'stuck' },
    ] as const;
    expect(strategyOf({ detector: 'repeating_outcome', context }).name).toBe('respawn_with_checkpoint');
  });
});
