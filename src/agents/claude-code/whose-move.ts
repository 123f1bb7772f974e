import { fieldsOf, type JsonRecord, parseJson } from '../../base/util/json';
import { promptKind, promptText } from './prompt';

/** State of the turn at the end of a transcript: the person interrupted it, it ended on its own, or it continues or is not known (`unknown`). */
export type Move = 'interrupted' | 'ended' | 'unknown';

/**
 * Reads the last lines of a transcript backwards, up to the one that decides. Lines of sub-agents and lines outside the conversation say nothing.
 * Pure.
 *
 * @param end the last part of the file; its first line may be cut
 */
export function moveIn(end: string): Move {
  for (const line of end.split('\n').reverse()) {
    const row = fieldsOf(parseJson(line));
    if (row['isSidechain'] === true) continue;
    const move = moveOf(row);
    if (move !== null) return move;
  }
  return 'unknown';
}

/** Returns null if this line does not decide. */
function moveOf(row: JsonRecord): Move | null {
  switch (row['type']) {
    case 'system':
      return row['subtype'] === 'turn_duration' ? 'ended' : null;
    case 'assistant':
      // Text of the CLI itself in the model's place, even after an interruption. An answer alone does not end a turn: hooks come first.
      return fieldsOf(row['message'])['model'] === '<synthetic>' ? null : 'unknown';
    case 'user': {
      const text = promptText(fieldsOf(row['message'])['content']);
      switch (promptKind(row, text)) {
        case 'interrupted':
          return 'interrupted';
        case 'typed':
        case 'automated':
          return 'unknown';
        case 'command':
        case 'command_output':
        case 'note':
          return null;
      }
    }
    // falls through
    default:
      return null;
  }
}
