import { expect, it } from 'vitest';
import { familyOf, parentsIn } from '../../../../src/editor/recovery/terminal-family';

it('an agent belongs to the terminal whose shell is above it, whatever started it', () => {
  const parents = new Map([
    [40, 30],
    [30, 20],
    [20, 1],
    [50, 51],
    [51, 50],
  ]);
  const parentOf = (pid: number) => parents.get(pid) ?? null;
  expect(familyOf(40, parentOf)).toEqual([40, 30, 20]);
  expect(familyOf(99, parentOf)).toEqual([99]);
  // Ids that were reused during the read may form a cycle.
  expect(familyOf(50, parentOf)).toEqual([50, 51]);
});

it('reads the output of ps', () => {
  expect([...parentsIn('    1     0\n  412   1\n98765  412\n\nno line\n')]).toEqual([
    [1, 0],
    [412, 1],
    [98765, 412],
  ]);
});
