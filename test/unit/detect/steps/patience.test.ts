import { describe, expect, test } from 'vitest';
import { resolveOptions } from '../../../../src/detect/session/options';
import { declaredLimit, patienceFor } from '../../../../src/detect/steps/patience';
import type { ToolCallEvent } from '../../../../src/core/model';
import { callOf, commandCall } from '../support/one-step';

const MINUTE = 60_000;
const stall = resolveOptions({ preset: 'balanced', detectors: {} }, 'claude-code').stall;
const patience = (call: ToolCallEvent, mayAsk = false) => patienceFor(call, stall, mayAsk);
const minutes = (command: string): number => patience(commandCall(command)).ms / MINUTE;

describe('a call may be silent', () => {
  test('for ten minutes, a build or test for twenty, and for as long as it likes if it asks', () => {
    expect(patience(callOf({ name: 'Grep', kind: 'looked' }))).toEqual({
      ms: 10 * MINUTE,
      what: 'calls of this kind',
    });
    expect(patience(commandCall('pytest -q'))).toEqual({ ms: 20 * MINUTE, what: 'builds and tests' });
    expect(patience(callOf({ kind: 'asked' }))).toEqual({ ms: Number.POSITIVE_INFINITY, what: 'questions to you' });
    expect(patience(callOf({ kind: 'delegated' }))).toEqual({ ms: 60 * MINUTE, what: 'sub-agents' });
  });

  test('never for less time than a tool if it may ask', () => {
    const quick = { ...stall, numbers: { tool: 90, build: 20 } };
    expect(patienceFor(callOf({ kind: 'delegated' }), quick, false).ms).toBe(90 * MINUTE);
    const read = callOf({ name: 'Read', args: { file_path: 'a' } });
    expect(patienceFor(read, quick, true).ms).toBe(90 * MINUTE);
  });

  test.each(
    [
      'npm i | npm ci | npm install x | pnpm add x | yarn install | bun install | pip install x | pip3 install x',
      'uv sync | poetry update | conda install x | gem install x | bundle install | composer install',
      'brew upgrade | apt install x | apt-get -y install x | dnf install x | yum update | apk add x | go mod tidy',
      'cargo fetch | cargo update | go download | npm --prefix -x install | terraform apply | pulumi up',
      'helm install | ansible-playbook x | git clone x | git lfs pull | docker build . | podman pull x',
      'buildah push x | docker compose up | cd a && docker run x',
    ].flatMap((line) => line.split(' | ')),
  )('for twenty minutes if it fetches, installs or builds an image: %s', (command) => {
    expect(minutes(command)).toBe(20);
  });

  test.each(
    ['npm start | pip list | docker ps | podman images | git status | xnpm ci | mygit clone x | dockers build'].flatMap(
      (line) => line.split(' | '),
    ),
  )('but not %s', (command) => {
    expect(minutes(command)).toBe(10);
  });

  test('for twenty minutes because of its first 2,000 characters', () => {
    expect(minutes(`echo ${'x'.repeat(1_980)}; npm ci`)).toBe(20);
    expect(minutes(`echo ${'x'.repeat(2_000)}; npm ci`)).toBe(10);
  });

  test('for a minute longer than the call itself says, if that is more', () => {
    const call = (timeout: number) => callOf({ args: { timeout_ms: timeout } });
    expect(patience(call(30 * MINUTE)).ms).toBe(31 * MINUTE);
    expect(patience(call(5 * MINUTE)).ms).toBe(10 * MINUTE);
    const test = callOf({ command: 'pytest', args: { timeout_ms: 40 * MINUTE } });
    expect(patience(test)).toEqual({ ms: 41 * MINUTE, what: 'builds and tests' });
    const asks = callOf({ name: 'Bash', args: { command: 'x', description: 'x', timeout_ms: 90 * MINUTE } });
    expect(patience(asks, true).ms).toBe(91 * MINUTE);
  });
});

describe('a call that waits for permission', () => {
  test.each([
    ['Bash', { command: 'x', description: 'y' }],
    ['Edit', { file_path: 'a' }],
    ['Write', { file_path: 'a' }],
    ['MultiEdit', { file_path: 'a' }],
    ['Read', { file_path: 'a' }],
  ])('has an hour: %s', (name, args) => {
    const call = callOf({ name, args });
    expect(patience(call, true)).toEqual({ ms: 60 * MINUTE, what: 'calls that may need your permission' });
    expect(patience(call, false).ms).toBe(10 * MINUTE);
  });

  test.each([
    ['Bash', { command: 'x', cwd: '/w' }],
    ['Bash', { description: 'x' }],
    ['Edit', { path: 'a' }],
    ['Grep', { file_path: 'a' }],
    ['Read', null],
    ['Read', 'file_path'],
  ])('does not include calls of another tool, or of another agent with a tool of that name: %s %j', (name, args) => {
    expect(patience(callOf({ name, args }), true).ms).toBe(10 * MINUTE);
  });
});

describe('what a call says it may take', () => {
  test.each([
    ['sleep 30', 30],
    ['sleep 1.5', 1.5],
    ['sleep 12.75', 12.75],
    ['sleep  5s', 5],
    ['sleep 2m', 120],
    ['sleep 1h', 3_600],
    ['sleep 10; make; sleep 20', 30],
    ['usleep 30', 0],
    ['sleep', 0],
  ])('%s', (command, seconds) => {
    expect(declaredLimit(commandCall(command))).toBe(seconds * 1_000);
  });

  test.each(['timeout_ms', 'timeoutMs', 'yield_time_ms', 'wait_ms', 'block_until_ms'])(
    '%s, in milliseconds',
    (name) => {
      expect(declaredLimit(callOf({ args: { [name]: 5_000 } }))).toBe(5_000);
    },
  );

  test.each(['timeout_seconds', 'timeoutSeconds', 'timeout_sec', 'duration', 'wait_seconds', 'max_wait'])(
    '%s, in seconds',
    (name) => {
      expect(declaredLimit(callOf({ args: { [name]: 5 } }))).toBe(5_000);
    },
  );

  test('timeout, in seconds up to an hour, otherwise in milliseconds', () => {
    expect(declaredLimit(callOf({ args: { timeout: 3_600 } }))).toBe(3_600_000);
    expect(declaredLimit(callOf({ args: { timeout: 3_601 } }))).toBe(3_601);
  });

  test('the longest of all, and nothing if it is not a number or below zero', () => {
    expect(declaredLimit(callOf({ command: 'sleep 3', args: { timeout_ms: 2_000, duration: 1 } }))).toBe(3_000);
    expect(declaredLimit(callOf({ command: 'sleep 3', args: { timeout_ms: 4_000, duration: 1 } }))).toBe(4_000);
    expect(declaredLimit(callOf({ args: { timeout_ms: -1, duration: '5', timeout: null } }))).toBe(0);
    expect(declaredLimit(callOf({ args: null }))).toBe(0);
    expect(declaredLimit(callOf({ args: 'timeout' }))).toBe(0);
  });
});
