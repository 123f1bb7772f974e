import { asArray, asRecord, asText, at, cutTags, isOwnMessage, type JsonRecord, textOf } from '../shared/decode';

/**
 * Kind of a `user` line without tool results. Only `typed` and `automated` lines begin a turn.
 *
 * - `typed`: a person's prompt
 * - `automated`: text of the CLI, a hook, another agent or a scheduler
 * - `command`: a slash command, or a command of the person's own (`!npm test`); a turn only if the agent answers it
 * - `command_output`: the CLI answered the command itself
 * - `interrupted`: the person (or a signal) stopped the turn
 * - `note`: kept for the model, begins nothing
 */
export type PromptKind = 'typed' | 'automated' | 'command' | 'command_output' | 'interrupted' | 'note';

const NOTE =
  /^\s*(?:<local-command-caveat>|Caveat: The messages below were generated|<system-reminder>|<bash-(?:stdout|stderr)>|<user-memory-input>|\(no content\)\s*$)/;
/** Blocks that the editor adds to what the person typed. */
const BESIDE = /^\s*<(?:ide_[a-z_]+|system-reminder)>/;
/** Such a block in a line of its own: the prompt follows. */
const ONLY_BESIDE = /^\s*<(ide_[a-z_]+)>(?:(?!<\/\1>)[\s\S]){0,4000}<\/\1>\s*$/;

const HARNESS =
  /^\s*<(?:task-notification|teammate-message|cross-session-message|agent-message|ci-monitor-event|background-task)[\s>-]/;

export function promptText(content: unknown): string {
  const blocks = asArray(content);
  if (!blocks || blocks.length === 1) return textOf(content);
  const typed = blocks.filter((block) => !BESIDE.test(asText(asRecord(block)?.['text']) ?? ''));
  return textOf(typed.length > 0 ? typed : blocks);
}

export function promptKind(row: JsonRecord, text: string): PromptKind {
  if (text.startsWith('[Request interrupted by user')) return 'interrupted';
  if (/^\s*<local-command-(?:stdout|stderr)>/.test(text)) return 'command_output';
  if (/^\s*<(?:command-(?:name|message)|bash-input)>/.test(text)) return 'command';
  if (isOwnMessage(text)) return 'automated';
  if (text.trim() === '' || NOTE.test(text) || ONLY_BESIDE.test(text)) return 'note';
  // Speech of a person is marked as the CLI's own, too.
  const spoken = at(row, 'origin', 'kind') === 'voice-call';
  if ((row['isMeta'] === true && !spoken) || isScheduled(row)) return 'automated';
  return isTypedOrigin(row) ? 'typed' : 'automated';
}

/** Returns whether a loop command or a schedule wrote this prompt. */
export function isScheduled(row: JsonRecord): boolean {
  return row['turnOrigin'] === 'scheduled';
}

function isTypedOrigin(row: JsonRecord): boolean {
  if (isHarnessMessage(textHead(row))) return false;
  const origin = asText(at(row, 'origin', 'kind'));
  if (origin !== undefined) return /^(?:human|cli|user|voice-call)$/.test(origin);
  return row['promptSource'] !== 'system';
}

/** News that a program sends in the user's name: a task in the background ended, a teammate wrote, a check failed. */
export function isHarnessMessage(text: string): boolean {
  return HARNESS.test(text);
}

function textHead(row: JsonRecord): string {
  const content = at(row, 'message', 'content');
  return typeof content === 'string' ? content.slice(0, 200) : textOf(content).slice(0, 200);
}

/** Returns `/compact now` or `!npm test` from the tags in which a command is written. */
export function commandText(text: string): string {
  const own = cutTags(text, '<bash-input>', '</bash-input>').inside[0]?.trim();
  if (own !== undefined) return `!${own}`;
  const name = /<command-name>([^<]{1,300})<\/command-name>/.exec(text)?.[1]?.trim() ?? '';
  const args = cutTags(text, '<command-args>', '</command-args>').inside[0]?.trim() ?? '';
  const command = name.startsWith('/') || name === '' ? name : `/${name}`;
  return `${command} ${args}`.trim() || text;
}
