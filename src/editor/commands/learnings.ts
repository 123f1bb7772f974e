import * as vscode from 'vscode';
import { presentable } from '../../base/util/redact';
import { learningLine } from '../../core/words';
import type { CommandParts } from './parts';
import { type Argument, pickedLearning } from './pick';
import { askFirst, askText } from '../voice';

/** *Write What Helped*: sets the learning's text, as used from now on in the search and in drafts. */
export async function editLearning(parts: CommandParts, argument: Argument): Promise<void> {
  const learning = pickedLearning(argument)?.learning;
  if (!learning) return;
  const content = await askText({
    title: 'Write What Helped',
    prompt: 'It is quoted in the draft when the same problem is seen again.',
    value: learning.editedAt === undefined ? (learning.cause ?? learning.content) : learning.content,
    problem: (text) => (text.trim() === '' ? 'Write what helped, or delete the learning.' : null),
  });
  if (content !== undefined)
    await parts.services.store.changeLearning(learning.id, { content: presentable(content.trim()) });
}

export async function pinLearning(parts: CommandParts, argument: Argument, pinned: boolean): Promise<void> {
  const learning = pickedLearning(argument)?.learning;
  if (learning) await parts.services.store.changeLearning(learning.id, { pinned });
}

export async function deleteLearning(parts: CommandParts, argument: Argument): Promise<void> {
  const row = pickedLearning(argument);
  if (!row) return;
  const detail = 'Its incidents stay in the history.';
  const yes = await askFirst({ message: 'Delete this learning?', detail }, 'Delete');
  if (yes !== 'Delete') return;
  for (const id of [row.learning.id, ...(row.same ?? [])])
    await parts.services.store.changeLearning(id, { forgotten: true });
}

/** *Copy as a Line for AGENTS.md…*: shows the line, then copies it. Unstuck never writes into these files. */
export async function copyLearning(argument: Argument): Promise<void> {
  const learning = pickedLearning(argument)?.learning;
  if (!learning) return;
  const line = learningLine(learning);
  const answer = await askFirst(
    { level: 'information', message: 'A line for AGENTS.md or CLAUDE.md', detail: presentable(line) },
    'Copy',
  );
  if (answer === 'Copy') await vscode.env.clipboard.writeText(presentable(`${line}\n`));
}
