import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { opencode } from '../../src/agents/opencode/adapter';
import { registry } from '../../src/agents/registry';

import { createLocalReader } from '../../src/agents/sqlite/local';
import { resolveOptions } from '../../src/detect/session/options';
import { recognise } from '../../src/engine/follow/recognise';
import { scanFile } from '../../src/engine/scan-cache';
import { databaseOf, readRows } from '../unit/agents/opencode/database';
import { shared } from '../unit/support/shared';

/** The loops in the collected runs, each with the detector that must report it, at stuck unless another level is given. */
const LOOPS: readonly (readonly [name: RegExp, detector: string, level?: 'warn' | 'hint'])[] = [
  [/(?:^|_)(?:a_repeat(?:12)?|a-same-command-same-error|u-headless-permission-denied-repeat)$/, 'repeating_action'],
  [/^hooks_(?:un)?trusted$|^cm_hooks$/, 'repeating_action'],
  [/(?:^|_)(?:b_edit_test|b-edit-pytest-interleaved)$/, 'repeating_outcome'],
  [/^f_mono$/, 'monologue'],
  // the seven messages differ in their words: a guess from text
  [/^c-monologue$/, 'monologue', 'hint'],
  [/^(?:e_compaction_loop|g-autocompact-same-failure)$/, 'condensation_loop'],
  [/^(?:cm_)?d_bad_calls$|^d-unknown-tool-bad-args$/, 'validation_failure'],
  [/^loop_abab$/, 'action_error_alternation'],
  [/^loop_chant$|^f-stall-40s$/, 'text_loop'],
];
const MILDER: Readonly<Record<string, 'warn'>> = {
  // repairs one of the bad calls and runs it, so that only two are in a row
  'qwen/d_bad_calls': 'warn',
};
const HEALTHY =
  /^(?:cm_)?(?:c_healthy|g_plan)$|^h-healthy-15-steps$|^e_tokens(?:1|_one_compaction)?$|^poll_long_command$|^loop_poll$/;
const FOLDERS = ['claude-code', 'codex', 'gemini', 'opencode', 'copilot', 'qwen'] as const;

interface Sample {
  readonly name: string;
  readonly agent: string;
  readonly actions: number;
  readonly state: string;
  /** `detector/rule:level`, in the order in which they were raised, then the hints. */
  readonly told: readonly string[];
}

const sqlite = createLocalReader(join(__dirname, '../../node_modules/sql.js/dist/sql-wasm.wasm'));
const transcripts = shared('transcripts');
const made = mkdtempSync(join(tmpdir(), 'unstuck-samples-'));
afterAll(() => rmSync(made, { recursive: true, force: true }));

async function samplesOf(folder: string): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (const name of readdirSync(folder).sort()) {
    const path = join(folder, name);
    if (!statSync(path).isFile() || !/\.jsonl?$/.test(name)) continue;
    // of OpenCode's three views of a run, the rows of its database are the one that OpenCode itself reads
    const file = name.endsWith('.rows.jsonl') ? await databaseFile(path) : path;
    const head = readFileSync(file).subarray(0, 65_536).toString('utf8');
    const adapter = file === path ? recognise(registry, head, file) : opencode;
    if (!adapter) continue;
    const { sessions } = await scanFile(file, {
      adapter,
      detectors: () => resolveOptions({ preset: 'balanced', detectors: {} }),
      readSmall: () => undefined,
      sqlite,
    });
    for (const { agent, actions, state, incidents, hints } of sessions) {
      const told = incidents.flatMap(({ detector, rule, level, context = [] }) => [
        `${detector}${rule ? `/${rule}` : ''}:${level}`,
        ...context.map((one) => `${one.detector}:${one.level}`),
      ]);
      told.push(...hints.map(({ detector }) => `${detector}:hint`));
      samples.push({
        name: `${basename(folder)}/${name.replace(/\.jsonl?$/, '')}`,
        agent,
        actions,
        state: state.kind,
        told,
      });
    }
  }
  return samples;
}

async function databaseFile(rows: string): Promise<string> {
  const database = await databaseOf(readRows(rows));
  const path = join(made, basename(rows).replace('.rows.jsonl', '.db'));
  writeFileSync(path, database.bytes());
  database.close();
  return path;
}

const scenario = (name: string): string => (name.split('/')[1] ?? '').replace(/\.(?:rows|events|export)$/, '');

describe.skipIf(transcripts === undefined)('collected runs of six agents', async () => {
  const samples =
    transcripts === undefined
      ? []
      : (await Promise.all(FOLDERS.map((one) => samplesOf(join(transcripts, one))))).flat();

  it('print as a table', () => {
    const rows = samples.map(({ name, agent, actions, state, told }) =>
      [name.padEnd(58), agent.padEnd(12), String(actions).padStart(3), state.padEnd(9), told.join(', ') || '–'].join(
        '  ',
      ),
    );
    console.log(['', ...rows, ''].join('\n'));
    expect(samples.length).toBeGreaterThan(90);
  });

  const loops = samples.flatMap((sample) => {
    const found = LOOPS.find(([name]) => name.test(scenario(sample.name)));
    return found ? [{ ...sample, detector: found[1], level: MILDER[sample.name] ?? found[2] ?? 'stuck' }] : [];
  });

  it.each(loops)('$name is reported as $detector, $level', ({ told, detector, level }) => {
    expect(told).toContainEqual(expect.stringMatching(new RegExp(`^${detector}(?:/\\w+)?:${level}$`)));
  });

  it.each(samples.filter(({ name }) => HEALTHY.test(scenario(name))))('$name is left alone', ({ told }) => {
    expect(told).toEqual([]);
  });

  it('no other run is reported as stuck', () => {
    const looping = new Set(loops.map(({ name }) => name));
    const others = samples.filter(({ name, told }) => !looping.has(name) && told.some((one) => one.endsWith(':stuck')));
    // the rest of a run that had looped before it was resumed
    expect(others.map(({ name }) => name)).toEqual(['codex/resume_other_model']);
  });
});
