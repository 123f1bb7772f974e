// Writes everything that is made from the cards of the rules (src/core/rules), the descriptors of the agents (src/agents), the packages that are
// bundled, the manifest with the words of states, and the table of the wings (.dependency-cruiser.mjs): one function per kind of output, each
// returning files with their new text. Tests compare them with the existing files. Usage: npm run generate
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { projectRoot } from './bundles.mjs';
import { agentIds, agentSettings, agentTables } from './generate/agents.mjs';
import { detectorsDocument } from './generate/detectors-document.mjs';
import { detectorsSetting } from './generate/detectors-setting.mjs';
import { ruleIds } from './generate/rule-ids.mjs';
import { ruleImplementations } from './generate/rule-implementations.mjs';
import { settingsDocument } from './generate/settings-document.mjs';
import { strategiesTable } from './generate/strategies.mjs';
import { thirdPartyNotices } from './generate/third-party-notices.mjs';
import { wingsPicture } from './generate/wings.mjs';

/** Each takes the sources and returns `{ path, text }` for every file of which it writes a part. */
const GENERATORS = [
  agentIds,
  agentSettings,
  agentTables,
  ruleIds,
  ruleImplementations,
  detectorsSetting,
  detectorsDocument,
  strategiesTable,
  settingsDocument,
  thirdPartyNotices,
  wingsPicture,
];

/** Sources that the generators read: modules of src that hold only data. */
const SOURCES = `
  export { CARDS } from './core/rules';
  export { descriptors as DESCRIPTORS, registry as ADAPTERS } from './agents/registry';
  export { BUDGETS, PRESETS } from './core/model/detector';
  export { LARGEST, namesOf } from './core/rules/options';
  export { EXAMPLES_AT, STATE_EXAMPLES } from '../scripts/generate/state-examples';
  import { needOf, standingOf } from './core/model';
  import * as words from './core/words';
  export const WORDS = { ...words, needOf, standingOf };
`;

/** Returns the files as they have to be, by path. Generators that write parts of one file see the parts of those before them. */
export async function generated() {
  const sources = await load();
  const files = new Map();
  const read = (path) => files.get(path) ?? readFileSync(join(projectRoot, path), 'utf8');
  for (const generate of GENERATORS) {
    for (const { path, text } of await generate(sources, read)) files.set(path, formatted(path, text));
  }
  return files;
}

/** Formats code as `npm run check` requires it. */
function formatted(path, text) {
  if (!path.endsWith('.ts')) return text;
  const biome = join(projectRoot, 'node_modules/@biomejs/biome/bin/biome');
  return execFileSync(process.execPath, [biome, 'format', `--stdin-file-path=${path}`], {
    cwd: projectRoot,
    input: text,
    encoding: 'utf8',
  });
}

async function load() {
  const folder = mkdtempSync(join(tmpdir(), 'unstuck-generate-'));
  try {
    const outfile = join(folder, 'sources.cjs');
    const stdin = { contents: SOURCES, resolveDir: join(projectRoot, 'src'), loader: 'ts' };
    await build({ stdin, bundle: true, platform: 'node', format: 'cjs', outfile, logLevel: 'warning' });
    const sources = createRequire(import.meta.url)(outfile);
    // Not from the model, whose list is generated from the descriptors.
    return { ...sources, AGENT_IDS: sources.DESCRIPTORS.map(({ id }) => id) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  for (const [path, text] of await generated()) writeFileSync(join(projectRoot, path), text);
}
