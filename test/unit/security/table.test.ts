import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(__dirname, '../../..');
const page = readFileSync(join(root, 'docs/security.md'), 'utf8');

/** The rows of the table below a heading, without its header; each a list of cells. */
function rows(heading: string): string[][] {
  const section = page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const lines = section.split('\n').filter((line) => line.startsWith('| '));
  return lines.slice(2).map((line) => line.slice(2, -2).split(' | '));
}

/** `file` "name", "name"; … */
function testsIn(cell: string): { readonly file: string; readonly names: readonly string[] }[] {
  return cell.split('; `').map((part) => ({
    file: /^`?([^`]+)`/.exec(part)?.[1] ?? part,
    names: [...part.matchAll(/"([^"]+)"/g)].map((match) => match[1] ?? ''),
  }));
}

const attacks = rows('Attacks');

describe('the attacks that docs/security.md lists', () => {
  it('each have a defence and a test', () => {
    expect(attacks.length).toBeGreaterThan(30);
    for (const [attack = '', stops = '', tests = '', ...more] of attacks) {
      expect([attack, more]).toEqual([attack, []]);
      expect(stops, attack).not.toBe('');
      for (const { names } of testsIn(tests)) expect(names.length, attack).toBeGreaterThan(0);
    }
  });

  it.each(attacks.flatMap(([attack = '', , tests = '']) => testsIn(tests).map((test) => ({ attack, ...test }))))(
    'name existing tests: $file, of: $attack',
    ({ file, names }) => {
      expect(existsSync(join(root, file)), file).toBe(true);
      const text = readFileSync(join(root, file), 'utf8');
      const missing = names.filter(
        (name) => !["'", '`', '"'].some((quote) => text.includes(`${quote}${name}${quote}`)),
      );
      expect(missing).toEqual([]);
    },
  );
});
