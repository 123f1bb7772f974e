import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { registry } from '../../src/agents/registry';
import { recognise } from '../../src/engine/follow/recognise';
import { databaseOf, readRows } from '../unit/agents/opencode/database';
import { databaseOfHermes } from '../unit/agents/hermes/database';
import { decodeFile, matchGolden, print } from './support';

/**
 * Real transcripts, a folder for each agent: `fixtures/<agent>/…` decodes to `expected/<agent>/<name>.txt`. A new agent only needs files.
 * `*.rows.jsonl` holds the dumped rows of a database, which is rebuilt from them.
 */
const fixtures = join(__dirname, 'fixtures');
const ROWS = '.rows.jsonl';
const TRANSCRIPT = /\.(?:jsonl|json|traj|log|md)$/;
/** Next to a sub-agent's transcript: its title and role. Next to a session of VS Code's chat: the log of the chat view, read along with it. */
const NO_TRANSCRIPT = /\.meta\.json$|(?:^|\/)chatSessions\//;

const made = mkdtempSync(join(tmpdir(), 'unstuck-golden-'));
afterAll(() => rmSync(made, { recursive: true, force: true }));

const filesOf = (folder: string): readonly string[] =>
  readdirSync(join(fixtures, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => TRANSCRIPT.test(file) && !NO_TRANSCRIPT.test(file))
    .sort();

/** The file itself, or the database built from the dumped rows. */
async function transcript(path: string): Promise<string> {
  if (!path.endsWith(ROWS)) return path;
  const ofHermes = path.includes('/hermes/');
  const database = ofHermes ? await databaseOfHermes(path) : await databaseOf(readRows(path));
  // A database is recognised by its name as that of its program.
  const name = ofHermes ? 'state.db' : path.includes('/kilo-code/') ? 'kilo.db' : 'opencode.db';
  const file = join(mkdtempSync(join(made, 'x')), name);
  writeFileSync(file, database.bytes());
  database.close();
  return file;
}

describe.each(readdirSync(fixtures).sort())('real transcripts of %s decode to the same events as before', (folder) => {
  it.each(filesOf(folder))('%s', async (file) => {
    const path = await transcript(join(fixtures, folder, file));
    const head = readFileSync(path).subarray(0, 65_536).toString('utf8');
    const adapter = recognise(registry, head, path);
    expect(adapter, 'the adapter that recognises it').toBeDefined();
    if (!adapter) return;
    const decoded = await decodeFile(adapter, path);
    const name = basename(file).replace(/\.\w+$/, '');
    matchGolden(`${folder}/${name}`, print(decoded).replaceAll(path, `/${name}.db`));
    expect(decoded.events.length).toBeGreaterThan(0);
    // Otherwise all its live steps would seem to happen at once: records without a time need that of the write.
    if (adapter.writesTimes !== false && decoded.events.length > 5)
      expect(
        new Set(decoded.events.map(({ at }) => at)).size,
        'different times; else set `writesTimes: false`',
      ).toBeGreaterThan(1);
    if (adapter.unit === 'database')
      expect(decoded.events.filter((event) => event.type === 'tool_call')).toHaveLength(decoded.marked);
  });
});

it('no expected text remains for a transcript that is gone', () => {
  const folder = join(__dirname, 'expected');
  const expected = readdirSync(folder).flatMap((agent) =>
    readdirSync(join(folder, agent)).map((name) => `${agent}/${name}`),
  );
  const names = readdirSync(fixtures).flatMap((agent) =>
    filesOf(agent).map((file) => `${agent}/${basename(file).replace(/\.\w+$/, '')}.txt`),
  );
  expect(expected.sort()).toEqual(names.sort());
});
