import { type Result, fail, ok } from '../../base/util/result';
import type { CheckpointFailure } from './failure';
import { pathText } from './files';
import { checkpointPattern, isCheckpointRef } from './names';
import { type WorkPlace, workTreeOf } from './work-tree';

export interface Checkpoint {
  readonly ref: string;
  /** Folder name of the session. */
  readonly session: string;
  readonly commit: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** First line of its message, and the rest: the progress summary. */
  readonly subject: string;
  readonly summary: string;
}

/** Lists the checkpoints of a work tree, newest first; those of one session if its folder name is passed. */
export async function listCheckpoints(
  place: WorkPlace,
  session?: string,
): Promise<Result<readonly Checkpoint[], CheckpointFailure>> {
  const pattern = checkpointPattern(session);
  if (pattern === null) return fail({ code: 'bad_name', message: 'This session cannot name a checkpoint.' });
  const found = await workTreeOf(place);
  if (!found.ok) return found;
  const fields = [
    '%(refname)',
    '%(objectname)',
    '%(committerdate:unix)',
    '%(contents:subject)',
    '%(contents:body)',
    '',
  ];
  const listed = await found.value.git.run(['for-each-ref', `--format=${fields.join('%00')}`, pattern]);
  if (!listed.ok) return listed;
  const parts = pathText(listed.value).split('\0');
  const checkpoints: Checkpoint[] = [];
  for (let at = 0; at + 4 < parts.length; at += 5) {
    const [ref = '', commit = '', time = '', subject = '', body = ''] = parts.slice(at, at + 5);
    const name = ref.trim();
    if (!isCheckpointRef(name)) continue;
    const of = name.split('/')[2] ?? '';
    checkpoints.push({ ref: name, session: of, commit, at: Number(time) * 1000, subject, summary: body.trim() });
  }
  return ok(checkpoints.sort((a, b) => b.at - a.at || (a.ref < b.ref ? 1 : -1)));
}
