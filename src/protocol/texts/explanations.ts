import { counted, percent, times, whole } from '../format';
import { type Sentence, code, say } from '../parts';

/**
 * The explanations of design/UI.md 8.1, by detector: what was counted, and what it means if that can be said without guessing.
 *
 * Ages (`for`, `limit`) are written by `format` already.
 */
export const explain = {
  repeating_action: (call: string, n: number): Sentence =>
    say`${code(call)} ran ${times(n)} in a row with the same arguments and result.`,

  repeating_outcome: (
    call: string,
    n: number,
    window: number,
    edits?: { readonly count: number; readonly file: string; readonly result: string },
  ): Sentence => {
    const start = say`${code(call)} gave the same result ${times(n)} in the last ${counted(window, 'step')}`;
    if (!edits || edits.count === 0) return say`${start}.`;
    const between = say`${start}, with ${counted(edits.count, 'different edit')} of ${code(edits.file)} in between.`;
    return edits.result === '' ? between : say`${between} No edit changed the result: ${edits.result}.`;
  },

  in_turn: (k: number, n: number): Sentence =>
    say`${whole(k)} steps take turns, ${counted(n, 'round')}, each with the same result as before.`,

  monologue: (n: number): Sentence =>
    say`${counted(n, 'message')} in a row without a tool call, while its turn goes on.`,

  condensation_loop: (call: string, n: number): Sentence =>
    say`The context was condensed, and the agent went straight back to ${code(call)}, which failed ${times(n)} before.`,

  token_exhaustion: (share: number, time: string): Sentence =>
    say`${percent(share)} of the context is used, and nothing has progressed for ${time}.`,

  stall: (time: string, call: string, limit: string): Sentence =>
    say`Nothing was written for ${time} while running ${code(call)}. Calls of this kind may take ${limit}.`,

  max_runtime: (time: string, limit: string): Sentence =>
    say`The session has been active for ${time}; the limit is ${limit}.`,

  consecutive_failures: (n: number, tools: number): Sentence =>
    say`${counted(n, 'call')} in a row failed, with ${counted(tools, 'different tool')}.`,

  validation_failure: (n: number, kind: string): Sentence => say`${counted(n, 'malformed call')} in a row: ${kind}.`,

  oversized_response: (call: string, characters: number): Sentence =>
    say`${code(call)} returned ${whole(characters)} characters. The full text is saved, the agent may not see all of it.`,

  gate_blocked: (n: number, gate: string): Sentence =>
    say`It said it was done ${times(n)}, and ${gate} failed each time.`,

  premature_action: (file: string): Sentence => say`It edited ${code(file)} without reading it in this session.`,

  over_helpfulness: (call: string): Sentence =>
    say`${code(call)} found nothing, and the next step used a value that appears nowhere before.`,

  context_pollution: (call: string): Sentence =>
    say`After the restart it ran ${code(call)}, which the retry notes list as failed.`,

  text_loop: (sentences: number, n: number): Sentence =>
    say`The same ${counted(sentences, 'sentence')} came ${times(n)}.`,

  rate_limited: (n: number, error: string): Sentence =>
    say`${counted(n, 'request')} in a row were refused: ${error}. Other agents see it too.`,
} as const;

/** What would clear an incident (design/UI.md 8.1, last column, and PROTOCOLS.md section 5). Each is one line of the list. */
export const clears = {
  repeating_action: (): readonly Sentence[] => [say`a different call or result`],
  repeating_outcome: (call: string): readonly Sentence[] => [
    say`${code(call)} gives a different result`,
    say`it does not come back within 12 steps`,
    say`you send a message or the session ends`,
  ],
  in_turn: (): readonly Sentence[] => [say`one of them gives a new result`],
  monologue: (): readonly Sentence[] => [say`a tool call, or the end of the turn`],
  condensation_loop: (): readonly Sentence[] => [say`a new result after compaction`],
  token_exhaustion: (): readonly Sentence[] => [say`an edit, a passing test, a finished plan item or a commit`],
  stall: (): readonly Sentence[] => [say`the next line in the transcript`],
  max_runtime: (): readonly Sentence[] => [say`the session ends`],
  consecutive_failures: (): readonly Sentence[] => [say`a call that succeeds`],
  validation_failure: (): readonly Sentence[] => [say`a well-formed call`],
  oversized_response: (): readonly Sentence[] => [say`not an incident by itself`],
  gate_blocked: (gate: string): readonly Sentence[] => [say`${gate} passes`],
  premature_action: (): readonly Sentence[] => [say`it reads the file`],
  over_helpfulness: (): readonly Sentence[] => [say`not an incident by itself`],
  context_pollution: (): readonly Sentence[] => [say`another approach`],
  text_loop: (): readonly Sentence[] => [say`new text or a tool call`],
  rate_limited: (): readonly Sentence[] => [say`a request that is answered`],
} as const;
