import type { AgentAdapter } from '../adapter';
import { asText, parseJson, sessionOfFile } from '../shared/decode';
import { pathOf } from './address';
import { ampDescriptor } from './descriptor';

/** Amp (experimental): a thread is one document, rewritten with every change of it. */
export const amp: AgentAdapter = {
  id: ampDescriptor.id,
  name: ampDescriptor.name,
  unit: 'document',
  locate: ({ home, env }) => [
    {
      path: `${env['XDG_DATA_HOME'] || `${home}/.local/share`}/amp/threads`,
      depth: 0,
      matches: (path) => /^T-[^/]+\.json$/.test(path),
    },
  ],
  recognises(head) {
    const start = head.slice(0, 1000);
    return /^\s*\{\s*"v":\s?\d{1,9},\s*"id":\s?"T-/.test(start) && /"created":\s?\d{10,16}/.test(start) ? 'yes' : 'no';
  },
  peek(head, file) {
    const raw = /"uri":\s?("file:(?:[^"\\\n]|\\[^\n]){1,2000}")/.exec(head)?.[1];
    const cwd = raw === undefined ? undefined : pathOf(asText(parseJson(raw)));
    return { session: sessionOfFile(file), ...(cwd !== undefined && { cwd }) };
  },
  decoder: 'amp',
  callMarkers: ['"type":"tool_use"', '"type": "tool_use"'],
  // Only prompts have one.
  writesTimes: false,
  showsRunningTool: true,
  turnEnds: 'yes',
};
