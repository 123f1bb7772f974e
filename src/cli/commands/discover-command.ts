import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { AgentAdapter } from '../../agents/adapter';
import type { LocateEnvironment } from '../../agents/transcripts';
import type { SessionHead } from '../../agents/decoder';
import { createDecoder } from '../../agents/decoders';
import { registry } from '../../agents/registry';
import { readSmall } from '../../engine/follow/probe';
import { OpenFolders } from '../../engine/follow/open-folders';
import { type Tail, createTail, readWholeFile } from '../../base/tail';
import { counted } from '../../base/util/counts';
import { silentLog } from '../../base/util/log';
import { readArguments } from '../arguments';
import { filesBelow } from '../files-below';
import { type Output, UsageError } from '../output';
import { sqlite } from '../sqlite';

/** An agent found for a folder. */
interface Discovered {
  readonly kind: 'agent';
  readonly agent: string;
  readonly name: string;
  readonly roots: readonly { readonly path: string; readonly exists: boolean }[];
  /** Transcripts of sessions that worked in the folder, newest first. */
  readonly transcripts: readonly {
    readonly file: string;
    readonly session?: string;
    readonly modified: string;
    readonly bytes: number;
  }[];
  /** Number of transcripts of other folders, or whose file names no folder. */
  readonly others: number;
  readonly unknownFolder: number;
  /** Reason why nothing was found; null if something was. */
  readonly why: string | null;
}

/** `discover [folder]`: lists which agents have transcripts for a folder on this machine, and why the others have none. */
export async function discoverCommand(args: readonly string[], output: Output): Promise<number> {
  const { values, positionals } = readArguments('discover', args, { json: { type: 'boolean' } });
  if (positionals.length > 1) throw new UsageError('usage', 'unstuck discover: name one folder.');
  const folder = resolve(positionals[0] ?? '.');
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UsageError('unreadable', `unstuck discover: ${folder} is not a readable folder.`);
  }
  const environment: LocateEnvironment = { home: homedir(), env: process.env, platform: process.platform };
  const tail = createTail({ log: silentLog, folderLimit: Number.POSITIVE_INFINITY });
  let found = 0;
  // Formats of one agent have the same reason.
  const said = new Set<string>();
  for (const adapter of registry) {
    // Skips a second format of an agent whose store is searched anyway.
    const isForm = registry.some((one) => one.id === adapter.id && one.locate(environment).length > 0);
    if (isForm && adapter.locate(environment).length === 0) continue;
    const discovered = await discover(adapter, folder, environment, tail);
    found += discovered.transcripts.length;
    if (values.json) output.line(JSON.stringify(discovered));
    else print(output, discovered, said);
  }
  tail.dispose();
  if (values.json) output.line(JSON.stringify({ kind: 'total', folder, transcripts: found }));
  return 0;
}

async function discover(
  adapter: AgentAdapter,
  folder: string,
  environment: LocateEnvironment,
  tail: Tail,
): Promise<Discovered> {
  const roots = adapter.locate(environment);
  const places = new OpenFolders([folder], Date.now);
  const transcripts: Discovered['transcripts'][number][] = [];
  let others = 0;
  let unknownFolder = 0;
  for (const root of roots) {
    for (const candidate of await filesBelow(tail, root)) {
      if (adapter.unit === 'database') {
        for (const head of await sessionsIn(adapter, candidate.path)) {
          if (head.cwd === undefined || !places.has(head.cwd)) others++;
          else {
            const modified = new Date(head.modifiedAt).toISOString();
            transcripts.push({ file: candidate.path, modified, bytes: candidate.size, session: head.session });
          }
        }
        continue;
      }
      const head = await tail.readHead(candidate.path).catch(() => undefined);
      if (head === undefined) continue;
      const { cwd, session } = adapter.peek(head, candidate.path, readSmall);
      if (cwd === undefined) unknownFolder++;
      else if (!places.has(cwd)) others++;
      else {
        transcripts.push({
          file: candidate.path,
          modified: new Date(candidate.modifiedAt).toISOString(),
          bytes: candidate.size,
          ...(session && { session }),
        });
      }
    }
  }
  const described = roots.map(({ path }) => ({
    path,
    exists: statSync(path, { throwIfNoEntry: false }) !== undefined,
  }));
  return {
    kind: 'agent',
    agent: adapter.id,
    name: adapter.name,
    roots: described,
    transcripts: transcripts.sort((a, b) => (a.modified < b.modified ? 1 : -1)),
    others,
    unknownFolder,
    why: transcripts.length > 0 ? null : whyNothing(described, others, unknownFolder),
  };
}

/** Returns the sessions of a database without reading their contents. */
async function sessionsIn(adapter: AgentAdapter, file: string): Promise<readonly SessionHead[]> {
  const heads: SessionHead[] = [];
  const decoder = createDecoder(adapter, { file, readSmall: () => undefined, sqlite });
  const nothing = () => undefined;
  const wants = (head: SessionHead) => {
    heads.push(head);
    return false;
  };
  if (decoder.unit !== 'database') return heads;
  const database = (bytes: Uint8Array, log: Uint8Array | null) =>
    decoder.decode(bytes, log, { event: nothing, problem: nothing, read: nothing, wants });
  await readWholeFile(file, { unit: 'database', markers: [], database }).catch(nothing);
  return heads;
}

function whyNothing(
  roots: readonly { path: string; exists: boolean }[],
  others: number,
  unknownFolder: number,
): string {
  if (roots.length === 0) return 'it has no store of its own; its files are in the workspace';
  if (!roots.some((root) => root.exists)) {
    const paths = roots.map((root) => root.path);
    return paths.length === 1 ? `${paths.join()} does not exist` : `none of ${paths.join(', ')} exists`;
  }
  if (others > 0) return `it worked in other folders (${counted(others, 'session')})`;
  if (unknownFolder > 0) return `no folder is named in ${counted(unknownFolder, 'transcript')}`;
  return 'no transcript there yet';
}

function print(output: Output, found: Discovered, said: Set<string>): void {
  if (found.why) {
    const line = `${found.name}: nothing, ${found.why}`;
    if (!said.has(line)) output.line(line);
    said.add(line);
    return;
  }
  const others = found.others > 0 ? `, ${found.others} of other folders` : '';
  output.line(`${found.name}: ${counted(found.transcripts.length, 'session')}${others}`);
  for (const one of found.transcripts.slice(0, 10)) output.line(`  ${one.modified}  ${one.file}`);
  if (found.transcripts.length > 10) output.line(`  and ${found.transcripts.length - 10} more`);
}
