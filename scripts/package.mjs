#!/usr/bin/env node
/**
 * Writes dist/unstuck.vsix from the build, so that the same sources result in the same bytes: whatever the folder, the clock, the time zone, the
 * language and the permissions of the files. The only remaining difference is how another version of Node packs (its zlib).
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { listFiles, PackageManager } from '@vscode/vsce';
import { projectRoot } from './bundles.mjs';

const target = join(projectRoot, 'dist/unstuck.vsix');
/** The first day of 1980 in UTC, the earliest time in a zip file. */
const ZIP_EPOCH_SECONDS = 315_532_800;

/** True for an odd minor version (docs/contributing/reference.md, "Versions"). */
const isPreRelease = (/** @type {string} */ version) => Number(version.split('.')[1]) % 2 === 1;

// A copy, because vsce takes the permissions of the files, and those depend on the umask of the person who checked them out.
const copy = fs.mkdtempSync(join(tmpdir(), 'unstuck-package-'));
try {
  const files = await listFiles({ cwd: projectRoot, packageManager: PackageManager.None });
  for (const file of [...files, '.vscodeignore']) {
    const to = join(copy, file);
    fs.mkdirSync(dirname(to), { recursive: true });
    fs.copyFileSync(join(projectRoot, file), to);
    fs.chmodSync(to, 0o644);
  }
  const vsce = join(dirname(createRequire(import.meta.url).resolve('@vscode/vsce/package.json')), 'vsce');
  // vsce turns the links and pictures of README.md into addresses of the repository: the page of an installed extension shows no others.
  const options = ['--no-dependencies', '-o', target];
  const { version } = JSON.parse(fs.readFileSync(join(projectRoot, 'package.json'), 'utf8'));
  if (isPreRelease(version)) options.push('--pre-release');
  const { status } = spawnSync(process.execPath, [vsce, 'package', ...options], {
    cwd: copy,
    stdio: 'inherit',
    // vsce writes the time into each entry, as a local time, and sorts the entries by the rules of the language.
    env: { ...process.env, SOURCE_DATE_EPOCH: String(ZIP_EPOCH_SECONDS), TZ: 'UTC', LC_ALL: 'C' },
  });
  process.exitCode = status ?? 1;
} finally {
  fs.rmSync(copy, { recursive: true });
}
