/** Beginning of every text from Unstuck to an agent. */
export const SENDER = 'Unstuck, an automated watcher, ';

/** Line above the task in the prompt that hands it on, before its fence. */
export const TASK_HEADING = 'The task, as a person gave it:\n';

/**
 * Returns the task that a restart prompt hands on; null for any other text. A session that took over is named after the task, and hands it on in
 * turn. A forged prompt only changes the name of a session.
 */
export function handedTask(prompt: string): string | null {
  if (!prompt.startsWith(SENDER)) return null;
  const from = prompt.indexOf(TASK_HEADING);
  if (from < 0) return null;
  const [fence = '', ...lines] = prompt.slice(from + TASK_HEADING.length).split('\n');
  const end = lines.indexOf(fence);
  return fence.startsWith('```') && end > 0 ? lines.slice(0, end).join('\n') : null;
}
