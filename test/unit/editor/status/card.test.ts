import { describe, expect, it } from 'vitest';
import { stepFlags } from '../../../../src/core/model';
import { statusCardOf } from '../../../../src/editor/status/card';
import { incident, MINUTE, T0 } from '../../history/support/incidents';
import { agentView } from '../support/views';

const NOW = T0 + 20 * MINUTE;
const steps = (...flags: number[]) => ({ length: flags.length, flag: (step: number) => flags[step] ?? 0 });
const LOOKED = stepFlags('looked', false, false);
const EDITED = stepFlags('changed', false, false);
const FAILED = stepFlags('ran', true, false);
const AGAIN = stepFlags('ran', true, true);

describe('an agent as a card', () => {
  it('has its newest steps as one line of text, and explains the signs', () => {
    const card = statusCardOf(
      agentView('s', {}, { title: 'Fix the test' }),
      [],
      steps(LOOKED, EDITED, FAILED, AGAIN, AGAIN),
      NOW,
    );
    expect(card).toMatch(/^\*\*Fix the test\*\* \(Claude Code\)\n\n/);
    expect(card).toContain(
      '```text\n.#x==\n5 steps: # changed something, o ran, . looked, x failed; = same result as before\n```\n',
    );
  });

  it('shows the last 60 of many, and no line of steps if there are none', () => {
    const many = statusCardOf(agentView('s'), [], steps(...Array<number>(100).fill(LOOKED), EDITED), NOW);
    expect(many).toContain(`\n${'.'.repeat(59)}#\nthe last 60 of 101 steps`);
    expect(statusCardOf(agentView('s'), [], undefined, NOW)).not.toContain('```');
  });

  it('names what was found, even if it is over', () => {
    const found = incident({ why: '`pytest -q` failed 4 times.', state: 'recovered' });
    expect(statusCardOf(agentView('s'), [found], undefined, NOW)).toContain('\n- pytest -q failed 4 times.\n');
  });

  it('does not turn a transcript into markup, and contains no secret', () => {
    const title = '![x](http://evil/?q) <img src=x> @all [here](http://evil) `code` # head';
    const why = 'The key is ghp_0123456789abcdefABCDEF0123456789abcd.';
    const card = statusCardOf(agentView('s', {}, { title }), [incident({ why })], undefined, NOW);
    expect(card).toContain(String.raw`\!\[x\]\(http://evil/?q\) \<img src=x\> \@all`);
    expect(card).not.toMatch(/(?<!\\)[<[`@]/);
    expect(card).not.toContain('0123456789abcdefABCDEF');
  });
});
