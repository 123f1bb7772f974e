// alert.mjs TAIL ENGINE FOLDER : agents that fail the same way, each a fourth time. Prints, as JSON, the microseconds from the line to the alert:
// decoder, session, all detectors, incident.
import { appendFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const [tailPath, enginePath, folder] = process.argv.slice(2);
const require = createRequire(import.meta.url);
const { createTail, silentLog } = require(tailPath);
const { claudeCode, createDecoder, Transcript, Session, resolveOptions } = require(enginePath);

const AGENTS = 150;
const FAILURES = 3;
const tail = createTail({ log: silentLog });
const took = [];
for (let agent = 0; agent < AGENTS; agent++) await fail(agent);
tail.dispose();
console.log(JSON.stringify(took));

/** Follows a session until it has failed three times, then lets it fail once more. */
async function fail(agent) {
  const path = join(folder, `${id(agent)}.jsonl`);
  writeFileSync(path, prompt(agent) + Array.from({ length: FAILURES }, (_, round) => failure(agent, round)).join(''));
  let lineAt = 0;
  let session;
  const transcript = new Transcript({
    decoder: createDecoder(claudeCode, { file: path, readSmall: () => undefined }),
    sessionFor: (event) => {
      session ??= new Session({
        agent: claudeCode.id,
        agentName: claudeCode.name,
        session: event.session,
        file: path,
        showsRunningTool: claudeCode.showsRunningTool,
        detectors: resolveOptions({ preset: 'balanced', detectors: {} }),
        isHistory: () => false,
        live: true,
        onIncident: (incident, before) => {
          if (incident.level === 'stuck' && before?.level !== 'stuck') took.push((performance.now() - lineAt) * 1000);
        },
      });
      return session;
    },
    beforeEvent: () => {},
  });
  const caughtUp = new Promise((resolve) => {
    tail.open(path, {
      unit: 'line',
      from: 'start',
      markers: claudeCode.callMarkers,
      line: (line, calls) => {
        lineAt = performance.now();
        transcript.line(line, calls);
      },
      caughtUp: resolve,
    });
  });
  await caughtUp;
  await wait(10);
  appendFileSync(path, failure(agent, FAILURES));
  await wait(20);
}

function id(agent) {
  return `00000000-0000-4000-8000-${String(agent).padStart(12, '0')}`;
}

function record(agent, fields) {
  const envelope = {
    sessionId: id(agent),
    cwd: '/work',
    timestamp: new Date().toISOString(),
    uuid: crypto.randomUUID(),
  };
  return `${JSON.stringify({ ...envelope, ...fields })}\n`;
}

function prompt(agent) {
  return record(agent, { type: 'user', message: { role: 'user', content: 'Mend the parser' } });
}

function failure(agent, round) {
  const call = `toolu_${agent}_${round}`;
  const use = { type: 'tool_use', id: call, name: 'Bash', input: { command: 'npm test -- parser' } };
  const text = `Exit code 1\nFAIL test/parser.test.ts\n  expected 3 tokens, got 2 (agent ${agent})\n${'  at parse (src/parser.ts:40:12)\n'.repeat(20)}`;
  const result = { type: 'tool_result', tool_use_id: call, content: text, is_error: true };
  return (
    record(agent, {
      type: 'assistant',
      message: { id: `msg_${call}`, role: 'assistant', model: 'claude-opus-5-5', content: [use] },
    }) + record(agent, { type: 'user', message: { role: 'user', content: [result] } })
  );
}
