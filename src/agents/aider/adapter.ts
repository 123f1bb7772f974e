import type { AgentAdapter } from '../adapter';
import { sessionOfFile } from '../shared/decode';
import { aiderDescriptor } from './descriptor';

/** aider: `.aider.chat.history.md` in the folder in which it was started. */
export const aider: AgentAdapter = {
  id: aiderDescriptor.id,
  name: aiderDescriptor.name,
  unit: 'line',
  // The file is in the workspace, so the workspace globs find it.
  locate: () => [],
  workspaceFiles: ['.aider.chat.history.md'],
  writesTimes: false,
  recognises(head, file) {
    if (/^# aider chat started at \d{4}-/m.test(head)) return 'yes';
    return file.endsWith('.aider.chat.history.md') ? 'yes' : 'no';
  },
  peek: (_head, file) => ({ session: sessionOfFile(file) }),
  decoder: 'aider',
  callMarkers: ['> Applied edit to ', '> Running ', '> ## Running: '],
  // The marker must be at the beginning of its line.
  ownCalls: (text, found) => (text.startsWith('> ') ? Math.min(found, 1) : 0),
  showsRunningTool: false,
  holdsCalls: false,
  turnEnds: 'yes',
};
