// Bundles the parts under measurement into a folder of their own, as they are shipped: one file, minified.
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { bundles } from '../../../scripts/bundles.mjs';

export const benchFolder = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const source = resolve(benchFolder, '../../src');
const output = join(tmpdir(), 'unstuck-bench');

/** Bundles these exports as CommonJS and returns the path. */
async function bundle(name, contents) {
  mkdirSync(output, { recursive: true });
  const outfile = join(output, `${name}.cjs`);
  await build({
    stdin: { contents, resolveDir: source, loader: 'ts' },
    bundle: true,
    minify: !process.env.UNSTUCK_BENCH_READABLE,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    logLevel: 'warning',
    outfile,
  });
  return outfile;
}

export const buildTail = () =>
  bundle(
    'tail',
    "export { systemBeat } from './base/beat'; export * from './base/tail'; export { silentLog } from './base/util/log';",
  );

/** Insides of the reader, for the identity check. */
export const buildInsides = () =>
  bundle(
    'insides',
    "export { Framer, ShrinkerPool } from './base/tail/lines/framer'; export { isCut } from './base/util/cut';",
  );

/** Decoders, sessions and detectors, for the pipeline that is plugged into the reading benchmarks. */
export const buildEngine = () =>
  bundle(
    'engine',
    `export { claudeCode } from './agents/claude-code/adapter';
     export { codex } from './agents/codex/adapter';
     export { createDecoder } from './agents/decoders';
     export { resolveOptions } from './detect/session/options';
     export { Session } from './engine/session/session';
     export { Transcript } from './engine/follow/transcript';`,
  );

/** The steps of a session as the panel receives them. */
export const buildTimeline = () => bundle('timeline', "export { SessionSteps } from './engine/session/session-steps';");

/** The detectors alone, for their cost. */
export const buildDetectors = () =>
  bundle(
    'detectors',
    `export { resolveOptions } from './detect/session/options';
     export { createSessionDetectors } from './detect/session/session-detectors';`,
  );

/** All adapters, for the events of recorded runs. */
export const buildAgents = () =>
  bundle(
    'agents',
    `export { createDecoder } from './agents/decoders';
     export { registry } from './agents/registry';
     export { recognise } from './engine/follow/recognise';`,
  );

/** The history as a database, as its thread uses it. */
export const buildCatalogue = () =>
  bundle(
    'catalogue',
    `export { createBreather } from './history/breathe';
     export { createCatalogue } from './history/catalogue/catalogue';
     export { applyRecord, createContents } from './history/contents/contents';
     export { encodeRecord } from './history/journal/journal-format';
     export { buildSnapshot } from './history/snapshot/snapshot';
     export { createSqlEngine } from './history/snapshot/sql-engine';`,
  );

/** The engine as it follows transcripts, and the store: what a step costs an editor. */
export const buildFollowing = () =>
  bundle(
    'following',
    `export { registry } from './agents/registry';
     export { resolveOptions } from './detect/session/options';
     export { Engine } from './engine/engine';
     export { systemProbe } from './engine/follow/probe';
     export { systemClock } from './base/clock';
     export { Session } from './engine/session/session';
     export { IncidentBook } from './detect/incident';
     export { openStore } from './history';
     export { createTail } from './base/tail';
     export { silentLog } from './base/util/log';`,
  );

/** The command line as it is shipped. */
export async function builtCommandLine() {
  const outfile = join(output, 'command-line/cli.js');
  const options = bundles(false).find((one) => one.outfile === 'dist/cli.js');
  await build({ ...options, absWorkingDir: resolve(source, '..'), outfile });
  return outfile;
}
