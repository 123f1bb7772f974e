/**
 * Items and events that say nothing about a step, or repeat what another record says. Anything that is neither here nor read may be a missed step.
 * Source: rollout files of versions 0.30 to 0.169, and the protocol's own list of events.
 */
const ITEMS = new Set([
  'reasoning',
  'agent_message',
  'additional_tools',
  'ghost_snapshot',
  'compaction',
  'compaction_summary',
  'compaction_trigger',
  'context_compaction',
  'configuration_update',
  'other',
]);
const EVENTS =
  /^(?:agent_|background_|collab_|context_|deprecation_|dynamic_tool_call_|elicitation_|entered_|exec_command_|exited_|get_history|guardian_|hook_|image_generation_|item_|list_|mcp_|model_|network_approval_|patch_apply_|plan_|private_session_|raw_|realtime_|remote_|request_|review_|session_configured|shutdown_|skills_|sub_agent_|task_|terminal_|thread_|token_|turn_|undo_|user_|view_image_|warning|web_search_|world_)/;
const RECORDS = new Set([
  'world_state',
  'token_usage_record',
  'inter_agent_communication',
  'inter_agent_communication_metadata',
  'retained_context',
  'dynamic_tools_updated',
  'realtime_item',
  'security_risk_score',
  'state',
]);

export function isKnownItem(type: string): boolean {
  return ITEMS.has(type);
}

export function isKnownEvent(type: string): boolean {
  return EVENTS.test(type);
}

export function isKnownRecord(type: string): boolean {
  return RECORDS.has(type);
}
