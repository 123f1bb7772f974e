import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainCommand } from '../../../../../src/base/checks/shell/plain-command';

const plain = (line: string): string => plainCommand(line, (folder) => folder === '/repo' || folder === '.');

describe('a command stays the same, however it is typed', () => {
  it.each([
    'npm test -- a.test.js',
    'npm  test  --  a.test.js',
    'npm test -- a.test.js;',
    '"npm" test -- a.test.js',
    "npm test -- 'a.test.js'",
    'cd /repo && npm test -- a.test.js',
    'cd "/repo" && npm test -- a.test.js',
    'cd /repo; npm test -- a.test.js',
    'cd . && npm test -- a.test.js',
    'sleep 5; npm test -- a.test.js',
    'sleep 5 && npm test -- a.test.js',
    'timeout 120 npm test -- a.test.js',
    'timeout 2m npm test -- a.test.js',
    'env CI=1 npm test -- a.test.js',
    'CI=1 npm test -- a.test.js',
    'time npm test -- a.test.js',
    'nohup npm test -- a.test.js',
    'time timeout 60 env CI=1 npm test -- a.test.js',
    'bash -c "npm test -- a.test.js"',
    'bash -lc "npm test -- a.test.js"',
    "sh -c 'npm test -- a.test.js'",
    '/bin/bash -lc "cd /repo && npm test -- a.test.js"',
    'npm test -- a.test.js 2>&1',
    'npm test -- a.test.js | tail -20',
    'npm test -- a.test.js 2>&1 | tail -40',
    'npm test -- a.test.js | head -5',
    'npm test -- a.test.js | cat',
    'cd /repo && timeout 60 npm test -- a.test.js 2>&1 | tail -n 5;',
  ])('%s', (line) => expect(plain(line)).toBe(plain('npm test -- a.test.js')));

  it('even if one line has two commands', () => {
    expect(plain('cd /repo && make && ./run | tail -3')).toBe(plain('make; ./run'));
  });
});

describe('a different command stays different', () => {
  it.each([
    'npm test -- b.test.js',
    'npm test -- "a.test.js b.test.js"',
    'npm test',
    'cd /other && npm test -- a.test.js',
    'cd /repo/web && npm test -- a.test.js',
    'make && npm test -- a.test.js',
    'npm test -- a.test.js && make',
    'npm test -- a.test.js | wc -l',
    'npm test -- a.test.js > out.log',
    'bash -c "npm test -- b.test.js"',
    'bash run.sh npm test -- a.test.js',
    'npm test -- $(pick)',
    'timeout npm test -- a.test.js',
  ])('%s', (line) => expect(plain(line)).not.toBe(plain('npm test -- a.test.js')));

  it.each([
    ['sleep 5', 'sleep 30'],
    ['cd /repo', 'cd .'],
    ['tail -20 app.log', 'tail -40 app.log'],
    ['echo "a  b"', 'echo "a b"'],
    ['echo "a;b"', 'echo a; b'],
    ['cat a | sort', 'cat a; sort'],
    ['echo a > x.txt', 'echo b > x.txt'],
    ['cat <<E\na\nE', 'cat <<E\nb\nE'],
  ])('%s, and %s', (one, other) => expect(plain(one)).not.toBe(plain(other)));
});

describe('a script is compared as it is', () => {
  it.each([
    'cat <<E | tail -5\nx\nE',
    'npm test 2>&1 | tail -5 > out.log',
    'make\nnpm test | tail -5',
    `echo ${'x'.repeat(1_000)} | tail -5`,
    '',
    ';',
  ])('%j', (line) => expect(plain(line)).toBe(line));
});

it('any line has one form, and its form never grows without limit', () => {
  const piece = fc.constantFrom(
    'npm test',
    'sleep 1',
    ';',
    ' && ',
    '|',
    ' tail',
    '"',
    "'",
    '$(',
    ')',
    '\n',
    ' -c ',
    'bash',
    'env ',
    '2>&1',
    '>',
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 40 }).map((all) => all.join('')),
      (line) => {
        expect(plain(line)).toBe(plain(line));
        expect(plain(line).length).toBeLessThanOrEqual(Math.max(8, line.length * 2));
      },
    ),
    { numRuns: 300, seed: 4242 },
  );
});
