import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { AgentAdapter } from '../../../src/agents/adapter';
import type { Decoder } from '../../../src/agents/decoder';
import type * as Decoders from '../../../src/agents/decoders';
import { claudeCode } from '../../../src/agents/claude-code/adapter';
import { codex } from '../../../src/agents/codex/adapter';
import { copilot } from '../../../src/agents/copilot/adapter';
import { gemini } from '../../../src/agents/gemini/adapter';
import { generic } from '../../../src/agents/generic/adapter';
import { opencode } from '../../../src/agents/opencode/adapter';
import { qwen } from '../../../src/agents/qwen/adapter';
import type { AgentView } from '../../../src/core/model';
import { databaseOf, readRows } from '../agents/opencode/database';
import { genericLines, stage, upToNow } from './support';
import { PATIENCE } from '../../support/patience';

const fixtures = join(__dirname, '../../golden/fixtures');
/** Steps after which the transcript stops, in the middle of a turn. */
const STEPS = 6;

/** Adapters whose decoder lacks one branch: the one that makes events of calls and their results. */
const missingCalls = vi.hoisted(() => new Set<unknown>());

vi.mock('../../../src/agents/decoders', async (load) => {
  const { createDecoder } = await load<typeof Decoders>();
  return {
    createDecoder: (...given: Parameters<typeof createDecoder>) => {
      const whole = createDecoder(...given);
      if (!missingCalls.has(given[0])) return whole;
      const decode = (...[first, ...rest]: readonly unknown[]) => {
        const sink = rest.at(-1) as { event: (event: { type: string }) => void };
        const deaf = Object.assign(Object.create(sink) as typeof sink, {
          event: (event: { type: string }) => {
            if (!event.type.startsWith('tool_')) sink.event(event);
          },
        });
        return (whole.decode as (...all: unknown[]) => unknown)(first, ...rest.slice(0, -1), deaf);
      };
      return { ...whole, decode } as Decoder;
    },
  };
});

function withoutCalls(adapter: AgentAdapter): AgentAdapter {
  const used = { ...adapter };
  missingCalls.add(used);
  return used;
}

/** Lines of a recorded run up to its sixth step, as if the run were in progress. */
function lines(adapter: AgentAdapter, file: string): string {
  const kept: string[] = [];
  let steps = 0;
  for (const line of readFileSync(join(fixtures, file), 'utf8').split('\n')) {
    kept.push(line);
    for (const marker of adapter.callMarkers) steps += line.split(marker).length - 1;
    if (steps >= STEPS) break;
  }
  expect(steps).toBeGreaterThanOrEqual(STEPS);
  return `${upToNow(kept.join('\n'))}\n`;
}

async function database(file: string): Promise<Uint8Array> {
  const rows = [...readRows(join(fixtures, file))].sort((one, other) => one.time_created - other.time_created);
  const calls = rows.filter((row) => row.data['type'] === 'tool');
  const last = calls[STEPS - 1];
  expect(last).toBeDefined();
  const shift = Date.now() - (last?.time_created ?? 0);
  const times = /"(time_created|time_updated|created|completed|start|end)":(\d{13})/g;
  const kept = rows.slice(0, rows.indexOf(last as (typeof rows)[number]) + 1);
  const moved = JSON.parse(
    JSON.stringify(kept).replace(times, (_, name: string, time: string) => `"${name}":${Number(time) + shift}`),
  ) as typeof kept;
  const made = await databaseOf(moved);
  const bytes = made.bytes();
  made.close();
  return bytes;
}

const CASES: readonly (readonly [AgentAdapter, name: string, content: () => string | Promise<Uint8Array>])[] = [
  [claudeCode, 'session.jsonl', () => lines(claudeCode, 'claude-code/h-healthy-15-steps.jsonl')],
  [codex, 'rollout.jsonl', () => lines(codex, 'codex/cm_b_edit_test.jsonl')],
  [gemini, 'session.jsonl', () => lines(gemini, 'gemini/b_edit_test.jsonl')],
  [copilot, 'events.jsonl', () => lines(copilot, 'copilot/b_edit_test.jsonl')],
  [opencode, 'opencode.db', () => database('opencode/b_edit_test.rows.jsonl')],
  [qwen, 'session.jsonl', () => lines(qwen, 'qwen/b_edit_test.jsonl')],
  [generic, 'run.agent.jsonl', () => `${genericLines('run', STEPS).join('\n')}\n`],
];

describe('a decoder that misses calls', () => {
  it.each(CASES.map(([adapter, name, content]) => ({ agent: adapter.id, adapter, name, content })))(
    '$agent: shows as "not monitored", with the number of its steps',
    async ({ adapter, name, content }) => {
      const seen = async (used: AgentAdapter, until: (view: AgentView) => boolean) => {
        const { engine, workspace } = stage({ adapters: [used], settings: { walksFolders: false } });
        const file = join(workspace, name);
        const bytes = await content();
        writeFileSync(file, bytes);
        engine.start();
        engine.consider({ path: file, size: bytes.length, modifiedAt: Date.now(), inode: 0, appeared: true });
        // A database is read piece by piece: the number of its steps can be known before they have been seen.
        await vi.waitFor(() => expect(engine.agents().some(until)).toBe(true), PATIENCE);
        const [view] = engine.agents();
        return { state: view?.state.kind, seen: view?.coverage.seen, there: view?.coverage.there };
      };
      const sound = await seen(adapter, ({ coverage }) => coverage.there >= STEPS && coverage.seen === coverage.there);
      expect(sound.state).not.toBe('not_monitored');
      // The file may be read in several batches, and the state shows after the first.
      const deaf = await seen(
        withoutCalls(adapter),
        ({ state, coverage }) => state.kind === 'not_monitored' && coverage.there === sound.there,
      );
      expect(deaf).toEqual({ state: 'not_monitored', seen: 0, there: sound.there });
    },
  );
});
