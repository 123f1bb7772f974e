/** A synthetic session of Claude Code whose command has printed nothing for a quarter of an hour. Contains no recorded text. */
import fs from 'node:fs';
import { join } from 'node:path';

const MINUTE_MS = 60_000;
const SILENT_MINUTES = 14;

/** @param {{ home: string, cwd: string, now: number }} options now: milliseconds since the epoch */
export function writeSilentAgent({ home, cwd, now }) {
  const folder = join(home, '.claude/projects', cwd.replace(/[^A-Za-z0-9]/g, '-'));
  fs.mkdirSync(folder, { recursive: true });
  const sessionId = '00000000-0000-4000-8000-000000000077';
  const file = join(folder, `${sessionId}.jsonl`);
  let records = 0;
  const base = (/** @type {number} */ minutes) => ({
    uuid: `00000000-0000-4000-8000-77${String(++records).padStart(10, '0')}`,
    sessionId,
    cwd,
    gitBranch: 'main',
    version: '2.1.329',
    timestamp: new Date(now - minutes * MINUTE_MS).toISOString(),
  });
  const call = (/** @type {number} */ minutes, /** @type {string} */ name, /** @type {object} */ input) => ({
    ...base(minutes),
    type: 'assistant',
    message: {
      id: `msg_silent_${records}`,
      role: 'assistant',
      model: 'claude-sonnet-5',
      stop_reason: 'tool_use',
      content: [{ type: 'tool_use', id: `toolu_silent_${records}`, name, input }],
    },
  });
  const result = (/** @type {number} */ minutes, /** @type {string} */ id, /** @type {string} */ content) => ({
    ...base(minutes),
    type: 'user',
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] },
  });
  const lines = [{ ...base(24), type: 'user', message: { role: 'user', content: 'Publish the packages' } }];
  for (let step = 0; step < 12; step++) {
    const asked = call(23 - step / 2, 'Read', { file_path: join(cwd, `packages/part-${step}.json`) });
    const id = asked.message.content[0]?.id ?? '';
    lines.push(asked, result(23 - step / 2, id, `{ "version": "1.${step}.0" }`));
  }
  lines.push(call(SILENT_MINUTES, 'Bash', { command: 'npm publish --workspaces' }));
  fs.writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const at = (now - SILENT_MINUTES * MINUTE_MS) / 1000;
  fs.utimesSync(file, at, at);
}
