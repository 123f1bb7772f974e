import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { claudeCode } from '../../../../src/agents/claude-code/adapter';
import { linesOf } from '../../../golden/support';
import { decode } from './support';

const folder = join(__dirname, '../../../golden/fixtures/claude-code');
const real = readdirSync(folder)
  .filter((file) => file.endsWith('.jsonl'))
  .flatMap((file) => linesOf(readFileSync(join(folder, file), 'utf8')).map((line) => line.text))
  .filter((text) => text.length < 20_000);

/** Real rows in which values were replaced, dropped or given another type. */
const damaged = fc
  .tuple(fc.constantFrom(...real), fc.array(fc.tuple(fc.nat(), fc.jsonValue({ maxDepth: 2 })), { maxLength: 4 }))
  .map(([text, changes]) => {
    const row = JSON.parse(text) as Record<string, unknown>;
    for (const [where, value] of changes) replaceAt(row, where, value);
    return JSON.stringify(row);
  });

function replaceAt(row: Record<string, unknown>, where: number, value: unknown): void {
  let here: Record<string, unknown> = row;
  for (let depth = where; ; depth = Math.floor(depth / 7)) {
    const keys = Object.keys(here);
    const key = keys[where % Math.max(1, keys.length)];
    if (key === undefined) return;
    const inner = here[key];
    if (depth === 0 || typeof inner !== 'object' || inner === null) {
      here[key] = value;
      return;
    }
    here = inner as Record<string, unknown>;
  }
}

const cut = fc
  .tuple(fc.constantFrom(...real), fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([text, share]) => text.slice(0, Math.floor(text.length * share)));

describe('lines from a damaged disk, a newer version or a stranger', () => {
  it('never throw: each yields events or a problem with its position', () => {
    const line = fc.oneof(fc.constantFrom(...real), damaged, cut, fc.string(), fc.json());
    fc.assert(
      fc.property(fc.array(line, { maxLength: 40 }), (lines) => {
        const told = decode(lines);
        for (const event of told.events) {
          expect(event.session).toBeTypeOf('string');
          expect(Number.isFinite(event.at)).toBe(true);
          expect(event.source.line).toBeGreaterThan(0);
        }
        for (const problem of told.problems) {
          expect(problem.line).toBeLessThanOrEqual(lines.length);
          expect(problem.why.length).toBeLessThan(120);
        }
      }),
      { numRuns: 300, seed: 77 },
    );
  });

  it('are reported if they are cut, unless their head says that they do not matter', () => {
    fc.assert(
      fc.property(cut, (text) => {
        const told = decode([text]);
        const isWhole = (() => {
          try {
            JSON.parse(text);
            return true;
          } catch {
            return false;
          }
        })();
        if (isWhole || text.trim() === '' || text.startsWith('{"type":"') || text.includes('"attachment":{"type":"'))
          return;
        expect(told.problems.map((problem) => problem.why)).toEqual(['not valid JSON']);
      }),
      { numRuns: 300, seed: 78 },
    );
  });

  it('lose no call when they are shuffled', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(real.slice(0, 120), { minLength: 120 }), (lines) => {
        const told = decode(lines);
        const calls = new Set(
          lines.flatMap((text) =>
            text.includes('"type":"tool_use"') && !text.startsWith('{"type":"api-request')
              ? (/"id":"(toolu_[^"]+)"/.exec(text)?.[1] ?? [])
              : [],
          ),
        );
        expect(new Set(told.of('tool_call').map((event) => event.id))).toEqual(calls);
      }),
      { numRuns: 50, seed: 79 },
    );
  });

  it('are accepted by peek and recognises in any head', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(cut, damaged, fc.string()), { maxLength: 5 }), (lines) => {
        const head = lines.join('\n');
        expect(['yes', 'maybe', 'no']).toContain(claudeCode.recognises(head, '/x/y.jsonl'));
        expect(claudeCode.peek(head, '/x/y.jsonl').session).toBeTypeOf('string');
      }),
      { numRuns: 200, seed: 80 },
    );
  });
});
