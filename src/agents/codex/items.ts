import {
  asArray,
  asBoolean,
  asNumber,
  asRecord,
  asString,
  asText,
  at,
  type JsonRecord,
  textOf,
} from '../shared/decode';
import type { ToolResult } from '../shared/conversation';
import { judge } from './output';

/**
 * One thing that really ran, from an `item_completed` event, or the older `exec_command_end`, `patch_apply_end` and `mcp_tool_call_end`. It is the
 * same in classic and in code mode, whatever the model's tools are called.
 */
export interface RanItem {
  /** In classic mode, the id of the call. */
  readonly id: string;
  readonly kind: 'command' | 'patch' | 'tool';
  /** The call as classic mode would have written it, for items without a call. */
  readonly name: string;
  readonly args: unknown;
  readonly command?: string;
  /** Links the item to a call that was answered while the command was still running. */
  readonly process?: string;
  readonly result: ToolResult;
}

/** Returns undefined for items that are not work: messages, reasoning, plans, commands that the person typed. */
export function ranItem(item: JsonRecord): RanItem | undefined {
  const id = asText(item['id']) ?? asText(item['call_id']) ?? asText(item['callId']);
  if (id === undefined || item['source'] === 'user_shell') return undefined;
  switch (item['type']) {
    case 'CommandExecution':
    case 'exec_command_end':
      return commandItem(id, item);
    case 'FileChange':
    case 'patch_apply_end':
      return patchItem(id, item);
    case 'McpToolCall':
    case 'mcp_tool_call_end':
      return mcpItem(id, item);
    case 'dynamic_tool_call_response':
      return toolItem(id, asText(item['tool']) ?? 'tool', item['arguments'], item, item['content_items']);
    default:
      return undefined;
  }
}

function commandItem(id: string, item: JsonRecord): RanItem {
  const command = shellLineOf(item['command']);
  const exitCode = asNumber(item['exit_code']);
  const status = asText(item['status']);
  const output =
    asText(item['aggregated_output']) ??
    asText(item['formatted_output']) ??
    `${asString(item['stdout']) ?? ''}${asString(item['stderr']) ?? ''}`;
  const durationMs = durationOf(item['duration']);
  const process = asText(item['process_id']);
  const isError = status === 'failed' || status === 'declined' || (exitCode !== undefined && exitCode !== 0);
  return {
    id,
    kind: 'command',
    name: 'exec_command',
    args: { cmd: command },
    command,
    ...(process !== undefined && { process }),
    result: {
      output,
      isError,
      ...(exitCode !== undefined && status !== 'declined' && { exitCode }),
      ...(durationMs !== undefined && { durationMs }),
      ...(status === 'declined' && { denied: 'user' as const }),
    },
  };
}

function patchItem(id: string, item: JsonRecord): RanItem {
  const success = asBoolean(item['success']) ?? !/^(?:failed|declined)$/.test(asString(item['status']) ?? '');
  const stderr = asString(item['stderr']) ?? '';
  const output = `${asString(item['stdout']) ?? ''}${stderr}`;
  const declined = item['status'] === 'declined';
  return {
    id,
    kind: 'patch',
    name: 'apply_patch',
    args: { changes: asRecord(item['changes']) ?? {} },
    result: { output, ...judge(output), isError: !success, ...(declined && { denied: 'user' as const }) },
  };
}

function mcpItem(id: string, item: JsonRecord): RanItem {
  const invocation = asRecord(item['invocation']) ?? item;
  const server = asText(invocation['server']);
  const tool = asText(invocation['tool']) ?? 'tool';
  const name = server === undefined ? tool : `mcp__${server}__${tool}`;
  const result = asRecord(item['result']);
  const error = result?.['Err'] ?? item['error'];
  const good = asRecord(result?.['Ok']) ?? result;
  return toolItem(id, name, invocation['arguments'], { ...item, error, isError: good?.['isError'] }, good?.['content']);
}

function toolItem(id: string, name: string, args: unknown, item: JsonRecord, content: unknown): RanItem {
  const error = item['error'] === undefined || item['error'] === null ? '' : textOf(item['error']);
  const durationMs = durationOf(item['duration']);
  const isError = error !== '' || item['isError'] === true || item['success'] === false || item['status'] === 'failed';
  return {
    id,
    kind: 'tool',
    name,
    args: args ?? {},
    result: {
      output: error === '' ? textOf(content) : error,
      isError,
      ...(durationMs !== undefined && { durationMs }),
    },
  };
}

/** Returns a command as one line: `["/bin/bash", "-lc", "npm test"]` is `npm test`; without a shell the words are joined. */
export function shellLineOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const words = (asArray(value) ?? []).filter((word): word is string => typeof word === 'string');
  const shell = /(?:^|[\\/])(?:ba|z|da|fi|c|k)?sh(?:\.exe)?$|(?:^|[\\/])(?:powershell|pwsh|cmd)(?:\.exe)?$/i;
  const last = words.at(-1);
  if (last !== undefined && words.length >= 3 && shell.test(words[0] ?? '') && /^[-/]/.test(words.at(-2) ?? ''))
    return last;
  return words.join(' ');
}

function durationOf(value: unknown): number | undefined {
  const seconds = asNumber(at(value, 'secs'));
  if (seconds === undefined) return undefined;
  return Math.round(seconds * 1000 + (asNumber(at(value, 'nanos')) ?? 0) / 1e6);
}
