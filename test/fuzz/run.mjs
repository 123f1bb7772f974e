#!/usr/bin/env node
/** The long run of the fuzz targets: `npm run fuzz -- [TARGET …] [--seconds N] [--seed N] [--corpus FOLDER] [--input FILE]`. */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { projectRoot } from '../../scripts/bundles.mjs';

// A folder for this run alone, so that several may run at once.
const outfile = join(projectRoot, `test-output/fuzz/main-${process.pid}.mjs`);
await build({
  absWorkingDir: projectRoot,
  entryPoints: ['test/fuzz/main.ts'],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  mainFields: ['module', 'main'],
  external: ['sql.js', 'vitest', 'vscode'],
  logLevel: 'warning',
});
const { status } = spawnSync(process.execPath, ['--expose-gc', outfile, ...process.argv.slice(2)], {
  cwd: projectRoot,
  stdio: 'inherit',
});
rmSync(outfile);
process.exit(status ?? 1);
