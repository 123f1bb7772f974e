import type { LocateEnvironment } from '../agents/transcripts';
import { hookPlaceOf } from '../agents/hook-place';
import { elsewhereOf } from '../agents/elsewhere';
import { HOLDS_FOR_GATES } from '../agents/holds-for-gates';
import { planLaunch } from '../agents/launch';
import { createProcessSearch } from '../agents/processes';
import { registry } from '../agents/registry';
import { processOfSession } from '../agents/session-process';
import type { SqlReader } from '../agents/sqlite/reader';
import { createVersions } from '../agents/versions';
import type { FileCache } from '../base/files';
import { readSmall } from '../engine/follow/probe';
import { recogniseFile } from '../engine/follow/recognise';
import type { AgentId } from '../core/model';
import { createBreather } from '../history';
import type { Tail } from '../base/tail';
import type { AgentPorts } from './agent-ports';

interface Given extends Pick<AgentPorts, 'detectors'> {
  readonly environment: LocateEnvironment;
  readonly sqlite: SqlReader;
  readonly tail: Pick<Tail, 'countLines'>;
  /** Cache of what is known about transcripts; undefined if nothing is kept. */
  readonly cache: FileCache | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Connects the editor's ports to the wings that know agents, detectors and files. Wiring only. */
export function createAgentPorts({ detectors, environment, sqlite, tail, cache, now }: Given): AgentPorts {
  const files = { adapters: registry, sqlite, readSmall };
  const processes = createProcessSearch(process.getuid?.(), now);
  return {
    detectors,
    readSmall,
    scan: async (file, options) => {
      const { scanFile } = await import('../engine/reading');
      return scanFile(file, { ...options, readSmall, sqlite }, cache);
    },
    endings: registry.flatMap((adapter) => adapter.workspaceFiles ?? []),
    isTranscript: async (path) => (await recogniseFile(registry, path)) !== null,
    countLines: (path, offset) => tail.countLines(path, offset),
    sessionText: async (path, session) =>
      (await import('../engine/reading')).sessionText(registry, sqlite, path, session),
    readExcerpt: async (place, session) => {
      const { readExcerpt } = await import('../engine/reading');
      const breathe = () => new Promise<void>((resume) => setImmediate(resume));
      return readExcerpt(place, session, { ...files, clock: () => performance.now(), breathe });
    },
    fixture: async (incident) => {
      const { makeFixture } = await import('../engine/reading');
      const breather = createBreather();
      return makeFixture(incident, { ...files, breathe: () => breather.breathe() });
    },
    versions: createVersions(environment.env['PATH']),
    processOf: async (session) => processOfSession(session, await processes()),
    elsewhere: async (agent, folders) => elsewhereOf(agent, await processes(), folders, environment),
    hookPlace: ({ agent, cwd = environment.home }, name) => hookPlaceOf(agent, name, cwd, environment, readSmall),
    holdsForGates: ({ agent, mode }) => HOLDS_FOR_GATES.has(agent) && (mode ?? 'print') === 'print',
    planResume: (launch, { agent, session, cwd = environment.home }, prompt) =>
      planLaunch({ agent, mode: 'resume', style: 'terminal', session, prompt, cwd }, launch),
    loadFleet: () => import('../fleet/connection/connect-fleet'),
  };
}

/** Returns the agents' names as the lists show them, where "Agent" would say nothing. */
export function agentNames(): ReadonlyMap<AgentId, string> {
  return new Map(registry.map(({ id, name }) => [id, id === 'generic' ? 'Other agents' : name]));
}
