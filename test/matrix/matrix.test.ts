import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { BASES, type Base, CHANGES, PLAIN, type Said, cellsOf, saidOf } from './cells';
import { faultOf, nameOf, whyLeftOut } from './judge';
import { entryOf, knownFaults, names, writeKnown } from './known';
import { type Verdict, countsOf, tablesOf } from './table';

/** `npm run table -- matrix WORDS`: only the base or the change of this name, each cell printed; without words, the tables. */
const wanted = process.env['UNSTUCK_MATRIX'];
const updates = process.env['UPDATE_GOLDEN'] !== undefined;
const bases = BASES.some(({ name }) => name === wanted) ? BASES.filter(({ name }) => name === wanted) : BASES;
const change = wanted !== undefined && CHANGES.has(wanted) ? wanted : undefined;
if (wanted && bases === BASES && change === undefined) throw new Error(`no such base or change: ${wanted}`);

const known = knownFaults();
const verdicts: Verdict[] = [];

describe('the matrix', () => {
  test('has a unique name for each run and each change', () => {
    const names = [...BASES.map(({ name }) => name), ...CHANGES.keys()];
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  test.each(bases)('$name', async (base) => {
    const judged = await verdictsOf(base);
    verdicts.push(...judged);
    if (change !== undefined) return;
    const cells = judged.map(({ cell }) => nameOf(cell));
    const faulty = new Set(judged.filter(({ fault }) => fault !== null).map(({ cell }) => nameOf(cell)));
    const before = known.get(base.name) ?? '';
    if (updates)
      known.set(
        base.name,
        entryOf(cells, (cell) => faulty.has(cell) && names(before, cell)),
      );
    expect(known.get(base.name) ?? '').toBe(entryOf(cells, (cell) => faulty.has(cell)));
  });

  test.runIf(!wanted)('names known faults of its own bases only, and the document has its tables', () => {
    expect([...known.keys()].filter((name) => !bases.some((base) => base.name === name))).toEqual([]);
    if (updates) writeKnown(known);
    const tables = tablesOf(countsOf(verdicts));
    if (wanted !== undefined) console.log(tables);
    const path = join(__dirname, '../../docs/evaluation.md');
    const document = readFileSync(path, 'utf8');
    const written = document.replace(
      /(<!-- matrix: written by npm run golden -->\n)[^]*?(<!-- \/matrix -->)/,
      (_, open: string, close: string) => `${open}${tables}${close}`,
    );
    if (updates) writeFileSync(path, written);
    else expect(document).toBe(written);
  });
});

async function verdictsOf(base: Base): Promise<Verdict[]> {
  const plain = new Map<string, readonly Said[]>();
  const judged: Verdict[] = [];
  for (const cell of cellsOf(base)) {
    const isOf = change === undefined || cell.change === change || cell.change === PLAIN;
    if (!isOf || whyLeftOut(base.name, cell.change) !== undefined) continue;
    const said = await saidOf(cell);
    if (cell.change === PLAIN) plain.set(cell.format.name, said);
    const fault = faultOf(cell, said, plain.get(cell.format.name) ?? []);
    judged.push({ cell, fault });
    if (wanted) print(cell.base.name, nameOf(cell), fault ?? '', said);
  }
  return judged;
}

function print(base: string, cell: string, fault: string, said: readonly Said[]): void {
  const rounds = said.map(
    ({ detector, warnRound, stuckRound }) =>
      `${detector}: warn in round ${warnRound}${stuckRound === null ? '' : `, stuck in ${stuckRound}`}`,
  );
  console.log(`${base.padEnd(20)} ${cell.padEnd(32)} ${fault.padEnd(16)} ${rounds.join('; ')}`);
}
