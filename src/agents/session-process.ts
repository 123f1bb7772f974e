import { readdir, readlink } from 'node:fs/promises';
import { realPath } from '../base/files';
import type { AgentId } from '../core/model';
import type { AgentProcess } from './processes';

/** A session whose process is looked for, with the activity of the same agent's other sessions in the folder. */
export interface SoughtSession {
  readonly agent: AgentId;
  /** Its transcript, absolute. */
  readonly file: string;
  readonly cwd: string;
  /** Time of the last write of each of this agent's other sessions in this folder, in milliseconds since the epoch. */
  readonly others: readonly number[];
}

/** Limit for the open files of a process that are checked. */
const MOST_OPEN = 2_000;

/**
 * Returns the process that runs a session, for agents that leave no trace of it: the only one that has the session's transcript open, else the only
 * one of that agent in its folder, if no other session there has been written since the process started. Null if that is not certain: the wrong
 * process would be ended.
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
