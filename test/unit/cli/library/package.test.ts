import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { afterAll, beforeAll, expect, expectTypeOf, it } from 'vitest';
import type * as published from '../../../../docs/library.mjs';
import type { GenericType, TYPES } from '../../../../src/agents/generic/fields';
import type * as library from '../../../../src/cli/library';
import type { DetectorId } from '../../../../src/core/model';
import { packedBundles } from '../../../../scripts/bundles.mjs';

const root = join(import.meta.dirname, '../../../..');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  exports: { '.': { types: string; default: string } };
};
const folder = mkdtempSync(join(tmpdir(), 'unstuck-library-'));
const installed = join(folder, 'node_modules/unstuck');

/** The library as npm packs it, in a separate project with the example of docs/api.md. */
beforeAll(async () => {
  const { types, default: module } = manifest.exports['.'];
  const bundle = packedBundles('npm').find((one) => 'outfile' in one && join(root, one.outfile) === join(root, module));
  await build({ ...(bundle as BuildOptions), outfile: join(installed, module) });
  mkdirSync(join(installed, 'docs'));
  for (const file of ['package.json', types]) cpSync(join(root, file), join(installed, file));
  const [, example = ''] = /```js\n([\s\S]*?)```/.exec(readFileSync(join(root, 'docs/api.md'), 'utf8')) ?? [];
  writeFileSync(join(folder, 'example.mjs'), example);
});
afterAll(() => rmSync(folder, { recursive: true }));

it('runs the example of its page under Node, without an editor', () => {
  const printed = execFileSync(process.execPath, ['example.mjs'], { cwd: folder, encoding: 'utf8' });
  expect(printed.trim().split('\n')).toEqual([
    'coder: repeating_action. `pytest -q` ran 3 times in a row with the same arguments and result. The result: 1 failed.',
    'Make the tests pass.',
    '"command" is missing. Send "shell" again with all required fields.',
    expect.stringContaining(
      'Tool "shell" was called 3 consecutive times with identical arguments. Last outcome: 1 failed.',
    ),
    'repeating_action',
  ]);
});

it('has types that a strict project compiles with, and that reject what is no record', () => {
  const use = (type: string) => `
    import { StuckDetector, TaskLoop, type StuckHeuristic, validateToolCall, validateJsonResponse } from 'unstuck';
    const detector = new StuckDetector({ preset: 'eager', detectors: { cycle: 'off' } });
    const end: () => void = detector.onStuck((agent: string, heuristic: StuckHeuristic, { evidence }) =>
      console.log(agent, heuristic, evidence.join()));
    const problem: string | null = detector.push('a', { type: '${type}', id: '1', name: 'ls', args: {} });
    const reason = new TaskLoop({ timeoutMs: 1 }).checkStuck();
    if (reason?.kind === 'repetition') console.log(reason.count + 1, problem, end);
    validateToolCall({}, [{ name: 'ls', input_schema: {} }]).fault === validateJsonResponse('{}').fault;
  `;
  const compile = (type: string) => {
    writeFileSync(join(folder, 'use.mts'), use(type));
    const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2022', '--types', ''];
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    execFileSync(process.execPath, [tsc, ...options, '--lib', 'es2022,dom', 'use.mts'], { cwd: folder, stdio: 'pipe' });
  };
  compile('tool_call');
  expect(() => compile('tool_calls')).toThrow();
});

it('is what its published types say', () => {
  expectTypeOf<typeof library>().toExtend<typeof published>();
  expectTypeOf<keyof typeof library>().toEqualTypeOf<keyof typeof published>();
  expectTypeOf<DetectorId>().toEqualTypeOf<published.StuckHeuristic>();
  expectTypeOf<published.AgentRecord['type']>().toEqualTypeOf<GenericType>();
  type Fields = { [T in GenericType]: keyof (typeof TYPES)[T] | 't' | 'agent' | 'type' };
  type Published = { [T in GenericType]: keyof Extract<published.AgentRecord, { type: T }> };
  expectTypeOf<Published>().toEqualTypeOf<Fields>();
});
