import { firstLine } from '../../base/util/text';
import type { AgentAdapter } from '../adapter';
import { asText, sessionOfFile } from '../shared/decode';
import { kiroDescriptor } from './descriptor';
import { liveness } from './liveness';
import { descriptionOf, sessionsFolder, workplaceIn } from './places';

const RECORD = /^\s*\{"version":"v\d{1,3}","kind":"(?:Prompt|AssistantMessage|ToolResults|Clear|Compaction|ResetTo)"/;

/** Kiro CLI: a log for each session, next to a description that is rewritten and a lock that names the process. */
export const kiro: AgentAdapter = {
  id: kiroDescriptor.id,
  name: kiroDescriptor.name,
  unit: 'line',
  locate: (environment) => [
    { path: sessionsFolder(environment), depth: 0, matches: (path) => /^[^/]+\.jsonl$/.test(path) },
  ],
  recognises: (head) => (RECORD.test(firstLine(head)) ? 'yes' : 'no'),
  peek(head, file, readSmall) {
    const cwd = asText(descriptionOf(file, readSmall)?.['cwd']) ?? workplaceIn(head);
    return { session: sessionOfFile(file), ...(cwd !== undefined && { cwd }) };
  },
  decoder: 'kiro',
  callMarkers: ['"kind":"toolUse"'],
  liveness,
  // Only prompts have a time.
  writesTimes: false,
  showsRunningTool: true,
  turnEnds: 'yes',
};
