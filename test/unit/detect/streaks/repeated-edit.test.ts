import { describe, expect, it } from 'vitest';
import { script } from '../support/script';

const REFUSED = 'Your proposed edit has introduced new syntax error(s).\n- E999 SyntaxError: invalid syntax';

describe('an edit that is refused again and again', () => {
  it('is reported as a call that fails, and not as a check that other edits do not change', () => {
    const run = script().user('Fix the date parser.');
    run.times(6, (one, index) => {
      one.call(
        'edit',
        { path: 'src/http.py', content: `other ${index}` },
        { output: `${REFUSED} ${index}`, isError: true },
      );
      one.call('edit', { path: 'src/http.py', content: 'if year < 100:' }, { output: REFUSED, isError: true });
    });
    const { findings } = run.run();
    const last = findings.at(-1);
    expect(last).toMatchObject({ detector: 'consecutive_failures', rule: 'refused_edits', level: 'stuck' });
    expect(last?.situations).toContain('failing');
    expect(last?.why).not.toContain('No edit changed the result');
  });
});
