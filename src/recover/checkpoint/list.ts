import { type Result, ok } from '../../base/util/result';
import type { CheckpointFailure } from './failure';
import { pathText } from './files';
import { isCheckpointRef } from './names';
import { type WorkPlace, workTreeOf } from './work-tree';

export interface Checkpoint {
  readonly ref: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** First line of its message, and the rest: the progress summary. */
  readonly subject: string;
  readonly summary: string;
}

/** Lists the checkpoints of a work tree, newest first. */
export async function listCheckpoints(place: WorkPlace): Promise<Result<readonly Checkpoint[], CheckpointFailure>> {
  const found = await workTreeOf(place);
  if (!found.ok) return found;
  const fields = ['%(refname)', '%(committerdate:unix)', '%(contents:subject)', '%(contents:body)', ''];
  const listed = await found.value.git.run(['for-each-ref', `--format=${fields.join('%00')}`, 'refs/unstuck/']);
  if (!listed.ok) return listed;
  const parts = pathText(listed.value).split('\0');
  const checkpoints: Checkpoint[] = [];
  for (let at = 0; at + 3 < parts.length; at += 4) {
    const [ref = '', time = '', subject = '', body = ''] = parts.slice(at, at + 4);
    const name = ref.trim();
    if (!isCheckpointRef(name)) continue;
    checkpoints.push({ ref: name, at: Number(time) * 1000, subject, summary: body.trim() });
  }
  return ok(checkpoints.sort((a, b) => b.at - a.at || (a.ref < b.ref ? 1 : -1)));
}
