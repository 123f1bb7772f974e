import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { registry } from '../../../src/agents/registry';
import { resolveOptions } from '../../../src/detect/session/options';
import { Engine } from '../../../src/engine/engine';
import { systemClock } from '../../../src/base/clock';
import type { EngineParts, EngineSettings, Mail } from '../../../src/engine/ports';
import { readSmall, systemProbe } from '../../../src/engine/follow/probe';
import { createTail } from '../../../src/base/tail';
import type { TailFs } from '../../../src/base/tail/file-system';
import { silentLog } from '../../../src/base/util/log';
import { localSqlite } from '../../golden/support';

const DAY_MS = 86_400_000;

export interface Stage {
  readonly engine: Engine;
  readonly home: string;
  /** The one open folder, below the home folder. */
  readonly workspace: string;
  readonly settings: EngineSettings;
}

/** The parts that a test changes; all others are those of the command line, without an inbox and a store. */
export interface StageParts extends Partial<Omit<EngineParts, 'tail'>> {
  readonly fs?: TailFs;
  readonly databaseLimit?: number;
  readonly folderLimit?: number;
  readonly settings?: Partial<EngineSettings>;
}

/** An engine over an existing home folder and one open folder. The caller ends both. */
export function engineOver(home: string, workspace: string, given: StageParts = {}) {
  const { fs, databaseLimit, folderLimit, settings: wanted, ...parts } = given;
  const tail = createTail({
    log: silentLog,
    ...(fs && { fs }),
    ...(databaseLimit !== undefined && { databaseLimit }),
    ...(folderLimit !== undefined && { folderLimit }),
  });
  const settings: EngineSettings = {
    folders: [workspace],
    walksFolders: true,
    maxAgeMs: DAY_MS,
    historyMs: 90 * DAY_MS,
    disabled: new Set(),
    detectors: (agent) => resolveOptions({ preset: 'balanced', detectors: {} }, agent),
    ...wanted,
  };
  const engine = new Engine(
    {
      adapters: registry,
      environment: { home, env: {}, platform: process.platform },
      probe: systemProbe,
      tail,
      clock: systemClock,
      log: silentLog,
      mail: noMail,
      stored: () => undefined,
      readSmall,
      sqlite: localSqlite,
      ...parts,
    },
    settings,
  );
  return { engine, tail, settings };
}

/** An inbox that is always empty. */
export const noMail: Mail = {
  read: async () => [],
  write: async () => {},
  interrupted: async () => {},
  call: async () => {},
  passOn: async () => false,
  expire: async () => {},
  clean: async () => {},
};

/** A new folder, removed after the test. */
export function homeFolder(): string {
  const home = mkdtempSync(join(tmpdir(), 'unstuck-stage-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

/** An engine over a new home folder; ended after the test. */
export function stage({
  home = homeFolder(),
  ...parts
}: StageParts & {
  /** A home folder that has files already. */
  readonly home?: string;
} = {}): Stage {
  const workspace = join(home, 'work');
  mkdirSync(workspace);
  const { engine, tail, settings } = engineOver(home, workspace, parts);
  onTestFinished(() => {
    engine.dispose();
    tail.dispose();
  });
  return { engine, home, workspace, settings };
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
