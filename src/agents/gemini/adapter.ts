import type { AgentAdapter } from '../adapter';
import { chatRoot, peekDocument, peekLines, recognisesDocument, recognisesLines } from './locate';
import { geminiDescriptor } from './descriptor';

/** A running tool is written only after it has ended, with its result (measured with 0.61.0). */
const showsRunningTool = false;

/** Gemini CLI: chats in JSON Lines, and the output of `--output-format stream-json`. */
export const gemini: AgentAdapter = {
  id: geminiDescriptor.id,
  name: geminiDescriptor.name,
  unit: 'line',
  locate: (environment) => [chatRoot(environment, '.jsonl')],
  recognises: recognisesLines,
  peek: peekLines,
  decoder: 'gemini',
  callMarkers: [
    '"status":"success","timestamp":',
    '"status":"error","timestamp":',
    '"status":"cancelled","timestamp":',
    '"type":"tool_use",',
    '"type": "tool_use",',
  ],
  // A list that replaces the whole chat repeats its calls.
  ownCalls: (text, found) => (text.startsWith('{"$set":') ? 0 : found),
  showsRunningTool,
  turnEnds: 'no',
};

/** Gemini CLI before its chats became JSON Lines (0.4x): one document, rewritten whole. */
export const geminiDocument: AgentAdapter = {
  id: geminiDescriptor.id,
  name: geminiDescriptor.name,
  unit: 'document',
  locate: (environment) => [chatRoot(environment, '.json')],
  recognises: recognisesDocument,
  peek: peekDocument,
  decoder: 'geminiDocument',
  callMarkers: [
    '"status":"success","timestamp":',
    '"status":"error","timestamp":',
    '"status":"cancelled","timestamp":',
    '"status": "success",\n          "timestamp":',
    '"status": "error",\n          "timestamp":',
    '"status": "cancelled",\n          "timestamp":',
  ],
  showsRunningTool,
  turnEnds: 'no',
};
