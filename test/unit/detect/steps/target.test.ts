import { describe, expect, test } from 'vitest';
import { targetOf } from '../../../../src/detect/steps/target';
import { callOf, commandCall } from '../support/one-step';

const of = (command: string) => targetOf(commandCall(command));
const sameTarget = (one: string, other: string): boolean => of(one).target === of(other).target;
const hasTarget = (command: string): boolean => of(command).target !== 0;

describe('a call is about the file that it names', () => {
  test('with a tool, under the name of the tool', () => {
    const read = (target: string, name = 'Read') => targetOf(callOf({ name, target }));
    expect(read('a.py')).toEqual(read('a.py'));
    expect(read('a.py').target).not.toBe(read('b.py').target);
    expect(read('a.py').target).not.toBe(read('a.py', 'Edit').target);
    expect(read('a.py').program).toBe(read('b.py').program);
    expect(read('a.py').program).not.toBe(read('a.py', 'Edit').program);
    expect(targetOf(callOf({ name: 'Read' }))).toEqual({ program: read('a.py').program, target: 0 });
  });

  test('with a program, whatever options it has', () => {
    expect(sameTarget('sqlite3 shop.db', 'sqlite3 -batch shop.db')).toBe(true);
    expect(sameTarget('sqlite3 shop.db', 'sqlite3   shop.db  ')).toBe(true);
    expect(sameTarget('sqlite3 shop.db', 'sqlite3 other.db')).toBe(false);
    expect(sameTarget('cat a.txt', 'head a.txt')).toBe(false);
    expect(sameTarget('cp a.txt b.txt', 'cp a.txt c.txt')).toBe(false);
    expect(sameTarget('cp a.txt b.txt', 'cp a.txtb.txt')).toBe(false);
    expect(sameTarget('xxd a.bin > out.txt', 'xxd a.bin >other.txt')).toBe(false);
    expect(sameTarget('xxd a.bin >out.txt', 'xxd a.bin >other.txt')).toBe(true);
    expect(sameTarget('xxd a.bin 2>/dev/null', 'xxd a.bin </dev/zero')).toBe(true);
  });

  test('with the last program of its last line, before any pipe', () => {
    for (const before of ['cat b.txt && ', 'cat b.txt || ', 'cat b.txt; ', 'cat b.txt\n', '  '])
      expect(of(`${before}xxd a.bin`)).toEqual(of('xxd a.bin'));
    expect(of('xxd a.bin | head -3 c.txt')).toEqual(of('xxd a.bin'));
    expect(of('xxd a.bin\n\n')).toEqual(of('xxd a.bin'));
    expect(of('xxd a.bin').program).not.toBe(of('cat a.bin').program);
  });

  test('if the name has a dot or a slash in it: a bare word may be the value of an option', () => {
    expect(hasTarget('xxd a.bin')).toBe(true);
    expect(hasTarget('ls src/')).toBe(true);
    expect(hasTarget('xxd main')).toBe(false);
    expect(hasTarget('xxd --file=a.bin')).toBe(false);
    expect(hasTarget('xxd')).toBe(false);
    expect(hasTarget('xxd >a.bin')).toBe(false);
  });
});

describe('a call is not about anything that can be compared', () => {
  test.each(
    [
      'python | python3 | node | deno | bun | tsx | ts-node | ruby | perl | php | java | bash | sh | zsh | pwsh | go',
      'cargo | npm | npx | pnpm | yarn | pip | uv | poetry | make | cmake | mvn | gradle | gcc | g++ | clang | cc',
      'rustc | tsc | pytest | jest | vitest | apt | apt-get | brew | conda | docker | git | curl | wget | cd | export',
      'sudo | source | .',
    ].flatMap((line) => line.split(' | ')),
  )('if it runs its own code: %s', (program) => {
    expect(of(`${program} a/b.x`).target).toBe(0);
    expect(of(`${program} a/b.x`).program).toBe(of(program).program);
  });

  test('if its last line is a script, of more than 1,000 characters', () => {
    const line = (length: number) => `xxd ${'a'.repeat(length - 6)}.b`;
    expect(hasTarget(line(1_000))).toBe(true);
    expect(of(line(1_001))).toEqual(targetOf(callOf({ name: 'Bash' })));
    expect(hasTarget(`${'echo a; '.repeat(200)}\nxxd a.bin`)).toBe(true);
    expect(of(' ; ')).toEqual(targetOf(callOf({ name: 'Bash' })));
  });
});
