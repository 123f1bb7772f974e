import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { pi } from '../../../src/agents/pi/adapter';
import { resolveOptions } from '../../../src/detect/session/options';
import { Copies, KnownRecords } from '../../../src/engine/follow/copies';
import { scanAll } from '../../../src/engine/scan-all';
import type { AgentEvent } from '../../../src/core/model';
import { PATIENCE } from '../../support/patience';
import { homeFolder, stage } from './support';

const BEGIN = Date.parse('2026-11-10T09:00:00Z');
const at = (second: number) => new Date(BEGIN + second * 1000).toISOString();

const entry = (second: number, message: object) =>
  JSON.stringify({ type: 'message', id: `e${second}`, timestamp: at(second), message });
const prompt = (second: number, text: string) => entry(second, { role: 'user', content: [{ type: 'text', text }] });
const says = (second: number, text: string) =>
  entry(second, { role: 'assistant', content: [{ type: 'text', text }], stopReason: 'stop', usage: { input: 900 } });
/** A test that fails as before. */
const fails = (second: number): string[] => {
  const id = `call_61b05b89${second}`;
  const call = { type: 'toolCall', id, name: 'bash', arguments: { command: 'npm test' } };
  const text = 'FAIL a.test.ts\n1 failed';
  return [
    entry(second, { role: 'assistant', content: [call], stopReason: 'toolUse', usage: { input: 900, output: 9 } }),
    entry(second + 1, { role: 'toolResult', toolCallId: id, content: [{ type: 'text', text }], isError: true }),
  ];
};
const head = (id: string, second: number, cwd = '/w') =>
  JSON.stringify({ type: 'session', version: 3, id, timestamp: at(second), cwd });
const loop = [prompt(1, 'Fix the test'), ...[2, 4, 6, 8, 10].flatMap(fails), says(12, 'It still fails.')];

async function scanned(files: Readonly<Record<string, readonly string[]>>) {
  const path = homeFolder();
  const all = Object.entries(files).map(([name, lines]) => {
    const file = join(path, `${name}.jsonl`);
    writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
    return { file, size: lines.join('\n').length, adapter: pi };
  });
  const detectors = () => resolveOptions({ preset: 'balanced', detectors: {} });
  const told: Record<string, unknown> = {};
  for await (const one of scanAll(all, { detectors, context: () => ({ readSmall: () => undefined }) })) {
    if ('why' in one) throw new Error(one.why);
    for (const { session, incidents, actions, state, seen, callMarkers } of one.scanned.sessions)
      told[session] = [actions, incidents.length, state.kind, seen === callMarkers];
  }
  return told;
}

describe('a session that begins with the records of another one', () => {
  it('is history until it continues: no step, no alarm, and its own first call is its first', async () => {
    const goesOn = [prompt(3601, 'Try another way'), ...fails(3602), says(3604, 'Hm.')];
    expect(
      await scanned({
        parent: [head('parent', 0), ...loop],
        still: [head('still', 3000), ...loop],
        fork: [head('fork', 3600), ...loop, ...goesOn],
      }),
    ).toEqual({
      parent: [5, 1, 'waiting', true],
      still: [0, 0, 'finished', true],
      fork: [1, 0, 'waiting', true],
    });
  });

  it('is a separate session if only its ids look alike', async () => {
    const renamed = loop.map((line) => line.replaceAll('call_61b05b89', 'call_'));
    const other = { other: [head('other', 0), ...renamed], again: [head('again', 0), ...renamed] };
    expect(await scanned(other)).toMatchObject({ other: [5, 1, 'waiting', true], again: [5, 1, 'waiting', true] });
  });

  it('is no agent while it is followed, until it continues', async () => {
    const { engine, home, workspace } = stage({});
    const folder = join(home, '.pi/agent/sessions/--w--');
    mkdirSync(folder, { recursive: true });
    const now = new Date();
    const fresh = (lines: readonly string[]) =>
      lines.map((line) => `${line.replaceAll('2026-11-10', now.toISOString().slice(0, 10))}\n`).join('');
    const fork = join(folder, 'b.jsonl');
    writeFileSync(join(folder, 'a.jsonl'), fresh([head('parent', 0, workspace), ...loop]));
    engine.start();
    const shown = () => engine.agents().map(({ session }) => session);
    await vi.waitFor(() => expect(shown()).toEqual(['parent']), PATIENCE);
    writeFileSync(fork, fresh([head('fork', 20, workspace), ...loop]));
    await vi.waitFor(() => expect(engine.agent('fork')?.state.kind).toBe('finished'), PATIENCE);
    expect(shown()).toEqual(['parent']);
    appendFileSync(fork, fresh([prompt(30, 'Try another way'), ...fails(32)]));
    await vi.waitFor(() => expect(shown().sort()).toEqual(['fork', 'parent']), PATIENCE);
    expect(engine.agent('fork')).toMatchObject({ health: { calls: 1 }, incidents: [] });
  });
});

describe('a record that another session wrote', () => {
  const event = (session: string, id: string, more: object = {}) =>
    ({ type: 'tool_call', agent: 'pi', session, id, at: BEGIN, ...more }) as unknown as AgentEvent;
  const prompted = (session: string, text: string) => event(session, '', { type: 'user', text, automated: false });

  it('is recognised by id and time together, and a copy ends with the first unknown record', () => {
    const known = new KnownRecords();
    const parent = new Copies(known, 'pi');
    for (const one of [event('a', 'call_0badc0de1'), prompted('a', 'Go on'), event('a', 'call_0badc0de2')])
      expect(parent.isCopied(one)).toBe(false);
    const copied = (...events: AgentEvent[]) => {
      const copies = new Copies(known, 'pi');
      return events.map((one) => copies.isCopied(one));
    };
    const first = event('b', 'call_0badc0de1');
    expect(copied(first, prompted('b', 'Go on'), event('b', 'call_0badc0de2'))).toEqual([true, true, true]);
    expect(copied(first, prompted('b', 'Stop'), event('b', 'call_0badc0de2'))).toEqual([true, false, false]);
    expect(copied(event('c', 'call_0badc0de1', { at: BEGIN + 1 }), event('c', 'call_0badc0de2'))).toEqual([
      false,
      false,
    ]);
  });
});
