import { describe, expect, test } from 'vitest';
import type { Weight } from '../../../../src/detect/steps/step';
import { classify, crashed, exemptionOf, failedIn, weightOf } from '../../../../src/detect/steps/weight';
import type { ToolCallEvent, ToolResultEvent } from '../../../../src/core/model';
import { callOf, commandCall as asWritten, exited, resultOf, saying } from '../support/one-step';

let asked = 0;
/** A command that was not classified before, so that its class is not a remembered one. */
const commandCall = (command: string): ToolCallEvent => asWritten(`${command}${' '.repeat(++asked)}`);
const indented = (command: string): ToolCallEvent => asWritten(`${' '.repeat(++asked)}${command}`);

/** The weight of a repeat of this step. `starting`: a service was put into the background a few steps ago. */
function weight(call: ToolCallEvent, result: ToolResultEvent = resultOf(), starting = false): Weight {
  const said = saying(call, result);
  return weightOf(call, classify(call), result, said.failed, said.check !== null, starting);
}
const of = (command: string, output = '', exitCode = 0): Weight =>
  weight(commandCall(command), exited(output, exitCode));

describe('waits', () => {
  test.each([
    'sleep 30',
    'sleep 30 && tail -5 train.log',
    'tail -f server.log',
    'tail -5 train.log',
    'cat nohup.out',
    'ps aux | grep node',
    'pgrep -f train.py',
    'gh run view 12',
    'kubectl get pods',
    'docker logs web',
    'while ! curl -s localhost:3000; do sleep 1; done',
    'worker status 12',
    'timeout /t 5',
  ])('%s', (command) => {
    expect(of(command)).toBe('wait');
  });

  test.each<[string, ToolCallEvent]>([
    ['a call that only waits', callOf({ kind: 'waited', name: 'wait_agent' })],
    [
      'an empty line to a program of Codex',
      callOf({ kind: 'other', name: 'write_stdin', args: { session_id: 1, chars: '' } }),
    ],
    ['an empty line to a terminal', callOf({ kind: 'other', name: 'bash_command', args: { keystrokes: '\n' } })],
    [
      'the output of a command in the background',
      callOf({ kind: 'other', name: 'BashOutput', args: { bash_id: '1' } }),
    ],
    ['the output of a task', callOf({ kind: 'other', name: 'TaskOutput', args: {} })],
    ['a tool of a server', callOf({ kind: 'other', name: 'mcp__shell__command_status', args: {} })],
  ])('%s', (_, call) => {
    expect(weight(call)).toBe('wait');
  });

  test('a command that still runs', () => {
    expect(weight(commandCall('./serve.sh'), resultOf({ running: true }))).toBe('wait');
  });

  test('input typed into a program is not a wait', () => {
    expect(weight(callOf({ kind: 'other', name: 'write_stdin', args: { chars: 'y\n' } }))).toBe('plain');
    expect(weight(callOf({ kind: 'other', name: 'bash_command', args: { keystrokes: 'ls\n' } }))).toBe('plain');
  });

  test('a result that only says that something runs makes any call a wait, except for a read of a file and an edit', () => {
    const runs = resultOf({ output: '{"status": "running"}' });
    expect(weight(callOf({ kind: 'other', name: 'fetch' }), runs)).toBe('wait');
    expect(weight(callOf({ kind: 'looked', name: 'get_build' }), runs)).toBe('wait');
    expect(of('./status.sh', 'Build 12 is still pending')).toBe('wait');
    expect(weight(callOf({ kind: 'looked', name: 'Read', target: 'job.json' }), runs)).toBe('look');
    expect(weight(callOf({ kind: 'changed', name: 'Write', target: 'job.json' }), runs)).toBe('change');
    expect(of('npm test', 'status: running')).toBe('plain');
  });

  test('a command that waits is one even if it ends with its documented "not yet"', () => {
    expect(of('gh pr checks 12', 'build pending', 8)).toBe('wait');
    expect(of('gh pr checks 12', 'build fail', 1)).toBe('plain');
    expect(of('pg_isready', 'no response', 2)).toBe('wait');
  });

  test('words among others in the output do not make it a wait', () => {
    expect(of('python train.py', 'still running, please wait')).toBe('plain');
    expect(of('python train.py', 'epoch 3: loss 0.2, pending rows dropped')).toBe('plain');
  });

  test('a command after a sleep is that command', () => {
    expect(of('sleep 1; npm test', 'FAIL a.test.js\nTests: 1 failed, 1 total', 1)).toBe('plain');
    expect(of('sleep 1; npm test', 'Tests: 1 passed, 1 total')).toBe('plain');
    expect(of('sleep 2; ./deploy.sh', 'deployed')).toBe('plain');
  });

  test('how long a wait was asked to last', () => {
    expect(classify(commandCall('sleep 90')).requestedWait).toBe(90_000);
    expect(classify(commandCall('sleep 2m; tail -1 x.log')).requestedWait).toBe(120_000);
    expect(classify(callOf({ kind: 'waited', name: 'wait', args: { timeout_ms: 60_000 } })).requestedWait).toBe(60_000);
    expect(classify(callOf({ kind: 'looked', name: 'Read', args: { timeout: 5 } })).requestedWait).toBe(0);
  });
});

describe('a refused connection', () => {
  const curl = commandCall('curl -s http://localhost:3000/health');
  const refused = exited('curl: (7) Failed to connect to localhost port 3000: Connection refused', 7);

  test('is a wait for a service that the session has just started', () => {
    expect(weight(curl, refused, true)).toBe('wait');
  });

  test('is one even in a pipe, whose exit code is that of its last program', () => {
    const piped = exited('curl: (7) Failed to connect to localhost port 3000: Connection refused', 0);
    expect(weight(commandCall('curl -sI localhost:3000 2>&1 | tail -5'), piped, true)).toBe('wait');
  });

  test('is a failure if nothing was started', () => {
    expect(weight(curl, refused, false)).toBe('plain');
  });

  test('is a failure of another machine, and so is another error of this one', () => {
    expect(weight(commandCall('curl -s http://db.example.org'), refused, true)).toBe('plain');
    expect(weight(curl, exited('HTTP 500', 22), true)).toBe('plain');
  });
});

describe('looks', () => {
  test.each([
    'ls -la',
    'cat notes.md',
    'git status',
    'git diff HEAD~1',
    'git -C app log --oneline',
    'rg total src',
    'sed -n 1,40p a.py',
    'find . -name "*.py"',
    'cd app && grep -rn total .',
    'curl -s https://example.org/docs',
  ])('%s', (command) => {
    expect(of(command, 'something')).toBe('look');
  });

  test('reading and searching tools', () => {
    expect(weight(callOf({ kind: 'looked', name: 'Read' }), resultOf({ output: 'x' }))).toBe('look');
  });

  test('one that fails is a failing call', () => {
    expect(of('cat gone.txt', 'cat: gone.txt: No such file or directory', 1)).toBe('plain');
    expect(weight(callOf({ kind: 'looked', name: 'Read' }), resultOf({ output: 'no such file', isError: true }))).toBe(
      'plain',
    );
  });
});

describe('changes', () => {
  test.each([
    'mv a b',
    'mkdir -p src',
    'rm -rf build',
    "sed -i 's/a/b/' x.py",
    'echo done > out.txt',
    'git add -A',
    'git restore a.py',
  ])('%s', (command) => {
    expect(of(command)).toBe('change');
  });

  test('editing tools, except a refused edit', () => {
    const edit = callOf({ kind: 'changed', name: 'Edit', target: 'a.py' });
    expect(weight(edit, resultOf({ output: 'updated' }))).toBe('change');
    expect(weight(edit, resultOf({ output: 'String to replace not found in file', isError: true }))).toBe('plain');
  });
});

describe('plain steps', () => {
  test.each([
    'python repro.py',
    './deploy.sh',
    'make',
    'npm install',
    'docker compose up -d',
    'curl -s localhost:3000/total',
  ])('%s', (command) => {
    expect(of(command, 'something')).toBe('plain');
  });

  test('every check, whether it passes or fails', () => {
    expect(of('pytest -q', '5 passed in 0.1s')).toBe('plain');
    expect(of('pytest -q', 'FAILED a.py::b - boom\n1 failed in 0.1s', 1)).toBe('plain');
    expect(of('npx tsc --noEmit')).toBe('plain');
  });
});

describe('steps that say nothing about repeats', () => {
  test('because of the purpose of the call', () => {
    expect(exemptionOf(callOf({ kind: 'plan' }), resultOf())).toBe('plan');
    expect(exemptionOf(callOf({ kind: 'asked' }), resultOf())).toBe('question');
    expect(exemptionOf(callOf({ kind: 'delegated' }), resultOf())).toBeNull();
    expect(exemptionOf(callOf({ kind: 'waited' }), resultOf())).toBeNull();
  });

  test('what a person refused or interrupted counts for the person, what a rule of the agent refused does not', () => {
    expect(exemptionOf(callOf(), resultOf({ denied: 'user' }))).toBe('denied');
    expect(exemptionOf(callOf(), resultOf({ interrupted: true }))).toBe('interrupted');
    expect(exemptionOf(callOf(), resultOf({ denied: 'policy' }))).toBeNull();
  });

  test('what our own hook refused is our message, what another hook refused is not', () => {
    const own = 'Blocked. [unstuck 01JD0000000000000000000000]';
    expect(exemptionOf(callOf(), resultOf({ denied: 'hook', output: own }))).toBe('own_message');
    expect(exemptionOf(callOf(), resultOf({ denied: 'hook', output: 'Blocked by a hook' }))).toBeNull();
    expect(exemptionOf(callOf(), resultOf({ output: own }))).toBeNull();
  });
});

describe('what failed', () => {
  test('a search without a match did not', () => {
    expect(failedIn(commandCall('grep -rn foo src'), exited('', 1))).toBe(false);
    expect(failedIn(commandCall('diff a b'), exited('1c1', 1))).toBe(false);
    expect(failedIn(commandCall('grep -rn foo nowhere'), exited('grep: nowhere: No such file', 2))).toBe(true);
    expect(failedIn(commandCall('pytest -q'), exited('', 1))).toBe(true);
  });

  test('an edit that says it changed nothing did, whatever the record says', () => {
    const edit = callOf({ name: 'Edit', kind: 'changed', target: 'a.py' });
    expect(failedIn(edit, resultOf({ output: 'Your proposed edit has introduced new syntax error(s).' }))).toBe(true);
    expect(failedIn(edit, resultOf({ output: 'No replacement was performed, old_str did not appear.' }))).toBe(true);
    expect(failedIn(edit, resultOf({ output: 'The file a.py has been updated.' }))).toBe(false);
  });

  test('a command that says "not yet" did not', () => {
    expect(failedIn(commandCall('gh pr checks 12'), exited('build pending', 8))).toBe(false);
    expect(failedIn(commandCall('gh pr checks 12'), exited('build fail', 1))).toBe(true);
  });

  test.each([
    'Error: spawn rg ENOENT',
    'MCP error -32000: Connection closed',
    '<tool_use_error>File has not been read yet.</tool_use_error>',
    'InputValidationError: Edit failed',
  ])('a call that says so in its first words, when nothing else does: %s', (output) => {
    const tool = callOf({ kind: 'other', name: 'send' });
    expect(failedIn(tool, resultOf({ output }))).toBe(true);
    expect(failedIn(callOf({ kind: 'looked', name: 'Grep' }), resultOf({ output }))).toBe(true);
    expect(failedIn(callOf({ kind: 'looked', name: 'Read', target: 'a.log' }), resultOf({ output }))).toBe(false);
    expect(failedIn(tool, resultOf({ output, exitCode: 0 }))).toBe(false);
    expect(failedIn(tool, resultOf({ output: `It went well.\n${output}` }))).toBe(false);
  });

  test('a crash that the record does not flag', () => {
    const trace = 'Traceback (most recent call last):\n  File "a.py", line 1\nValueError: no';
    expect(crashed(resultOf({ output: trace }))).toBe(true);
    expect(crashed(resultOf({ output: `${trace}\nbut it went on: 7` }))).toBe(false);
    expect(crashed(exited(trace, 0))).toBe(false);
    expect(crashed(resultOf({ output: 'ValueError: no' }))).toBe(false);
  });
});

describe('an edit that changed nothing, whatever its record says', () => {
  const edit = callOf({ kind: 'changed', name: 'Edit' });

  test.each(
    [
      'Error: no | failed to edit | failure | Invalid path | cannot open | could not write | unable to edit',
      'it introduced new syntax error | no replacement was performed | old text did not appear | it did not match',
      'not found in file | not found in the file | it could not be applied | could not apply it | no match found',
      'no matches found | patch failed | the patch does not apply | it was not applied | a.py has not been updated',
      'it has not been edited | it has not been changed',
    ].flatMap((line) => line.split(' | ')),
  )('“%s”', (output) => {
    expect(failedIn(edit, resultOf({ output }))).toBe(true);
    expect(failedIn(edit, resultOf({ output: `   ${output}` }))).toBe(true);
    expect(failedIn(edit, resultOf({ output: `${'x'.repeat(240)} ${output}` }))).toBe(false);
    expect(failedIn(commandCall('sed -i x a'), exited(output))).toBe(false);
    expect(failedIn(callOf({ kind: 'looked', name: 'Read', target: 'a.log' }), resultOf({ output }))).toBe(false);
  });

  test.each(['updated', 'no errors', 'the error is gone', 'errors: 0', 'it has been updated', 'found in file'])(
    'but not “%s”',
    (output) => {
      expect(failedIn(edit, resultOf({ output }))).toBe(false);
    },
  );
});

describe('exit code 1 of a query is its answer', () => {
  test.each(
    [
      'grep x a | egrep x a | fgrep x a | rg x | ag x | ack x | git grep x | git diff --quiet | diff a b | cmp a b',
      'test -f a | [ -f a ] | which x | command -v x | type x | pgrep x | expr 0 | find a -name b',
    ].flatMap((line) => line.split(' | ')),
  )('%s', (command) => {
    const call = commandCall(command);
    expect(failedIn(call, exited('', 1))).toBe(false);
    expect(failedIn(call, exited('x'.repeat(199), 1))).toBe(false);
    expect(failedIn(call, exited('x'.repeat(200), 1))).toBe(true);
    expect(failedIn(call, exited('', 2))).toBe(true);
    for (const output of ['Error: x', 'file not found', 'No such file'])
      expect(failedIn(call, exited(output, 1))).toBe(true);
  });

  test.each(['make', 'git status', 'command x', 'egreps x', 'a; grep x b'])('but not of %s', (command) => {
    expect(failedIn(commandCall(command), exited('', 1))).toBe(true);
  });

  test('and not if no command names the query', () => {
    expect(failedIn(callOf({ name: 'grep' }), exited('', 1))).toBe(true);
  });
});

describe('a crash whose record has no exit code', () => {
  const trace = 'Traceback (most recent call last)\n  File "a.py"\n';

  test.each(['ValueError: no', 'json.decoder.JSONDecodeError: no', 'KeyboardInterrupt', 'MyException', '  ValueError'])(
    'ends with “%s”',
    (line) => {
      expect(crashed(resultOf({ output: `${trace}${line}` }))).toBe(true);
      expect(crashed(resultOf({ output: `${trace}${line}\n\n` }))).toBe(true);
      expect(crashed(resultOf({ output: `${trace}${line}`, exitCode: 1 }))).toBe(false);
      expect(crashed(resultOf({ output: `${trace}${line}\nand went on` }))).toBe(false);
      expect(crashed(resultOf({ output: line }))).toBe(false);
    },
  );

  test('may be a syntax error, and shows in the last 4,000 characters', () => {
    expect(crashed(resultOf({ output: 'a\nSyntaxError: no' }))).toBe(true);
    expect(crashed(resultOf({ output: `${trace}${'x\n'.repeat(1_900)}ValueError: no` }))).toBe(true);
    expect(crashed(resultOf({ output: `${trace}${'x\n'.repeat(2_100)}ValueError: no` }))).toBe(false);
    expect(crashed(resultOf({ output: `${trace}no ValueError: no` }))).toBe(false);
  });
});

describe('a service that is put into the background', () => {
  test.each(
    [
      'npm start & | npm start &   | npm start & disown | npm start & sleep 2 | npm start & echo ok | nohup npm start',
      'docker compose up -d | gunicorn a --daemon | nginx --daemonize | run --detach | npm start &\ncurl a',
    ].flatMap((line) => line.split(' | ')),
  )('%s', (command) => {
    expect(classify(indented(command)).starts).toBe(true);
  });

  test.each(['npm start && sleep 2', 'a & b', 'npm start', 'rm -d a', 'mynohups', 'up -d', 'echo "&"', 'a --detached'])(
    'but not %s',
    (command) => {
      expect(classify(commandCall(command)).starts).toBe(false);
    },
  );

  test('within the first 2,000 characters of a script', () => {
    const start = (length: number) => classify(commandCall(`echo ${'x'.repeat(length)}\nnohup a`)).starts;
    expect([start(1_900), start(2_000)]).toEqual([true, false]);
  });
});
