// Events of recorded runs, decoded by our adapters, for detectors that are measured on what agents really write.
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { benchFolder, buildAgents } from './build.mjs';

const shared = resolve(benchFolder, '../../../shared');
const FOLDERS = ['claude-code', 'codex', 'gemini', 'copilot', 'qwen']
  .map((name) => `transcripts/${name}`)
  .concat('eval/dev');
const outfile = join(tmpdir(), 'unstuck-bench', 'recorded.json');

/** Path of a JSON file with the sessions of all runs, each a list of events; throws if the runs are absent. */
export async function buildRecorded() {
  const { createDecoder, registry, recognise } = createRequire(import.meta.url)(await buildAgents());
  const sessions = [];
  for (const folder of FOLDERS) {
    const path = join(shared, folder);
    if (!existsSync(path)) throw new Error(`no ${folder}`);
    for (const name of readdirSync(path)
      .filter((one) => /\.jsonl?$/.test(one))
      .sort()) {
      const file = join(path, name);
      const text = readFileSync(file, 'utf8');
      const adapter = recognise(registry, text.slice(0, 65_536), file);
      if (adapter)
        sessions.push(...decoded(adapter, createDecoder(adapter, { file, readSmall: () => undefined }), file, text));
    }
  }
  mkdirSync(join(outfile, '..'), { recursive: true });
  writeFileSync(outfile, JSON.stringify(sessions));
  return outfile;
}

/** The sessions of one file. */
function decoded({ id: agent, showsRunningTool }, decoder, file, text) {
  const bySession = new Map();
  const sink = {
    problem() {},
    event(event) {
      const events = bySession.get(event.session) ?? [];
      bySession.set(event.session, events);
      events.push({ ...event, source: { ...event.source, file: file.slice(shared.length) } });
    },
  };
  if (decoder.unit === 'document') decoder.decode(text, sink);
  else if (decoder.unit === 'line') {
    let offset = 0;
    for (const [index, line] of text.split('\n').entries()) {
      if (line !== '') decoder.decode({ text: line, line: index + 1, offset }, sink);
      offset += Buffer.byteLength(line) + 1;
    }
  }
  return [...bySession.values()].map((events) => ({ agent, showsRunningTool, events }));
}
