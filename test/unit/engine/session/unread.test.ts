import { createDecoder } from '../../../../src/agents/decoders';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AgentAdapter } from '../../../../src/agents/adapter';
import { claudeCode } from '../../../../src/agents/claude-code/adapter';
import { codex } from '../../../../src/agents/codex/adapter';
import { copilot } from '../../../../src/agents/copilot/adapter';
import { gemini } from '../../../../src/agents/gemini/adapter';
import { ownCallsOf } from '../../../../src/agents/own-calls';
import { qwen } from '../../../../src/agents/qwen/adapter';
import { resolveOptions } from '../../../../src/detect/session/options';
import { Transcript } from '../../../../src/engine/follow/transcript';
import type { Session } from '../../../../src/engine/session/session';
import { sessionWith } from './support';

const fixtures = join(__dirname, '../../../golden/fixtures');

/** Reads a recorded run in which the vendor has renamed something. */
function read(adapter: AgentAdapter, fixture: string, rename: (text: string) => string = (text) => text) {
  const file = join(fixtures, fixture);
  const sessions = new Map<string, Session>();
  const transcript = new Transcript({
    decoder: createDecoder(adapter, { file, readSmall: () => undefined }),
    ownCalls: ownCallsOf(adapter),
    sessionFor(event) {
      const known = sessions.get(event.session);
      if (known) return known;
      const session = sessionWith({
        agent: adapter.id,
        agentName: adapter.name,
        session: event.session,
        file,
        showsRunningTool: adapter.showsRunningTool,
        detectors: resolveOptions({ preset: 'balanced', detectors: {} }, adapter.id),
        live: false,
      });
      sessions.set(event.session, session);
      return session;
    },
  });
  let offset = 0;
  for (const [index, text] of rename(readFileSync(file, 'utf8')).trimEnd().split('\n').entries()) {
    const found = adapter.callMarkers.reduce((sum, marker) => sum + text.split(marker).length - 1, 0);
    transcript.line({ text, line: index + 1, offset }, found);
    offset += text.length + 1;
  }
  const session = [...sessions.values()][0];
  const { seen, there, skipped, problems } = session?.view(session.facts.lastEventAt).coverage ?? {
    seen: 0,
    there: 0,
    skipped: transcript.orphans.length,
    problems: transcript.orphans,
  };
  return { seen, there, skipped, why: [...new Set(problems.map((problem) => problem.why))] };
}

const renamed = (from: string, to: string) => (text: string) => text.replaceAll(from, to);
const CLAUDE = 'claude-code/h-healthy-15-steps.jsonl';
const CODEX = 'codex/d_bad_calls.jsonl';
const GEMINI = 'gemini/b_edit_test.jsonl';
const COPILOT = 'copilot/b_edit_test.jsonl';
const QWEN = 'qwen/b_edit_test.jsonl';

describe('a run as it was recorded', () => {
  it.each([
    ['Claude Code', claudeCode, CLAUDE],
    ['Codex', codex, CODEX],
    ['Gemini CLI', gemini, GEMINI],
    ['Copilot CLI', copilot, COPILOT],
    ['Qwen Code', qwen, QWEN],
  ] as const)('of %s is seen whole', (_, adapter, fixture) => {
    const { seen, there, skipped } = read(adapter, fixture);
    expect(seen).toBeGreaterThan(5);
    expect([seen, skipped]).toEqual([there, 0]);
  });
});

describe('what a vendor has renamed makes the coverage fall', () => {
  it.each([
    ['Claude Code: the block of a call', claudeCode, CLAUDE, '"type":"tool_use"', '"type":"tool_call"'],
    ['Claude Code: the block of a result', claudeCode, CLAUDE, '"type":"tool_result"', '"type":"tool_output"'],
    ['Claude Code: the id of a call', claudeCode, CLAUDE, '"tool_use_id":', '"call_ref":'],
    ['Claude Code: the record of an answer', claudeCode, CLAUDE, '"type":"assistant"', '"type":"model"'],
    ['Codex: the item of a call', codex, CODEX, '"type":"function_call"', '"type":"fn_call"'],
    ['Codex: the item of a result', codex, CODEX, '"type":"function_call_output"', '"type":"fn_output"'],
    ['Codex: the id of a call', codex, CODEX, '"call_id":', '"invocation":'],
    ['Codex: the record', codex, CODEX, '"type":"response_item"', '"type":"model_item"'],
    ['Gemini CLI: the list of calls', gemini, GEMINI, '"toolCalls":', '"actions":'],
    ['Gemini CLI: the record', gemini, GEMINI, '"type":"gemini"', '"type":"assistant"'],
    ['Copilot CLI: the events of calls', copilot, COPILOT, '"type":"tool.execution_', '"type":"action.execution_'],
    ['Copilot CLI: the id of a call', copilot, COPILOT, '"toolCallId":', '"callRef":'],
    ['Qwen Code: the part of a call', qwen, QWEN, '"functionCall":', '"toolCall":'],
    ['Qwen Code: the part of a result', qwen, QWEN, '"functionResponse":', '"toolResponse":'],
    ['Qwen Code: the record of a result', qwen, QWEN, '"type":"tool_result"', '"type":"tool_output"'],
  ] as const)('%s', (_, adapter, fixture, from, to) => {
    const whole = read(adapter, fixture);
    const { seen, there } = read(adapter, fixture, renamed(from, to));
    expect(there).toBeGreaterThanOrEqual(whole.there / 2);
    expect(seen).toBeLessThanOrEqual(there / 2);
  });

  it('says which type is unknown', () => {
    expect(read(claudeCode, CLAUDE, renamed('"type":"tool_use"', '"type":"tool_call"')).why).toEqual([
      'unknown block "tool_call"',
    ]);
    expect(read(codex, CODEX, renamed('"type":"response_item"', '"type":"model_item"')).why).toEqual([
      'unknown type "model_item"',
    ]);
    expect(read(gemini, GEMINI, renamed('"type":"gemini"', '"type":"assistant"')).why).toEqual([
      'unknown type "assistant"',
    ]);
  });
});
