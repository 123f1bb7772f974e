#!/usr/bin/env node
/** Checks the licences of all packages, and the contents of the lock files. Part of `npm run check`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../bundles.mjs';
import { hostFolder } from '../../test/support/vscode-host.mjs';
import { bundledPackages } from './bundled.mjs';
import { licenceProblems } from './licences.mjs';
import { lockFileProblems } from './lock-file.mjs';

const installedBy = (folder) => JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')).packages;

const shipped = await bundledPackages();
const installed = installedBy(projectRoot);
const problems = licenceProblems(shipped, installed);
// The editors and the browser of the tests are separate programs: their licences do not concern the package.
const others = ['current', 'minimum', 'chromium'].map(hostFolder);
for (const folder of [projectRoot, ...others]) problems.push(...lockFileProblems(installedBy(folder)));

for (const problem of problems) console.error(problem);
console.log(`packages: ${shipped.length} shipped, ${Object.keys(installed).length - 1} in the lock file`);
process.exit(problems.length > 0 ? 1 : 0);
