/**
 * Families of events that say nothing about a step: settings, plans, hooks, notices. A new event of a known family is no loss; an unknown family may
 * hold the steps. Source: event logs of versions 0.0.3 to 1.0.
 */
const FAMILIES = new Set([
  'session',
  'hook',
  'system',
  'skill',
  'permission',
  'user_input',
  'elicitation',
  'exit_plan_mode',
  'command',
  'external_tool',
  'subagent',
  'custom',
  'mcp',
  'pending_messages',
  'sampling',
  'workspace',
]);
const EVENTS = new Set([
  'assistant.intent',
  'assistant.reasoning',
  'assistant.reasoning_delta',
  'assistant.message_delta',
  'assistant.streaming_delta',
  'assistant.usage',
  'tool.user_requested',
  'tool.execution_partial_result',
  'tool.execution_progress',
]);

export function isKnownEvent(type: string): boolean {
  return EVENTS.has(type) || FAMILIES.has(type.split('.', 1)[0] ?? '');
}
