import type { AgentAdapter } from '../adapter';
import { vscodeChatDescriptor } from './descriptor';
import { locate, peek, recognises, sessionFiles } from './locate';

/** Milliseconds. The log of the chat view is saved once a minute on a desktop, and a save may be missed. */
const OUTCOMES_LATE_MS = 150_000;

/** VS Code's own chat agent in its local harness (measured with VS Code 1.139.1, extension `copilot` 0.67.0). */
export const vscodeChat: AgentAdapter = {
  id: vscodeChatDescriptor.id,
  name: vscodeChatDescriptor.name,
  unit: 'line',
  locate,
  recognises,
  peek,
  files: sessionFiles,
  decoder: 'vscodeChat',
  callMarkers: ['"toolCallId":"', '"toolCallId": "'],
  // Each call is named again when it begins and when it ends.
  ownCalls: (text, found) => (/^\{"type":\s?"assistant\.message"/.test(text) ? found : 0),
  outcomesLateMs: OUTCOMES_LATE_MS,
  showsRunningTool: true,
  turnEnds: 'yes',
};
