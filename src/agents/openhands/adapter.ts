import type { AgentAdapter } from '../adapter';
import { sessionOfFile } from '../shared/decode';
import { openhandsDescriptor } from './descriptor';

const KIND =
  /"kind":\s?"(?:ConversationStateUpdateEvent|ActionEvent|ObservationEvent|MessageEvent|SystemPromptEvent|AgentErrorEvent)"/;

/** OpenHands SDK events, one per line. Its own store has a file for each event, which is not read. */
export const openhands: AgentAdapter = {
  id: openhandsDescriptor.id,
  name: openhandsDescriptor.name,
  unit: 'line',
  locate: () => [],
  recognises: (head) =>
    /^\s*\{/.test(head) && KIND.test(head) && /"source":\s?"(?:agent|user|environment)"/.test(head) ? 'yes' : 'no',
  peek: (_head, file) => ({ session: sessionOfFile(file) }),
  decoder: 'openhands',
  callMarkers: ['"kind":"ActionEvent"', '"kind": "ActionEvent"'],
  showsRunningTool: true,
  turnEnds: 'yes',
};

/** OpenHands trajectories: a list of events of either generation, in one document. */
export const openhandsDocument: AgentAdapter = {
  id: openhandsDescriptor.id,
  name: openhandsDescriptor.name,
  unit: 'document',
  locate: () => [],
  recognises(head) {
    const start = head.slice(0, 20_000);
    if (!/^\s*[[{]/.test(start)) return 'no';
    const listed =
      /^\s*\[\s*\{\s*"id":\s*"?[\w-]+"?,\s*"timestamp":/.test(start) || /"history":\s*\[\s*\{\s*"id":/.test(start);
    const events =
      /"source":\s*"(?:agent|user|environment)"/.test(start) &&
      (/"(?:action|observation)":\s*"/.test(start) || KIND.test(start));
    return listed && events ? 'yes' : 'no';
  },
  peek: (_head, file) => ({ session: sessionOfFile(file) }),
  decoder: 'openhandsDocument',
  // Each observation of a call names the event that caused it.
  callMarkers: ['"cause":', '"kind":"ActionEvent"', '"kind": "ActionEvent"'],
  showsRunningTool: true,
  turnEnds: 'yes',
};
