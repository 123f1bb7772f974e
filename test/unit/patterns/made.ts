import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Pattern } from './sources';

const ROOT = join(import.meta.dirname, '../../../src');
const OUTPUTS = join(import.meta.dirname, '../base/checks/outputs');

/** Uses everything once that makes a pattern when it is used, not when it is loaded. */
async function useAll(): Promise<void> {
  const { registry } = await import('../../../src/agents/registry');
  for (const adapter of registry)
    for (const head of ['{"type":"session_meta"', '{"sessionId":"a"']) adapter.peek(head, '/x/a.jsonl');
  const { readCheckOutput } = await import('../../../src/base/checks/check-output');
  for (const name of readdirSync(OUTPUTS)) readCheckOutput('npm test', readFileSync(join(OUTPUTS, name), 'utf8'), 1);
  const { detectGates } = await import('../../../src/recover/gates/detect-commands');
  detectGates({ names: new Set(['Makefile']), texts: { Makefile: 'test:\n\ttrue\n' }, has: () => false });
  const { findInPlain } = await import('../../../src/base/secrets/find');
  findInPlain('password: "x1y2z3w4"\n<password>x1y2z3w4</password>');
  // The caller's own pattern: patterns of a schema in a transcript are not run.
  const { copySchema } = await import('../../../src/base/schema/schema-copy');
  copySchema({ pattern: '^a$' }, { visits: 10, patterns: true, values: 10 }, 1);
}

/** The patterns that these files of src build while the program runs, each once. They are found by building them. */
export async function patternsMade(files: readonly string[]): Promise<readonly Pattern[]> {
  const found = new Map<string, Pattern>();
  const { RegExp: Native } = globalThis;
  const note = (pattern: RegExp): RegExp => {
    const file = callerIn(new Error('for its stack').stack);
    const { source, flags } = pattern;
    if (file !== undefined) found.set(`/${source}/${flags}`, { file, place: file, source, flags });
    return pattern;
  };
  type Given = ConstructorParameters<RegExpConstructor>;
  globalThis.RegExp = new Proxy(Native, {
    construct: (_, given: Given) => note(new Native(...given)),
    apply: (_, _self, given: Given) => note(new Native(...given)),
  });
  try {
    for (const file of files) await import(join(ROOT, file));
    await useAll();
  } finally {
    globalThis.RegExp = Native;
  }
  return [...found.values()];
}

/** The first file of src in a stack. */
function callerIn(stack = ''): string | undefined {
  const line = stack.split('\n').find((one) => one.includes(ROOT));
  return line && /^[^:?)]+/.exec(line.slice(line.indexOf(ROOT) + ROOT.length + 1))?.[0];
}
