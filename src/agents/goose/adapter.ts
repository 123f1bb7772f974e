import type { AgentAdapter } from '../adapter';
import { asText, parseRecord, sessionOfFile } from '../shared/decode';
import { gooseDescriptor } from './descriptor';
import { firstLine } from '../../base/util/text';

/** goose (experimental): sessions in JSON Lines, as versions before 1.10 wrote them. */
export const goose: AgentAdapter = {
  id: gooseDescriptor.id,
  name: gooseDescriptor.name,
  unit: 'line',
  locate: ({ home, env, platform }) => {
    const data =
      platform === 'win32'
        ? `${env['APPDATA'] || `${home}/AppData/Roaming`}/Block/goose/data`
        : `${env['XDG_DATA_HOME'] || `${home}/.local/share`}/goose`;
    return [{ path: `${data}/sessions`, depth: 0, matches: (path) => /^[^/]+\.jsonl$/.test(path) }];
  },
  recognises(head) {
    const first = firstLine(head);
    if (
      /^\s*\{/.test(first) &&
      /"working_dir":/.test(first) &&
      /"(?:description|message_count|schedule_id)":/.test(first)
    )
      return 'yes';
    return /^\s*\{"(?:id|role)":[^\n]{0,200}"created":\d+,"content":\[/.test(first) ? 'maybe' : 'no';
  },
  peek(head, file) {
    const cwd = asText(parseRecord(firstLine(head))?.['working_dir']);
    return { session: sessionOfFile(file), ...(cwd !== undefined && { cwd }) };
  },
  decoder: 'goose',
  callMarkers: ['"type":"toolRequest"', '"type": "toolRequest"'],
  showsRunningTool: true,
  turnEnds: 'yes',
};
