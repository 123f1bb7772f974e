import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentAdapter } from '../../../src/agents/adapter';
import { crush } from '../../../src/agents/crush/adapter';
import { hermes } from '../../../src/agents/hermes/adapter';
import { kiloCode } from '../../../src/agents/kilo-code/adapter';
import { opencode } from '../../../src/agents/opencode/adapter';
import { registry } from '../../../src/agents/registry';
import type { AgentEvent } from '../../../src/core/model';
import { recognise } from '../../../src/engine/follow/recognise';
import { decodeFile } from '../../golden/support';
import { databaseOfHermes } from './hermes/database';
import { databaseOf, readRows } from './opencode/database';
import { transcriptsBelow } from './support';

/** The events decoded from an agent's recordings. */
export interface Recorded {
  /** Events from the files of this project. */
  readonly here: readonly AgentEvent[];
  /** Events from files collected outside the project, if they exist: their licences do not allow including them. */
  readonly beside: readonly AgentEvent[];
}

const GOLDEN = join(__dirname, '../../golden/fixtures');
const ENDINGS = ['.jsonl', '.json', '.traj', '.log', '.md', '.db'] as const;
/** Files beside transcripts, and samples made up by the authors of a viewer, which record nothing. */
const NO_TRANSCRIPT = /\/hooks\.jsonl$|\.meta\.json$|\/jazzyalex-agent-sessions\//;

/** Transcripts that are collected outside the project; none if they are absent. */
export const collected = ENDINGS.flatMap((ending) => transcriptsBelow(ending)).filter(
  (file) => !NO_TRANSCRIPT.test(file),
);

/** Decodes all recordings, by the id of the agent. */
export async function readRecordings(): Promise<ReadonlyMap<string, Recorded>> {
  const made = mkdtempSync(join(tmpdir(), 'unstuck-recordings-'));
  const found = new Map<string, { here: AgentEvent[]; beside: AgentEvent[] }>();
  const take = async (file: string, where: 'here' | 'beside'): Promise<void> => {
    const { adapter, path } = await readable(file, made);
    if (!adapter) return;
    const { events } = await decodeFile(adapter, path);
    const known = found.get(adapter.id) ?? { here: [], beside: [] };
    for (const event of events) known[where].push(event);
    found.set(adapter.id, known);
  };
  try {
    for (const file of readdirSync(GOLDEN, { recursive: true, encoding: 'utf8' }).map((name) => join(GOLDEN, name)))
      if (statSync(file).isFile() && ENDINGS.some((ending) => file.endsWith(ending)) && !NO_TRANSCRIPT.test(file))
        await take(file, 'here');
    for (const file of collected) await take(file, 'beside');
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
  return found;
}

/** The adapter of a file; rows of a database become that database again. */
async function readable(file: string, made: string): Promise<{ adapter: AgentAdapter | undefined; path: string }> {
  if (file.endsWith('.db')) return { adapter: crush, path: file };
  const ofHermes = /\/hermes\/[^/]*\.jsonl$/.test(file);
  if (!ofHermes && !file.endsWith('.rows.jsonl')) {
    const adapter = recognise(registry, readFileSync(file, 'utf8').slice(0, 65_536), file);
    return { adapter: adapter?.unit === 'database' ? undefined : adapter, path: file };
  }
  const database = ofHermes ? await databaseOfHermes(file) : await databaseOf(readRows(file));
  const path = join(mkdtempSync(join(made, 'x')), 'made.db');
  writeFileSync(path, database.bytes());
  database.close();
  return { adapter: ofHermes ? hermes : file.includes('/kilo-code/') ? kiloCode : opencode, path };
}
