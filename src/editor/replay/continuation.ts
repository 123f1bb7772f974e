import type { Beat, RecordedLine } from './recording';

/** One step of a continuation: what the agent says, does and receives. */
export interface ScriptedStep {
  readonly say?: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly result: string;
  readonly failed?: boolean;
}

/**
 * Returns the record with which Claude Code shows that a hook's text reached the model (attachment `hook_additional_context`), after the form of a
 * recorded one.
 */
export function takenLine(template: RecordedLine, text: string, event: string): RecordedLine {
  return {
    ...envelope(template, `taken-${text.length}`),
    type: 'attachment',
    attachment: {
      type: 'hook_additional_context',
      content: [text],
      hookName: event,
      toolUseID: `hook-${event}`,
      hookEvent: event,
    },
  };
}

/**
 * Returns the records of a beat up to a call that a hook refused, with the reason as its result, as Claude Code writes it. The later calls of the
 * same batch are not made.
 */
export function refusedLines(beat: Beat, id: string, reason: string): RecordedLine[] {
  const called = beat.lines.findIndex((line) => holds(line, 'tool_use', 'id', id));
  const made = beat.lines.slice(0, called + 1);
  const answered = beat.lines.find((line) => holds(line, 'tool_result', 'tool_use_id', id));
  if (!answered) return made;
  const { toolUseResult: _result, message, ...rest } = answered;
  const content = [{ type: 'tool_result', tool_use_id: id, content: reason, is_error: true }];
  return [
    ...made,
    {
      ...rest,
      message: { ...(message as Record<string, unknown>), content },
      toolDenialKind: 'permission-rule',
      permissionDecision: { source: 'hook' },
    },
  ];
}

function holds(line: RecordedLine, type: string, key: string, id: string): boolean {
  const content = (line['message'] as { content?: unknown } | undefined)?.content;
  if (!Array.isArray(content)) return false;
  return content.some((block: Record<string, unknown>) => block['type'] === type && block[key] === id);
}

/** Returns the beats that play these steps in the form of the recorded run, and the final message that ends the turn. */
export function continuation(
  template: RecordedLine,
  ending: readonly RecordedLine[],
  steps: readonly ScriptedStep[],
  last: string,
): Beat[] {
  const beats = steps.map((step, index): Beat => {
    const id = `toolu_99Mock${String(index + 1).padStart(18, '0')}`;
    const said = step.say ? [assistant(template, `${index}-say`, { type: 'text', text: step.say }, 'tool_use')] : [];
    return {
      lines: [
        ...said,
        assistant(template, `${index}-call`, { type: 'tool_use', id, name: step.tool, input: step.input }, 'tool_use'),
        {
          ...envelope(template, `${index}-result`),
          type: 'user',
          message: {
            role: 'user',
            content: [{ tool_use_id: id, type: 'tool_result', content: step.result, is_error: step.failed === true }],
          },
        },
      ],
      batch: [{ tool_name: step.tool, tool_input: step.input, tool_use_id: id, tool_response: step.result }],
    };
  });
  // These are the lines that an agent writes when its turn is over. The request before its last words would open the turn again.
  const end = ending.filter((line) => line['type'] === 'last-prompt' || line['type'] === 'cost-state');
  return [
    ...beats,
    { lines: [assistant(template, 'end', { type: 'text', text: last }, 'end_turn'), ...end], batch: [] },
  ];
}

function assistant(template: RecordedLine, key: string, block: unknown, stop: 'tool_use' | 'end_turn'): RecordedLine {
  const message = template['message'] as Record<string, unknown>;
  return {
    ...envelope(template, key),
    type: 'assistant',
    message: { ...message, id: `msg_99Mock-${key}`, content: [block], stop_reason: stop },
  };
}

/** Returns the fields that every conversation record carries, taken from a recorded assistant record. */
function envelope(template: RecordedLine, key: string): RecordedLine {
  const { message: _message, requestId: _request, requestRef: _reference, toolUseResult: _result, ...rest } = template;
  return { ...rest, uuid: `99999999-0000-4000-8000-${hex12(key)}`, parentUuid: null };
}

function hex12(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return hash.toString(16).padStart(12, '0');
}
