import { describe, expect, it } from 'vitest';
import { resolveOptions } from '../../../../src/detect/session/options';
import { script } from '../support/script';

describe('a long run of one call, with a limit that a person raised', () => {
  // make prints the same 60 times; the rule reports at the 40th
  it('shows its first and newest steps, whatever it forgets in between', () => {
    const high = { warn: 40, stuck: 50 };
    const options = resolveOptions({
      preset: 'balanced',
      detectors: { repeating_action: high, repeating_outcome: { warn: 90, stuck: 90 } },
    });
    const run = script()
      .user('Go.')
      .times(60, (one) => one.call('bash', { command: 'make' }, { output: 'built' }));
    const [alert] = run.incidentsOf('repeating_action', options);
    const lines = alert?.last.evidence.map((row) => row.source.line) ?? [];
    expect(alert?.last.count).toBe(60);
    expect([lines.slice(0, 3), lines.at(-1)]).toEqual([[2, 4, 6], 2 * 60]);
  });
});
