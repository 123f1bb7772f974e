import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import type { AgentAdapter, LivenessProbe } from '../../../src/agents/adapter';
import { registry } from '../../../src/agents/registry';
import { resolveOptions } from '../../../src/detect/options';
import { Engine } from '../../../src/engine/engine';
import { type EngineSettings, systemClock } from '../../../src/engine/ports';
import { readSmall, systemProbe } from '../../../src/engine/probe';
import { type TailFs, createTail } from '../../../src/tail';
import { silentLog } from '../../../src/util/log';
import { localSqlite } from '../../golden/support';

const DAY_MS = 86_400_000;
const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

export interface Stage {
  readonly engine: Engine;
  readonly home: string;
  /** The one open folder, below the home folder. */
  readonly workspace: string;
}

/** An engine over a home folder of its own; ended after the test. */
export function stage(
  parts: {
    readonly adapters?: readonly AgentAdapter[];
    readonly fs?: TailFs;
    readonly probe?: LivenessProbe;
    readonly settings?: Partial<EngineSettings>;
  } = {},
): Stage {
  const home = mkdtempSync(join(tmpdir(), 'unstuck-stage-'));
  const workspace = join(home, 'work');
  mkdirSync(workspace);
  const tail = createTail({ log: silentLog, ...(parts.fs && { fs: parts.fs }) });
  const engine = new Engine(
    {
      adapters: parts.adapters ?? registry,
      environment: { home, env: {}, platform: process.platform },
      probe: parts.probe ?? systemProbe,
      tail,
      clock: systemClock,
      log: silentLog,
      mail: { read: async () => [], write: async () => {}, expire: async () => {} },
      stored: () => undefined,
      readSmall,
      sqlite: localSqlite,
    },
    {
      folders: [workspace],
      walksFolders: true,
      maxAgeMs: DAY_MS,
      historyMs: 90 * DAY_MS,
      disabled: new Set(),
      detectors: (agent) => resolveOptions('balanced', {}, agent),
      ...parts.settings,
    },
  );
  ends.push(() => {
    engine.dispose();
    tail.dispose();
    rmSync(home, { recursive: true, force: true });
  });
  return { engine, home, workspace };
}

/** Lines of a generic transcript: steps that each read another file, one a second, the last one now. */
export function genericLines(session: string, steps: number, now = Date.now()): string[] {
  const line = (t: number, fields: object) => JSON.stringify({ v: 1, t, session, ...fields });
  const start = now - (steps + 1) * 1_000;
  return [
    line(start, { type: 'user', text: 'Mend the parser' }),
    ...Array.from({ length: steps }, (_, step) => {
      const t = start + (step + 1) * 1_000;
      return [
        line(t, { type: 'tool_call', id: `c${step}`, name: 'Read', args: { file: `src/part-${step}.ts` } }),
        line(t + 500, { type: 'tool_result', id: `c${step}`, output: `export const part = ${step};` }),
      ];
    }).flat(),
  ];
}

/** A text with all its times moved so that the last one is now. */
export function upToNow(text: string, now = Date.now()): string {
  const iso = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;
  const last = Math.max(...(text.match(iso) ?? []).map((time) => Date.parse(time)));
  return text.replace(iso, (time) => new Date(Date.parse(time) + now - last).toISOString());
}
