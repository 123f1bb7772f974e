import { describe, expect, it } from 'vitest';
import { checkGeneric } from '../../../../src/agents/generic/check';
import { shared } from '../../support/shared';
import { fc, test } from '../shared/property';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

function told(...rows: (object | string)[]): readonly string[] {
  const text = rows
    .map((row) => (typeof row === 'string' ? row : JSON.stringify({ v: 1, t: '2026-11-20T12:00:00Z', ...row })))
    .join('\n');
  return checkGeneric(`${text}\n`).map(({ line, why }) => `${line}: ${why}`);
}

describe('unstuck check', () => {
  it('finds nothing wrong with a good transcript', () => {
    expect(
      told(
        { type: 'session_start', session: 's', agent: 'a', cwd: '/w', tools: [{ name: 'bash' }] },
        { type: 'user', text: 'x' },
        { type: 'tool_call', id: '1', name: 'bash', args: '{"broken' },
        { type: 'tool_result', id: '1', output: null, isError: true },
        { type: 'tool_call', id: '1', name: 'bash', args: {} },
        { type: 'plan', items: [{ id: '1', title: 'A', status: 'pending', blockedBy: [] }] },
        { type: 'waiting', for: 'input', note: 'unknown fields are fine' },
      ),
    ).toEqual([]);
  });

  it('says line by line what is wrong, in plain words', () => {
    expect(
      told(
        '{"v":1,"t":1',
        '{"v":1,]',
        '[]',
        '{"t":"yesterday","type":"clock","session":""}',
        '{"v":2,"t":1795201551,"type":"clock"}',
        { type: 'toolCall' },
        { type: 'thinking' },
        {},
        { type: 'tool_call', args: 3, batch: 1 },
        { type: 'error', message: 'x', kind: 'awful' },
        { type: 'turn_end', reason: 'tired' },
        { type: 'waiting' },
        { type: 'plan', items: [{ id: 1, title: 'x', status: 'soon', blockedBy: 'a' }, 7] },
        { type: 'session_start', tools: [{}], pid: '7' },
      ),
    ).toEqual([
      '1: not valid JSON: it ends too early',
      '2: not valid JSON (character 8)',
      '3: not a JSON object: each line must be one event',
      '4: "v" is missing: it must be 1',
      '4: "t" is not a time: ISO 8601 or milliseconds since the epoch',
      '4: "session" must be a string that is not empty',
      '5: "v" must be 1',
      '5: "t" looks like seconds: it must be milliseconds',
      '6: unknown type "toolCall", did you mean "tool_call"?',
      '7: unknown type "thinking"',
      '8: "type" is missing',
      '9: tool_call: "id" is missing',
      '9: tool_call: "name" is missing',
      '9: tool_call: "args" must be an object, or a string of JSON',
      '9: tool_call: "batch" must be a string',
      '10: error: "kind" must be one of api, rate_limit, validation, timeout, other',
      '11: turn_end: "reason" must be one of done, waiting, interrupted, error',
      '12: waiting: "for" is missing',
      '13: plan: item 1: "id" must be a string',
      '13: plan: item 1: "status" must be one of pending, in_progress, completed, blocked',
      '13: plan: item 1: "blockedBy" must be a list of ids',
      '13: plan: item 2 must be an object',
      '14: session_start: "pid" must be a number',
      '14: session_start: tool 1: "name" must be a string',
    ]);
  });

  it('pairs calls and results within each session', () => {
    expect(
      told(
        { type: 'tool_result', id: '1', output: '' },
        { type: 'tool_call', id: '1', name: 'x', args: {} },
        { type: 'tool_call', id: '1', name: 'x', args: {} },
        { type: 'tool_result', id: '1', output: '' },
        { type: 'tool_result', id: '1', output: '' },
        { type: 'tool_result', id: '1', output: '', session: 'other' },
      ),
    ).toEqual([
      '1: tool_result: "id" is not that of an earlier call',
      '3: tool_call: "id" is that of an earlier call without a result',
      '5: tool_result: the call has a result already',
      '6: tool_result: "id" is not that of an earlier call',
    ]);
  });

  it('counts bytes, and lines as an editor does', () => {
    const [problem] = checkGeneric('{"v":1,"t":1795201551421,"type":"user","text":"ü"}\n\nnonsense\n');
    expect(problem).toMatchObject({ line: 3, offset: 53 });
    expect(checkGeneric('\uFEFF{"v":1,"t":1795201551421,"type":"clock"}\r\n')).toEqual([]);
    expect(checkGeneric('')).toMatchObject([{ line: 1, why: 'the file holds no events' }]);
  });

  it('finds a time that is later than any record can be', () => {
    const text = '{"v":1,"t":1795201551421,"type":"clock"}\n{"v":1,"t":"2099-01-01T00:00:00.000Z","type":"clock"}\n';
    const why = '"t" is more than a day ahead of the clock and of the file';
    expect(checkGeneric(text, 1795201551421)).toMatchObject([{ line: 2, why }]);
  });

  it('stops reporting after a thousand', () => {
    const problems = checkGeneric('x\n'.repeat(1500));
    expect(problems).toHaveLength(1001);
    expect(problems.at(-1)?.why).toBe('and 500 more problems');
  });

  test.prop([fc.array(fc.oneof(fc.json(), fc.string()))])('takes any text', (lines) => {
    for (const problem of checkGeneric(lines.join('\n'))) expect(problem.line).toBeGreaterThan(0);
  });

  const dev = shared('eval', 'dev');
  it.skipIf(dev === undefined)('finds nothing wrong with the labelled transcripts', () => {
    const folder = dev ?? '';
    const wrong = readdirSync(folder)
      .filter((file) => file.endsWith('.agent.jsonl'))
      .flatMap((file) =>
        checkGeneric(readFileSync(join(folder, file), 'utf8')).map(({ line, why }) => `${file}:${line}: ${why}`),
      );
    // Its source wrote a word of its own.
    expect(wrong).toEqual([
      't0194.agent.jsonl:60: session_end: "reason" must be one of clean, interrupted, died, error',
    ]);
  });
});
