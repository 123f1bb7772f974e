import { readdir, readlink } from 'node:fs/promises';
import { realPath } from '../base/files';
import type { AgentId } from '../core/model';
import type { AgentProcess } from './processes';

/** A session whose process is looked for, and what else its agent does in the same folder. */
export interface SoughtSession {
  readonly agent: AgentId;
  /** Its transcript, absolute. */
  readonly file: string;
  readonly cwd: string;
  /** When each of the other sessions of this agent in this folder wrote last, milliseconds since the epoch. */
  readonly others: readonly number[];
}

/** Open files of a process that are looked at. */
const MOST_OPEN = 2_000;

/**
 * The process that runs a session, of agents that leave no trace of it: the only one that has its transcript open, else the only one of the
 * kind in its folder, where no other session there has been written since it was started. Null where that is not certain: the wrong one
 * would be ended.
 */
export async function processOfSession(
  session: SoughtSession,
  processes: readonly AgentProcess[],
  proc = '/proc',
): Promise<number | null> {
  const ofKind = processes.filter(({ agent }) => agent === session.agent);
  // A database is open in every process of its agent.
  if (session.file.endsWith('.jsonl')) {
    const writers: number[] = [];
    for (const { pid } of ofKind) if (await hasOpen(`${proc}/${pid}/fd`, session.file)) writers.push(pid);
    const [only] = writers;
    if (only !== undefined) return writers.length === 1 ? only : null;
  }
  const folder = await realPath(session.cwd);
  const here = ofKind.filter(({ cwd }) => cwd === folder);
  const [only] = here;
  if (!only || here.length > 1 || only.startedAt === null) return null;
  const { startedAt } = only;
  return session.others.some((writtenAt) => writtenAt >= startedAt) ? null : only.pid;
}

async function hasOpen(folder: string, file: string): Promise<boolean> {
  const wanted = await realPath(file);
  for (const name of (await readdir(folder).catch(() => [])).slice(0, MOST_OPEN))
    if ((await readlink(`${folder}/${name}`).catch(() => '')) === wanted) return true;
  return false;
}
