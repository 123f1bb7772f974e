/** The whole path of a line: decoder, session, all detectors, incidents. For `--pipeline test/bench/full-pipeline.mjs`. */
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const require = createRequire(import.meta.url);
const built = join(tmpdir(), 'unstuck-bench', 'engine.cjs');
let engine;

/** Called once before a series, but not in the processes that are measured. */
export async function prepare() {
  const { buildEngine } = await import('./support/build.mjs');
  await buildEngine();
}

export function createPipeline(file) {
  engine ??= require(built);
  const { claudeCode, codex, createDecoder, Transcript, Session, resolveOptions } = engine;
  const detectors = resolveOptions({ preset: 'balanced', detectors: {} });
  const adapter = file.includes('rollout-') ? codex : claudeCode;
  const sessions = new Map();
  const transcript = new Transcript({
    decoder: createDecoder(adapter, { file, readSmall: () => undefined }),
    sessionFor: (event) => {
      let session = sessions.get(event.session);
      if (!session) {
        session = new Session({
          agent: adapter.id,
          agentName: adapter.name,
          session: event.session,
          file,
          showsRunningTool: adapter.showsRunningTool,
          detectors,
          isHistory: () => false,
          live: false,
          onIncident: () => {},
        });
        sessions.set(event.session, session);
      }
      return session;
    },
    beforeEvent: (event, session) => {
      for (let ticks = 0; ticks < 64 && session.deadline() <= event.at; ticks++) session.tick(session.deadline());
    },
  });
  return {
    markers: adapter.callMarkers,
    line: (line, calls) => transcript.line(line, calls),
    finish: () => transcript.events,
  };
}
