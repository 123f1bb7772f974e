import * as vscode from 'vscode';
import type { CheckpointWatch } from '../../recover/act/ports';
import type { Recovery } from '../../recover/act/service';
import type { AgentView } from '../../core/model';
import { age } from '../../core/words';
import { counted, whole } from '../../base/util/counts';
import type { SavedCheckpoint } from '../../recover/checkpoint';
import { inform, pickOne, warn, withProgress } from '../voice';

/** Saves work in progress and restores it, each on a click. */
export class Checkpoints {
  constructor(private readonly recovery: Recovery) {}

  async save(view: AgentView): Promise<void> {
    const saved = await watched('Saving the work in progress', (watch) =>
      this.recovery.saveCheckpoint(view.session, watch),
    );
    if (saved.ok) this.notifySaved(saved.value);
    else void warn(saved.error.message);
  }

  notifySaved({ ref, changed, leftOut }: SavedCheckpoint): void {
    const done = `Checkpoint saved with ${counted(changed, 'changed file')}`;
    const why =
      leftOut.length === 1
        ? 'it is too large, a repository or no regular file'
        : 'they are too large, repositories or no regular files';
    const saved =
      leftOut.length === 0
        ? `${done}. Use Restore Checkpoint to bring it back.`
        : `${done}; ${whole(leftOut.length)} left out because ${why}. Use Restore Checkpoint to bring the rest back.`;
    const copy = 'Copy Name';
    void inform(saved, copy).then((answer) => (answer === copy ? vscode.env.clipboard.writeText(ref) : undefined));
  }

  /** Offers the checkpoints of a folder to pick from, and restores the files of the picked one. */
  async restore(cwd: string): Promise<void> {
    const found = await this.recovery.checkpoints(cwd);
    if (!found.ok) {
      void warn(found.error.message);
      return;
    }
    if (found.value.length === 0) {
      void inform('This repository has no checkpoint.');
      return;
    }
    const now = Date.now();
    const items = found.value.map((checkpoint) => ({
      label: checkpoint.subject,
      description: `${age(now - checkpoint.at)} ago`,
      detail: checkpoint.summary.split('\n').find((line) => line.trim() !== '') ?? '',
      checkpoint,
    }));
    const picked = await pickOne(items, {
      placeHolder: 'Restore which checkpoint?',
      matchOnDetail: true,
    });
    if (!picked) return;
    const { ref } = picked.checkpoint;
    const restored = await watched('Restoring the checkpoint', (watch) =>
      this.recovery.restoreCheckpoint(cwd, ref, watch),
    );
    if (!restored.ok) void warn(restored.error.message);
    else {
      const { files } = restored.value;
      void inform(`${counted(files, 'file was', 'files were')} restored.`);
    }
  }
}

/** Shows the progress of comparing files, and lets the person end it. */
export async function watched<T>(title: string, work: (watch: CheckpointWatch) => Promise<T>): Promise<T> {
  return withProgress(title, { location: 'notification', cancellable: true }, (report, token) => {
    const end = new AbortController();
    token.onCancellationRequested(() => end.abort());
    let shown = 0;
    const onProgress = (done: number, all: number) => {
      const percent = Math.floor((done * 100) / all);
      if (percent > shown) report(`${percent} %`);
      shown = Math.max(percent, shown);
    };
    return work({ signal: end.signal, onProgress });
  });
}
