import { describe, expect, test } from 'vitest';
import { effectOf, foundNothing } from '../../../../src/detect/steps/effects';
import { classify } from '../../../../src/detect/steps/weight';
import type { ToolCallEvent } from '../../../../src/core/model';
import { callOf, commandCall } from '../support/one-step';

const effect = (call: ToolCallEvent, output: string): number => effectOf(call, classify(call), output);
const tool = (name: string, args: unknown): ToolCallEvent => callOf({ kind: 'other', name, args });
const search = (pattern: string): ToolCallEvent => callOf({ kind: 'looked', name: 'Grep', args: { pattern } });
const edit = (text: string): ToolCallEvent =>
  callOf({ kind: 'changed', name: 'Edit', target: 'a.py', args: { file_path: 'a.py', new_string: text } });

const SCREEN = 'root@box:/app# cat > solution.py << EOF\n> import os\n> ';
const REFUSAL = `The edit was not made. ${'The tool accepts only a whole patch, with its first and last line. '.repeat(4)}`;

describe('one tool that says the same whatever its arguments', () => {
  test('a terminal whose screen no keystroke changes', () => {
    const first = effect(tool('send_keys', { keys: 'make all' }), SCREEN);
    expect(first).not.toBe(0);
    expect(effect(tool('send_keys', { keys: 'ls -la' }), SCREEN)).toBe(first);
    expect(effect(tool('send_keys', { keys: 'ls -la' }), `${SCREEN}> total 4`)).not.toBe(first);
  });

  test('its own arguments are removed from the text', () => {
    const answer = (query: string): string => `Your search for ${query} is being worked on, come back later.`;
    const first = effect(tool('search', { query: 'leather exporters' }), answer('leather exporters'));
    expect(effect(tool('search', { query: 'shoe makers' }), answer('shoe makers'))).toBe(first);
    expect(effect(tool('search', { query: 'shoe makers' }), answer('hat makers'))).not.toBe(first);
  });

  test('parts that are masked anyway: a clock on the screen', () => {
    const at = (time: string): number =>
      effect(tool('send_keys', { keys: time }), `waiting for the boot prompt, ${time} now`);
    expect(at('10:00:01')).toBe(at('10:00:59'));
  });

  test('two tools are two things', () => {
    expect(effect(tool('one', {}), SCREEN)).not.toBe(effect(tool('two', {}), SCREEN));
  });

  test('a shell is one tool, but short output of its programs says nothing about it', () => {
    expect(effect(commandCall('psql -c a'), 'no such table in the database')).toBe(0);
    const long = 'the screen of a program that hangs and takes no input, '.repeat(3);
    expect(effect(commandCall('psql -c a'), long)).toBe(effect(commandCall('mysql -e a'), long));
  });
});

describe('what cannot be compared', () => {
  test('empty and very short results, except what a terminal shows after keystrokes', () => {
    expect(effect(tool('send_keys', { keys: 'a' }), '')).toBe(0);
    expect(effect(tool('browser_click', { ref: 'a' }), 'ok')).toBe(0);
    expect(effect(tool('send_keys', { keys: 'ab' }), '$')).toBe(effect(tool('send_keys', { keys: 'cd' }), '$'));
    expect(effect(tool('send_keys', { keys: 'ab' }), '$')).not.toBe(0);
    expect(effect(commandCall('mkdir a'), '')).toBe(0);
  });

  test('brief confirmations of edits, but not a long refusal', () => {
    expect(effect(edit('a'), 'The file a.py has been updated.')).toBe(0);
    expect(effect(edit('a'), REFUSAL)).not.toBe(0);
    expect(effect(edit('a'), REFUSAL)).toBe(effect(edit('b'), REFUSAL));
  });

  test('an edit that was made, however long its confirmation', () => {
    const long = 'The lines around the change are shown below, with their numbers. '.repeat(5);
    expect(effect(edit('a'), `The file a.py has been updated. ${long}`)).toBe(0);
    expect(effect(edit('a'), `Successfully applied. ${long}`)).toBe(0);
  });

  test('an edit that shows the file as it is now', () => {
    const shown = (text: string): string => `The file now reads: ${'line of code\n'.repeat(20)}${text}`;
    expect(effect(edit('total = 1'), shown('total = 1\nend'))).not.toBe(
      effect(edit('total = 2'), shown('average = 2\nend')),
    );
  });

  test.each([
    ['a tool', tool('send_keys', {}), 24],
    ['an edit', edit('a'), 200],
    ['a shell', commandCall('psql -c a'), 80],
  ])('what %s says in fewer characters than its limit', (_, call, length) => {
    expect(effect(call, 'x'.repeat(length - 1))).toBe(0);
    expect(effect(call, `${'x'.repeat(length - 1)}    `)).toBe(0);
    expect(effect(call, 'x'.repeat(length))).not.toBe(0);
  });

  test('contents of files, and commands that look', () => {
    const read = callOf({ kind: 'looked', name: 'Read', target: 'a.py', args: { file_path: 'a.py' } });
    expect(effect(read, 'No results were found.')).toBe(0);
    expect(effect(commandCall('cat a.py'), 'the content of this file is here')).toBe(0);
  });
});

describe('a sweep: searches that find nothing', () => {
  test.each(['', 'No matches found', '0 results', 'No files were found for this pattern', '[]'])('"%s"', (output) => {
    const found = effect(search('alpha'), output);
    expect(foundNothing('Grep', found)).toBe(true);
    expect(effect(search('beta'), '')).toBe(found);
  });

  test.each(
    [
      'no result | No results. | no match | no matches | no file | no item | no items here | no entries',
      'no hits | no pages | no documents | no information | no data | 0 files',
      'zero hits | without any data | no relevant pages | Not found. | nothing',
      'it cannot be found | It could not be found. | cannot extract it | it does not contain any',
      'they do not contain any | empty |    empty list |   []',
    ].flatMap((line) => line.split(' | ')),
  )('and what other tools say: "%s"', (output) => {
    expect(foundNothing('Grep', effect(search('alpha'), output))).toBe(true);
  });

  test.each(
    [
      'nor results | no resultset | casino results | no very relevant pages | annotation | nothingness',
      'knot found | 10 files | x empty | x [] |          empty',
      `${'a match. '.repeat(45)}no results`,
    ].flatMap((line) => line.split(' | ')),
  )('but not "%s"', (output) => {
    expect(effect(search('alpha'), output)).toBe(0);
  });

  test('is not one if something is found', () => {
    expect(effect(search('alpha'), 'src/a.py:3: alpha = 1')).toBe(0);
  });

  test('the words of a search do not themselves say that nothing was found', () => {
    expect(effect(search('no results'), 'src/a.py:3: print("no results")')).toBe(0);
  });

  test('belongs to its own tool', () => {
    expect(foundNothing('Glob', effect(search('alpha'), ''))).toBe(false);
  });
});

describe('of the output of a tool', () => {
  const said = (middle: string, head = 'h', tail = 't') =>
    effect(tool('screen', {}), `${head.repeat(256)}${middle}${tail.repeat(768)}`);

  test('its first 256 and last 768 characters are compared', () => {
    expect(said('one')).toBe(said('a b c'));
    expect(said('one')).not.toBe(said('one', 'H'));
    expect(said('one')).not.toBe(said('one', 'h', 'T'));
    expect(said('')).toBe(said('one'));
  });

  const answer = (argument: unknown) =>
    effect(tool('ask', argument), `The answer to ${'x'.repeat(30)} is one that nobody knows`);

  test('arguments of 3 to 1,000 characters are removed, the first eight, with no space around them', () => {
    const none = answer({});
    expect(answer({ a: 'is' })).toBe(none);
    expect(answer({ a: 'one' })).not.toBe(none);
    expect(answer({ a: '  one ' })).toBe(answer({ a: 'one' }));
    expect(answer({ a: 1, b: 'one' })).toBe(answer({ a: 'one' }));
    const eight = Object.fromEntries(Array.from('abcdefgh').map((name) => [name, 'not there']));
    expect(answer({ ...eight, i: 'one' })).toBe(none);
    const seven = Object.fromEntries(Array.from('abcdefg').map((name) => [name, 'not there']));
    expect(answer({ ...seven, i: 'one' })).toBe(answer({ a: 'one' }));
    expect(answer('one')).toBe(none);
    expect(answer(null)).toBe(none);
  });
});
