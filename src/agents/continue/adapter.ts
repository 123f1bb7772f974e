import type { AgentAdapter } from '../adapter';
import { asText, parseJson, sessionOfFile } from '../shared/decode';
import { continueDescriptor } from './descriptor';
import { workplaceOf } from './places';

const HEAD =
  /^\s*\{\s*"sessionId":\s*"([^"\\]{1,200})",\s*"title":\s*"(?:[^"\\]|\\.){0,2000}",\s*"workspaceDirectory":/;
const FOLDER = /"workspaceDirectory":\s*("(?:[^"\\\n]|\\.){0,4000}")/;

/** Continue: its command line and its extensions keep a document for each session, which is rewritten whole. */
export const continueCli: AgentAdapter = {
  id: continueDescriptor.id,
  name: continueDescriptor.name,
  unit: 'document',
  locate: ({ env, home }) => [
    {
      path: `${env['CONTINUE_GLOBAL_DIR'] || `${home}/.continue`}/sessions`,
      depth: 0,
      matches: (path) => /^(?!sessions\.json$)[^/]+\.json$/.test(path),
    },
  ],
  recognises: (head) => (HEAD.test(head.slice(0, 3000)) ? 'yes' : 'no'),
  peek(head, file) {
    const start = head.slice(0, 8000);
    const cwd = workplaceOf(asText(parseJson(FOLDER.exec(start)?.[1] ?? '')));
    return { session: HEAD.exec(start)?.[1] ?? sessionOfFile(file), ...(cwd !== undefined && { cwd }) };
  },
  decoder: 'continueCli',
  callMarkers: ['"toolCallId": "', '"toolCallId":"'],
  writesTimes: false,
  showsRunningTool: true,
  turnEnds: 'yes',
};
