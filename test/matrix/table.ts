import { type Cell, PLAIN } from './cells';
import type { Fault } from './judge';
import { BEFORE, type Counts } from './before';

export interface Verdict {
  readonly cell: Cell;
  readonly fault: Fault | null;
}

const isFound = ({ fault }: Verdict): boolean => fault === null || fault === 'by another rule';
const isStuckBase = ({ cell }: Verdict): boolean => cell.base.found !== undefined;
const isPlain = ({ cell }: Verdict): boolean => cell.change === PLAIN;

/** The figures of a whole matrix, each as `7 of 9`. */
export function countsOf(verdicts: readonly Verdict[]): Counts {
  const stuck = verdicts.filter(isStuckBase);
  const healthy = verdicts.filter((one) => !isStuckBase(one));
  const key = ({ cell }: Verdict): string => `${cell.base.name} ${cell.format.name}`;
  const plain = new Set(stuck.filter((one) => isPlain(one) && isFound(one)).map(key));
  const kept = stuck.filter((one) => !isPlain(one) && plain.has(key(one)));
  const of = (some: readonly unknown[], all: readonly unknown[]): string => `${some.length} of ${all.length}`;
  const changes = [...new Set(verdicts.map(({ cell }) => cell.change))];
  return {
    whole: {
      'stuck runs found when nothing is changed': of([...plain], stuck.filter(isPlain)),
      'of those, still found under a change': of(kept.filter(isFound), kept),
      'all stuck runs found': of(stuck.filter(isFound), stuck),
      'healthy runs called stuck': of(
        healthy.filter(({ fault }) => fault === 'false stuck'),
        healthy,
      ),
      'healthy runs with a warning': of(
        healthy.filter(({ fault }) => fault === 'false warning'),
        healthy,
      ),
    },
    changes: Object.fromEntries(
      changes.map((change) => {
        const here = (one: Verdict): boolean => one.cell.change === change;
        return [
          change,
          [
            of(
              stuck.filter((one) => here(one) && isFound(one)),
              stuck.filter(here),
            ),
            of(
              healthy.filter((one) => here(one) && one.fault === null),
              healthy.filter(here),
            ),
          ],
        ];
      }),
    ),
  };
}

/** The two tables of docs/evaluation.md. */
export function tablesOf({ whole, changes }: Counts): string {
  const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;
  return (
    row('', 'this version', '7e1a068') +
    row('---', '---', '---') +
    Object.entries(whole)
      .map(([name, figure]) => row(name, figure, BEFORE.whole[name] ?? ''))
      .join('') +
    '\n' +
    row('change', 'stuck: found', 'healthy: silent', '7e1a068: found', '7e1a068: silent') +
    row('---', '---', '---', '---', '---') +
    Object.entries(changes)
      .map(([name, figures]) => row(name, ...figures, ...(BEFORE.changes[name] ?? ['', ''])))
      .join('')
  );
}
