import { describe, expect, test } from 'vitest';
import { type AcrossNote, noteOfEvent, noteOfStep, opens } from '../../../../src/detect/session/across-note';
import { createStepBuilder } from '../../../../src/detect/steps/step-builder';
import type { AgentEvent, ToolCallEvent } from '../../../../src/core/model';
import { callOf, commandCall, exited, resultOf } from '../support/one-step';

const stepped = (call: ToolCallEvent, output: string, exitCode = 0): AcrossNote => {
  const result = call.command === undefined ? resultOf({ output, isError: exitCode > 0 }) : exited(output, exitCode);
  const around = {
    cwd: '/w',
    tokens: 0,
    message: 1,
    prompts: 1,
    isAsked: false,
    isReminded: false,
    stepsAtSchedule: null,
  };
  return noteOfStep(createStepBuilder().build(call, result, around), '/w');
};
const edit = callOf({
  name: 'Edit',
  kind: 'changed',
  target: 'a.ts',
  args: { file_path: 'a.ts', old_string: 'a', new_string: 'b' },
});
const event = (type: AgentEvent['type'], more: object = {}): AcrossNote | null =>
  noteOfEvent({
    agent: 'generic',
    session: 's',
    at: 1,
    source: { file: 'f', line: 1, offset: 0 },
    type,
    ...more,
  } as AgentEvent);

describe('the notes for the rules across sessions', () => {
  test.each<[string, () => AcrossNote | null, boolean]>([
    ['an edit', () => stepped(edit, 'updated'), true],
    ['a call that a service refuses', () => stepped(commandCall('curl a'), 'HTTP 503', 1), true],
    ['a machine that is full', () => stepped(commandCall('cp a b'), 'cp: no space left on device', 1), true],
    ['a request that is refused', () => event('error', { kind: 'rate_limit', message: '529' }), true],
    ['an edit that failed', () => stepped(edit, 'error: not found in file', 1), false],
    ['a command that failed', () => stepped(commandCall('make'), 'no rule', 1), false],
    ['a command that talks of a refusal', () => stepped(commandCall('cat log'), 'HTTP 503'), false],
    ['a look', () => stepped(callOf({ kind: 'looked', args: edit.args, target: 'a.ts' }), 'text'), false],
    ['an answer', () => event('assistant', { text: 'a', chunk: false }), false],
    ['a call', () => event('tool_call', { id: 'a' }), false],
    ['the end of a session', () => event('session_end', { reason: 'clean' }), false],
    ['a message of a person', () => event('user', { text: 'a', automated: false }), false],
  ])('can open something with %s, or can only end it', (_, note, can) => {
    const made = note();
    expect(made).not.toBeNull();
    expect(made !== null && opens(made)).toBe(can);
  });

  test.each<[string, () => AcrossNote | null]>([
    ['the words of a program', () => event('user', { text: 'a', automated: true })],
    ['an error of the request', () => event('error', { kind: 'api', message: '400 invalid request' })],
    ['an error of another kind', () => event('error', { kind: 'other', message: '529' })],
    ['usage', () => event('usage')],
    ['the end of a turn', () => event('turn_end', { reason: 'done' })],
  ])('do not exist for %s', (_, note) => {
    expect(note()).toBeNull();
  });

  test('name a refusal by its line without ids, in at most 120 characters', () => {
    const refused = (message: string) => event('error', { kind: 'rate_limit', message });
    const one = refused('529 Overloaded, request_id: req_011CRz7hGm3JwQ8vTfAbCa1x');
    const other = refused('529 Overloaded, request_id: req_011CXk2pLn9ZsD4eYrUiOb7y');
    if (one?.type !== 'refused' || other?.type !== 'refused') throw new Error('these are refusals');
    expect(one.refusal.fingerprint).toBe(other.refusal.fingerprint);
    const long = refused(`Overloaded ${'x '.repeat(200)}`);
    expect(long?.type === 'refused' && long.refusal.text).toHaveLength(120);
  });
});
