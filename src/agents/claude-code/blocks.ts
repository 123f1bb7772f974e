/**
 * Types of the blocks of a message: those that become events, and those that say nothing of a step. Server tools run within the model's
 * request: their results are no outcomes of the agent's steps. Source: lines of versions 1.0 to 2.1, and the vendor's Messages API.
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

export function isKnownBlock(type: unknown): boolean {
  return KNOWN.has(type);
}
