import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'vitest/node';

const ROOT = join(import.meta.dirname, '../../../src');

/** A regular expression of src. */
export interface Pattern {
  /** Relative to src. */
  readonly file: string;
  /** File, and line of its first use if it is known. */
  readonly place: string;
  readonly source: string;
  readonly flags: string;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly regex?: { readonly pattern: string; readonly flags: string };
  readonly callee?: { readonly name?: string };
}

/** All literals of src, each once, and the files that make patterns while the program runs. */
export function patternsOfSource(): { readonly literals: readonly Pattern[]; readonly makers: readonly string[] } {
  const literals = new Map<string, Pattern>();
  const makers = new Set<string>();
  const names = readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  for (const name of names.sort()) {
    const text = readFileSync(join(ROOT, name), 'utf8');
    const visit = (value: unknown): void => {
      if (Array.isArray(value)) return value.forEach(visit);
      if (typeof value !== 'object' || value === null) return;
      const node = value as Node;
      if (node.regex) {
        const { pattern: source, flags } = node.regex;
        const place = `${name}:${text.slice(0, node.start).split('\n').length}`;
        const key = `/${source}/${flags}`;
        if (!literals.has(key)) literals.set(key, { file: name, place, source, flags });
      }
      if ((node.type === 'NewExpression' || node.type === 'CallExpression') && node.callee?.name === 'RegExp')
        makers.add(name);
      for (const inner of Object.values(value)) visit(inner);
    };
    visit(parseAst(text, { lang: 'ts' }));
  }
  return { literals: [...literals.values()], makers: [...makers] };
}
