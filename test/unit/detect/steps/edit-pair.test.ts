import { describe, expect, test } from 'vitest';
import { type EditPair, editPair, shellWrite } from '../../../../src/detect/steps/edit-pair';
import { callOf } from '../support/one-step';

const edit = (args: unknown, target = '/app/a.py', cwd: string | null = null): EditPair | null =>
  editPair(callOf({ kind: 'changed', name: 'Edit', target, args }), cwd);

/** The numbers of two texts, from an edit that names both. */
const [OLD, NEW] = ['total = 1', 'total = 2'];
const meant = edit({ old_string: OLD, new_string: NEW });

describe('the effect of an edit on a file is known, whatever its tool calls the texts', () => {
  test.each(['old_string', 'old_str', 'oldText', 'old_text', 'search'])('the old text: %s', (name) => {
    expect(edit({ [name]: OLD, new_string: NEW })).toEqual(meant);
  });

  test.each(['new_string', 'new_str', 'newText', 'new_text', 'replace', 'replacement'])('the new text: %s', (name) => {
    expect(edit({ old_string: OLD, [name]: NEW })).toEqual(meant);
  });

  test.each(['content', 'contents', 'file_text', 'text', 'new_content'])('the whole file: %s', (name) => {
    expect(edit({ [name]: NEW })).toEqual({ path: '/app/a.py', before: 0, after: meant?.after });
  });

  test.each(['input', 'patch', 'diff'])('a patch: %s', (name) => {
    const patch = `--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n context\n-${OLD}\n+${NEW}\n`;
    expect(edit({ [name]: patch })).toEqual(meant);
  });
});

test('an edit that is undone is the same pair the other way round', () => {
  const back = edit({ old_string: NEW, new_string: OLD });
  expect(back).toEqual({ path: meant?.path, before: meant?.after, after: meant?.before });
  expect(meant?.before).not.toBe(meant?.after);
  const patch = (minus: readonly string[], plus: readonly string[]) =>
    edit({ patch: [...minus.map((line) => `-${line}`), ...plus.map((line) => `+${line}`)].join('\n') });
  expect(patch(['a', 'b'], ['c'])).toEqual(edit({ old_string: 'a\nb', new_string: 'c' }));
  expect(patch(['a', 'b'], [])?.before).not.toBe(patch(['ab'], [])?.before);
});

test('text that is inserted or removed is an edit too', () => {
  const into = edit({ old_string: '', new_string: NEW });
  expect(into?.after).toBe(meant?.after);
  expect(into?.before).not.toBe(0);
  expect(edit({ old_string: OLD, new_string: '' })?.before).toBe(meant?.before);
});

test('only the first 65,536 characters of a long text are compared', () => {
  const head = 'x'.repeat(65_536);
  expect(edit({ content: `${head}a` })?.after).toBe(edit({ content: `${head}b` })?.after);
  expect(edit({ content: `${head.slice(1)}a` })?.after).not.toBe(edit({ content: `${head.slice(1)}b` })?.after);
  const patch = (line: string) => edit({ patch: `+${'x'.repeat(65_535)}\n${line}` });
  expect(patch('+a')?.after).toBe(patch('+b')?.after);
});

describe('the file of an edit', () => {
  test.each([
    ['a.py', '/app', '/app/a.py'],
    ['./a.py', '/app', '/app/a.py'],
    ['/else/a.py', '/app', '/else/a.py'],
    ['C:\\app\\a.py', '/app', 'C:/app/a.py'],
    ['a.py', null, 'a.py'],
    ['srcC:/a.py', '/app', '/app/srcC:/a.py'],
  ] as const)('%s, in %s, is %s', (target, cwd, path) => {
    expect(edit({ content: '' }, target, cwd)?.path).toBe(path);
  });
});

describe('no edit that can be compared', () => {
  test.each([
    ['one half of a pair', { old_string: OLD }],
    ['the other half', { new_string: NEW }],
    ['texts that are none', { old_string: 1, new_string: 2, content: ['x'], patch: null }],
    ['nothing', {}],
    ['no arguments', null],
    ['a text', 'content'],
    ['nothing at all', undefined],
  ])('is %s', (_, args) => {
    expect(edit(args)).toBeNull();
  });

  test('is a look, or an edit of no file', () => {
    const args = { old_string: OLD, new_string: NEW };
    expect(editPair(callOf({ kind: 'looked', name: 'Read', target: 'a.py', args }), null)).toBeNull();
    expect(editPair(callOf({ kind: 'changed', name: 'Edit', args }), null)).toBeNull();
  });
});

describe('a shell line that writes a whole file', () => {
  test.each([
    "cat > src/a.py <<'E'\nx = 1\nE",
    'cat >src/a.py <<E\nx = 1\nE',
    'cat <<E > src/a.py\nx = 1\nE',
    "cat <<-'E' > src/a.py\nx = 1\nE",
    'tee src/a.py <<E\nx = 1\nE',
  ])('%j', (line) => expect(shellWrite(line, '/app')).toMatchObject({ path: '/app/src/a.py', before: 0 }));

  test('is compared by its content', () => {
    const write = (content: string) => shellWrite(`cat > a.py <<'E'\n${content}\nE`, null)?.after;
    expect(write('x = 1')).toBe(write('x = 1'));
    expect(write('x = 1')).not.toBe(write('x = 2'));
  });

  test.each([
    'cat src/a.py',
    'cat >> src/a.py <<E\nx = 1\nE',
    'echo "x = 1" > src/a.py',
    'python - <<E\nx = 1\nE',
    'tee -a src/a.py <<E\nx = 1\nE',
    '',
  ])('but not %j', (line) => expect(shellWrite(line, null)).toBeNull());
});
