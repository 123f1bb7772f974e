import { describe, expect, test } from 'vitest';
import { checkIn, saysFine, saysWrong } from '../../../../src/detect/steps/checks';
import { exemptionOf, failedIn, isPoll } from '../../../../src/detect/steps/exemptions';
import type { ToolCallEvent, ToolResultEvent } from '../../../../src/model';

const base = { agent: 'generic' as const, session: 's', at: 0, source: { file: 'f', line: 1, offset: 0 } };
const call = (more: Partial<ToolCallEvent>): ToolCallEvent => ({
  ...base,
  type: 'tool_call',
  id: 'c',
  name: 'Bash',
  args: {},
  kind: 'ran',
  subject: '',
  ...more,
});
const result = (more: Partial<ToolResultEvent> = {}): ToolResultEvent => ({
  ...base,
  type: 'tool_result',
  id: 'c',
  output: '',
  isError: false,
  ...more,
});
const command = (text: string): ToolCallEvent => call({ command: text });

describe('polls', () => {
  test.each([
    'sleep 30',
    'sleep 30 && cat build.log',
    'tail -5 train.log',
    'ps aux | grep node',
    'gh run view 12',
    'kubectl get pods',
    'docker logs web',
    'curl -s localhost:8080/health',
    'cat output.log',
  ])('%s', (text) => {
    expect(isPoll(command(text), result())).toBe(true);
  });

  test('waits, empty lines to a running program, status tools, what still runs', () => {
    expect(isPoll(call({ kind: 'waited' }), result())).toBe(true);
    expect(isPoll(call({ name: 'write_stdin', args: { chars: '' } }), result())).toBe(true);
    expect(isPoll(call({ name: 'bash_command', args: { keystrokes: '\n' } }), result())).toBe(true);
    expect(isPoll(call({ name: 'command_status', args: {} }), result())).toBe(true);
    expect(isPoll(command('npm test'), result({ running: true }))).toBe(true);
  });

  test.each(['pytest -q', 'cat notes.md', 'git status', 'ls', 'python train.py'])('not %s', (text) => {
    expect(isPoll(command(text), result())).toBe(false);
  });

  test('not what is typed into a running program', () => {
    expect(isPoll(call({ name: 'write_stdin', args: { chars: 'y\n' } }), result())).toBe(false);
  });
});

describe('steps that tell nothing about repeats', () => {
  test('by what the call is for', () => {
    expect(exemptionOf(call({ kind: 'plan' }), result())).toBe('plan');
    expect(exemptionOf(call({ kind: 'delegated' }), result())).toBe('delegation');
    expect(exemptionOf(call({ kind: 'asked' }), result())).toBe('question');
  });

  test('what a person refused is the person, what an agent’s own rule refused is not', () => {
    expect(exemptionOf(call({}), result({ denied: 'user' }))).toBe('denied');
    expect(exemptionOf(call({}), result({ denied: 'policy' }))).toBeNull();
    expect(
      exemptionOf(call({}), result({ denied: 'hook', output: 'Blocked. [unstuck 01JD0000000000000000000000]' })),
    ).toBe('own_message');
    expect(exemptionOf(call({}), result({ denied: 'hook', output: 'Blocked by a hook' }))).toBeNull();
  });
});

describe('what failed', () => {
  test('a search without a match did not', () => {
    expect(failedIn(command('grep -rn foo src'), result({ isError: true, exitCode: 1 }))).toBe(false);
    expect(
      failedIn(
        command('grep -rn foo nowhere'),
        result({ isError: true, exitCode: 2, output: 'grep: nowhere: No such file' }),
      ),
    ).toBe(true);
    expect(failedIn(command('diff a b'), result({ isError: true, exitCode: 1, output: '1c1' }))).toBe(false);
    expect(failedIn(command('pytest -q'), result({ isError: true, exitCode: 1 }))).toBe(true);
  });

  test('an edit that says it changed nothing did, whatever the record says', () => {
    const edit = call({ name: 'Edit', kind: 'changed', target: 'a.py' });
    expect(failedIn(edit, result({ output: 'Your proposed edit has introduced new syntax error(s).' }))).toBe(true);
    expect(failedIn(edit, result({ output: 'No replacement was performed, old_str did not appear verbatim.' }))).toBe(
      true,
    );
    expect(failedIn(edit, result({ output: 'The file a.py has been updated.' }))).toBe(false);
  });
});

describe('checks', () => {
  test.each([
    ['pytest -q tests', 'pytest'],
    ['cd web && npm run build', 'npm run build'],
    ['npx tsc --noEmit', 'tsc'],
    ['cargo test --all', 'cargo test'],
    ['go vet ./...', 'go vet'],
    ['make check', 'make'],
    ['python -m pytest', 'pytest'],
  ])('%s is %s', (text, program) => {
    expect(checkIn(text)).toBe(program);
  });

  test.each(['python repro.py', 'ls tests', 'cat pytest.ini', 'echo done', undefined])('%s is none', (text) => {
    expect(checkIn(text)).toBeNull();
  });

  test('what their output says', () => {
    expect(saysWrong('2 failed, 3 passed in 0.1s')).toBe(true);
    expect(saysWrong('src/a.ts(1,2): error TS2304: Cannot find name')).toBe(true);
    expect(saysWrong('0 failed, 5 passed')).toBe(false);
    expect(saysWrong('Found 0 errors')).toBe(false);
    expect(saysFine('')).toBe(true);
    expect(saysFine('12 passed in 0.2s')).toBe(true);
    expect(saysFine('the answer is 7')).toBe(false);
  });
});
