import type { AgentAdapter } from '../adapter';
import { locate, peek, recognises } from './locate';
import { qwenDescriptor } from './descriptor';

/** Qwen Code (measured with 0.15.10). */
export const qwen: AgentAdapter = {
  id: qwenDescriptor.id,
  name: qwenDescriptor.name,
  unit: 'line',
  locate,
  recognises,
  peek,
  decoder: 'qwen',
  callMarkers: ['"functionCall":{'],
  // A compression holds the remaining part of the chat, with its calls.
  ownCalls: (text, found) => (found > 0 && text.slice(0, 800).includes('"type":"assistant"') ? found : 0),
  showsRunningTool: true,
  turnEnds: 'yes',
};
