import { createDecoder } from '../../../../src/agents/decoders';
import { basename, dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cline } from '../../../../src/agents/cline/adapter';
import { answersIn } from '../../../../src/agents/cline/task-results';
import type { AgentEvent } from '../../../../src/core/model';
import { only, types } from '../events';
import { damagedRecord, decodeAny } from '../fuzz';
import { fc, test } from '../shared/property';
import { printRows, type Row, rowOf, strayResults, transcriptsBelow } from '../support';

const collected = transcriptsBelow('ui_messages.json', 'public', 'cline');

describe.skipIf(collected.length === 0)('every collected task of Cline', () => {
  it('is understood to its last entry, and each call has an outcome except the one that waits', async () => {
    const rows: Row[] = [];
    for (const file of collected) rows.push(await rowOf(cline, file));
    console.log(printRows(rows));
    for (const { file, decoded, recognised } of rows) {
      expect(recognised, file).toBe('yes');
      expect(decoded.problems, file).toEqual([]);
      expect(strayResults(decoded), file).toEqual([]);
    }
    const told = rows.map(({ file, calls, decoded, results }) => [
      basename(dirname(file)),
      decoded.marked,
      calls,
      results,
    ]);
    expect(told).toEqual([
      ['cline-xray', 2, 2, 1],
      ['fineye', 15, 15, 15],
      ['mcp-vscode-server', 41, 41, 41],
    ]);
  });

  it('waits for permission if the file ends with the question', async () => {
    const { decoded } = await rowOf(cline, collected.find((file) => file.includes('cline-xray')) ?? '');
    expect(
      types(decoded.events)
        .filter((type) => type !== 'usage')
        .at(-1),
    ).toBe('waiting');
  });
});

let clock = 1_760_534_080_000;
const say = (kind: string, text?: string, more: object = {}) => ({
  ts: clock++,
  type: 'say',
  say: kind,
  text,
  ...more,
});
const ask = (kind: string, text?: string) => ({ ts: clock++, type: 'ask', ask: kind, text });
const request = (answer: string, more: object = {}) =>
  say(
    'api_req_started',
    JSON.stringify({
      request: `${answer}\n\n<environment_details>\n# Current Time\n${clock}\n</environment_details>`,
      ...more,
    }),
  );
const decode = (...entries: object[]) => decodeAny(cline, [JSON.stringify(entries)]).events;

describe('what Cline shows of a task', () => {
  it('includes the outcome of a call, found in the request after it', () => {
    const events = decode(
      say('text', 'fix it'),
      request('<task>\nfix it\n</task>', { tokensIn: 10, tokensOut: 2, cacheReads: 5 }),
      say('text', 'I run the tests.'),
      say('command', 'npm test'),
      ask('command_output', 'no'),
      request("[execute_command for 'npm test'] Result:\n\nCommand failed with exit code 1.\nOutput:\nno"),
      ask('tool', JSON.stringify({ tool: 'editedExistingFile', path: 'a.ts', content: 'diff' })),
      say('checkpoint_created'),
      request("[replace_in_file for 'a.ts'] Result:\n\nThe content was successfully saved to a.ts."),
      say('completion_result', 'Fixed.'),
      ask('completion_result', ''),
    );
    expect(types(events)).toEqual([
      'session_info',
      'user',
      'usage',
      'request',
      'assistant',
      'tool_call',
      'tool_result',
      'request',
      'tool_call',
      'waiting',
      'turn_start',
      'tool_result',
      'request',
      'completion',
      'turn_end',
    ]);
    expect(only(events, 'tool_result')).toMatchObject([
      { isError: true, exitCode: 1, output: 'Command failed with exit code 1.\nOutput:\nno' },
      { isError: false, output: 'The content was successfully saved to a.ts.' },
    ]);
    expect(only(events, 'tool_call')).toMatchObject([
      { command: 'npm test', kind: 'ran' },
      { name: 'replace_in_file', target: 'a.ts', kind: 'changed' },
    ]);
  });

  it.each(['__proto__', 'constructor', 'toString'])('does not take a tool called %s for one of ours', (name) => {
    const events = decode(
      ask('tool', JSON.stringify({ tool: name, path: 'a.ts' })),
      request(`[${name} for 'a.ts'] Result:\n\nDone.`),
    );
    expect(only(events, 'tool_call')).toMatchObject([{ name }]);
    expect(only(events, 'tool_result')).toMatchObject([{ output: 'Done.' }]);
    expect(types(decode(say(name, 'fix it'), request('again')))).toContain('request');
  });

  it('lacks the outcome of a call whose answer is left out, but has its output', () => {
    const read = JSON.stringify({ tool: 'readFile', path: 'a' });
    const events = decode(
      say('text', 'go'),
      say('tool', read),
      say('api_req_started', '{}'),
      say('command', 'ls'),
      ask('command_output', 'a'),
      say('api_req_started', '{}'),
    );
    expect(only(events, 'tool_result')).toMatchObject([{ id: '3', output: 'a' }]);
  });

  it('includes failures of the model, retries, and who has the move', () => {
    const events = decode(
      say('text', 'go'),
      request('go'),
      say('error_retry', '{"attempt":1,"maxAttempts":3,"delaySeconds":2,"errorMessage":"429 Too Many Requests"}'),
      say('api_req_retried'),
      ask('api_req_failed', '{"message":"Bad Request"}'),
      say('user_feedback', 'again'),
      ask('followup', '{"question":"Which one?"}'),
    );
    expect(only(events, 'error')).toMatchObject([
      { kind: 'rate_limit', retryInMs: 2000 },
      { kind: 'api', message: 'Bad Request' },
    ]);
    expect(types(events).slice(-4)).toEqual(['error', 'turn_end', 'user', 'waiting']);
    expect(only(events, 'waiting')[0]).toMatchObject({ for: 'input', question: 'Which one?' });
  });

  it('includes an entry when it is complete, once, and tokens when they are there', () => {
    const decoder = createDecoder(cline, { file: '/t/1/ui_messages.json', readSmall: () => undefined });
    if (decoder.unit !== 'document') throw new Error('no document');
    const events: AgentEvent[] = [];
    const read = (...entries: object[]) =>
      decoder.decode(JSON.stringify(entries), { event: (event) => void events.push(event), problem: () => {} });
    const begun = request('go');
    const counted = { ...begun, text: JSON.stringify({ tokensIn: 7, tokensOut: 1 }) };
    const task = say('text', 'go');
    const partial = { ...say('text', 'I l'), partial: true };
    read(task, begun);
    read(task, begun, partial);
    read(task, counted, { ...partial, text: 'I look.', partial: false });
    read(task, counted, { ...partial, text: 'I look.', partial: false });
    expect(types(events)).toEqual(['session_info', 'user', 'request', 'assistant', 'usage']);
    expect(only(events, 'assistant')[0]?.text).toBe('I look.');
  });

  it('includes the answers in a request, even those to commands of several lines', () => {
    const several =
      "[Tool]\n[execute_command for 'a\nb'] Result:\nCommand executed.\n[read_file for 'x'] Result:\ntext\n# task_progress\nmore";
    expect(answersIn(several)).toEqual([
      { tool: 'execute_command', text: 'Command executed.' },
      { tool: 'read_file', text: 'text' },
    ]);
    expect(answersIn('no answer')).toEqual([]);
  });

  test.prop([
    fc.array(fc.tuple(fc.nat(10_000), fc.constantFrom<unknown>(null, 1, '', 'x', [], {}, [null], [{}])), {
      minLength: 1,
      maxLength: 8,
    }),
  ])('is read however damaged it is', (list) => {
    let damaged = JSON.stringify([
      say('text', 'go'),
      request('go'),
      say('command', 'ls'),
      ask('command_output', 'a'),
      request("[execute_command for 'ls'] Result:\na"),
    ]);
    for (const [place, junk] of list) damaged = damagedRecord(damaged, 'value', place, junk);
    decodeAny(cline, [damaged]);
  });
});
