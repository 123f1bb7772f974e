/**
 * Types of the blocks of a message: those that become events, and those that say nothing about a step. Source: lines of versions 1.0 to 2.1, and the
 * vendor's Messages API.
 */
const KNOWN = new Set<unknown>([
  'text',
  'tool_use',
  'tool_result',
  'thinking',
  'redacted_thinking',
  'image',
  'document',
  'fallback',
  'search_result',
  'container_upload',
  'compaction',
  'connector_text',
  'tool_reference',
  'server_tool_use',
  'mcp_tool_use',
  'mcp_tool_result',
  'web_search_tool_result',
  'web_fetch_tool_result',
  'code_execution_tool_result',
  'bash_code_execution_tool_result',
  'text_editor_code_execution_tool_result',
  'tool_search_tool_result',
  'advisor_tool_result',
  'cache_edits',
]);

/** True for the result of a tool that runs within the model's request; its call is in the same message. */
export function isServerResult(type: unknown): boolean {
  return typeof type === 'string' && type !== 'tool_result' && type.endsWith('tool_result');
}

export function isKnownBlock(type: unknown): boolean {
  return KNOWN.has(type);
}
