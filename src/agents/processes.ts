import { readdir, readlink } from 'node:fs/promises';
import { basename } from 'node:path';
import { readText } from '../base/files';
import type { AgentId } from '../core/model';
import { descriptors } from './registry';

/** A process of this user that runs an agent. */
export interface AgentProcess {
  readonly agent: AgentId;
  readonly pid: number;
  /** Current folder of the process, absolute. */
  readonly cwd: string;
  /** Milliseconds since the epoch, to the second; null if the system does not say. */
  readonly startedAt: number | null;
  /** Variables that move folders of agents, and HOME, with the values at the start of the process. */
  readonly env: Readonly<Record<string, string>>;
}

/** Size limit in bytes for a command line and an environment: Linux allows more, but agents do not need it. */
const LARGEST_TEXT = 512 * 1024;
const MOST_PROCESSES = 20_000;
const SHARED_MS = 2_000;
/** Programs that run the script named by their first argument. */
const RUNTIMES = new Set(['node', 'nodejs', 'bun']);
/** Parts of agents that run without a person. */
const SERVICES = new Set(['app-server', 'mcp', 'mcp-server', 'exec-server', 'acp', 'serve']);

/**
 * Returns the agents that this user runs. An agent may consist of a launcher and the program that it launches: then the innermost is returned, whose
 * end ends all. Linux only, elsewhere none are found; other users' processes are ignored.
 *
 * @param uid of this user
 * @param proc where the system shows its processes
 */
export async function findAgentProcesses(uid: number | undefined, proc = '/proc'): Promise<readonly AgentProcess[]> {
  if (uid === undefined) return [];
  const names = (await readdir(proc).catch(() => [])).filter((name) => /^\d{1,10}$/.test(name));
  const bootedAt = numberIn(/^btime (\d{1,12})$/m, await textOf(`${proc}/stat`));
  const found = new Map<number, AgentProcess>();
  const parents = new Map<number, number>();
  for (const name of names.slice(0, MOST_PROCESSES)) {
    const folder = `${proc}/${name}`;
    const agent = agentOf((await textOf(`${folder}/cmdline`)).split('\0'));
    if (agent === null) continue;
    const status = await textOf(`${folder}/status`);
    if (numberIn(/^Uid:\s{1,8}(\d{1,10})\s/m, status) !== uid) continue;
    const cwd = await readlink(`${folder}/cwd`).catch(() => null);
    if (cwd === null) continue;
    parents.set(Number(name), numberIn(/^PPid:\s{1,8}(\d{1,10})$/m, status) ?? 0);
    const startedAt = startIn(await textOf(`${folder}/stat`), bootedAt);
    const env = variablesIn(await textOf(`${folder}/environ`));
    found.set(Number(name), { agent, pid: Number(name), cwd, startedAt, env });
  }
  const launchers = new Set(
    [...found.values()].flatMap(({ agent, pid }) => {
      const parent = found.get(parents.get(pid) ?? 0);
      return parent?.agent === agent ? [parent.pid] : [];
    }),
  );
  return [...found.values()].filter(({ pid }) => !launchers.has(pid));
}

/** Creates a search whose single pass over the processes serves all requests within two seconds. */
export function createProcessSearch(
  uid: number | undefined,
  now: () => number,
): () => Promise<readonly AgentProcess[]> {
  let last: { readonly at: number; readonly found: Promise<readonly AgentProcess[]> } | null = null;
  return () => {
    // The clock may have been set back since.
    if (!last || Math.abs(now() - last.at) > SHARED_MS) last = { at: now(), found: findAgentProcesses(uid) };
    return last.found;
  };
}

/** Returns the agent of a command line; null if it belongs to no agent, or to a part of an agent that runs without a person. */
export function agentOf(words: readonly string[]): AgentId | null {
  const [program = ''] = words;
  // A runtime may have its own options before the script.
  const at = RUNTIMES.has(nameOf(program)) ? words.findIndex((word, index) => index > 0 && !word.startsWith('-')) : 0;
  const path = words[at] ?? '';
  if (SERVICES.has(words[at + 1] ?? '')) return null;
  const found = descriptors.find(
    ({ launch, packages = [] }) =>
      launch?.program === nameOf(path) || packages.some((name) => path.includes(`/node_modules/${name}/`)),
  );
  return found?.id ?? null;
}

/** Returns `claude` for `/usr/bin/claude`; a process that sets its own title may append its activity after a space. */
function nameOf(word: string): string {
  return basename(word.split(' ')[0] ?? '');
}

async function textOf(path: string): Promise<string> {
  const read = await readText(path, { limit: LARGEST_TEXT });
  return read.ok ? read.value : '';
}

/** Returns the start time from field 22 of a process: ticks since the system was started, 100 per second on every known Linux. */
function startIn(stat: string, bootedAt: number | undefined): number | null {
  const ticks = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
  return bootedAt === undefined || !Number.isFinite(ticks) ? null : (bootedAt + Math.floor(ticks / 100)) * 1_000;
}

function numberIn(pattern: RegExp, text: string): number | undefined {
  const digits = pattern.exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

const NAMES: ReadonlySet<string> = new Set([
  'HOME',
  ...descriptors.flatMap(({ folders = [] }) => folders.map(({ variable }) => variable)),
]);

/** Returns the few variables that matter here: an environment holds keys and tokens, none of which are kept. */
function variablesIn(text: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of text.split('\0')) {
    const end = entry.indexOf('=');
    const name = entry.slice(0, Math.max(0, end));
    if (NAMES.has(name)) found[name] = entry.slice(end + 1);
  }
  return found;
}
