import v8 from 'node:v8';
import vm from 'node:vm';
import { describe, expect, it } from 'vitest';
import {
  asNumber,
  at,
  copied,
  createMarkFinder,
  Recent,
  exitCodeIn,
  exitCodeOf,
  GEMINI_FORM,
  headOf,
  isOwnMessage,
  messagesIn,
  normalisePath,
  oneLine,
  outcomeOf,
  parseJson,
  parseRecord,
  relativeTo,
  sessionOfFile,
  textOf,
  timeOf,
  whereJsonBreaks,
} from '../../../../src/agents/shared/decode';
import { fc, test } from './property';

const ID = '01JD8QZ3V5N2M4K6H8T0A2C4E6';
const OTHER = '01JD8QZ3V5N2M4K6H8T0A2C4E7';

describe('snippets that are kept', () => {
  it('do not keep the text that they were cut from', () => {
    v8.setFlagsFromString('--expose-gc');
    const collect = vm.runInNewContext('gc') as () => void;
    collect();
    const before = process.memoryUsage().heapUsed;
    const kept: string[] = [];
    for (let i = 0; i < 60; i++) kept.push(headOf(`${i} `.repeat(300_000), 200));
    collect();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(10 * 1024 * 1024);
    expect(kept.every((text) => text.length === 200)).toBe(true);
  });

  it('never end in half a character', () => {
    expect(headOf('ab😀', 3)).toBe('ab');
    expect(headOf('ab😀', 4)).toBe('ab😀');
    expect(copied('a longer text')).toBe('a longer text');
  });

  it('fit on one line', () => {
    expect(oneLine('  a\n\tb  c ')).toBe('a b c');
    expect(oneLine('word '.repeat(100), 20)).toBe('word word word word…');
    expect(oneLine('\u0000\u009f\u2067x')).toBe('␀\ufffd\ufffdx');
  });

  test.prop([fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 50 })])(
    'have no more than the given number of characters',
    (text, length) => {
      expect(oneLine(text, length).length).toBeLessThanOrEqual(length);
    },
  );
});

describe('foreign JSON', () => {
  it('is read without an exception', () => {
    expect(parseJson('{"a":')).toBeUndefined();
    expect(parseRecord('[1]')).toBeUndefined();
    expect(at({ a: { b: [1] } }, 'a', 'b')).toEqual([1]);
    expect(at({ a: 1 }, 'a', 'b')).toBeUndefined();
    expect(asNumber(Number.NaN)).toBeUndefined();
  });

  it('may have its text in many forms', () => {
    expect(textOf('a')).toBe('a');
    expect(textOf([{ type: 'text', text: 'a' }, { type: 'image', source: {} }, 'b'])).toBe('a\n[image]\nb');
    expect(textOf([{ type: 'tool_result', content: [{ type: 'text', text: 'in' }] }])).toBe('in');
    expect(textOf({ output: 1 })).toBe('{"output":1}');
    expect(textOf(null)).toBe('');
  });

  it('may have its times in several forms, and nonsense has no time', () => {
    expect(timeOf('2026-11-20T19:01:51.421Z')).toBe(Date.UTC(2026, 10, 20, 19, 1, 51, 421));
    expect(timeOf('2026-11-20T20:01:51+01:00')).toBe(Date.UTC(2026, 10, 20, 19, 1, 51));
    expect(timeOf('2026-11-20T19:01:51')).toBe(Date.UTC(2026, 10, 20, 19, 1, 51));
    expect(timeOf(1_795_201_551_421)).toBe(1_795_201_551_421);
    expect(timeOf(1_795_201_551)).toBe(1_795_201_551_000);
    for (const bad of ['soon', '', null, -1, Number.NaN, '[trimmed for fixture]']) expect(timeOf(bad)).toBeUndefined();
  });

  test.prop([
    fc.oneof(
      fc.date({ min: new Date(0), max: new Date('2286-01-01'), noInvalidDate: true }).map((date) => date.toISOString()),
      // parts out of range
      fc
        .tuple(fc.nat(19), fc.nat(39), fc.nat(29), fc.nat(69), fc.nat(69), fc.nat(999))
        .map(([month, day, hour, minute, second, milliseconds]) => {
          const two = (part: number): string => `${part}`.padStart(2, '0');
          return `2026-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}:${two(second)}.${`${milliseconds}`.padStart(3, '0')}Z`;
        }),
      fc.constantFrom('2026-11-20T19:01:5a.421Z', '2026-11-20 19:01:51.421Z', '2026-11-20T19-01:51.421Z'),
    ),
  ])('a usual time equals the result of `Date.parse`', (text) => {
    const time = Date.parse(text);
    expect(timeOf(text)).toBe(Number.isNaN(time) ? undefined : time);
  });
});

describe('the position at which a text stops being JSON', () => {
  it.each([
    ['{"a":1}', null],
    [' [1, -2.5e3, true, null, "\\u00e9"] ', null],
    ['"x"', null],
    ['', 0],
    ['{"a":', 5],
    ['{"a": "b', 8],
    ['{"a": ls}', 6],
    ['{"a":1,}', 7],
    ['[1 2]', 3],
    ['{a:1}', 1],
    ['{"a" 1}', 5],
    ['[1]]', 3],
    ['[01]', 1],
    ['"\\x"', 0],
    ['[1}', 2],
  ])('%j: %s', (text, place) => expect(whereJsonBreaks(text)).toBe(place));

  test.prop(
    [
      fc.oneof(
        fc.json(),
        fc.string(),
        fc.json().map((text) => text.slice(0, -1)),
        fc.json().map((text) => text.replace(/[:,{]/, '')),
      ),
    ],
    500,
  )('agrees with the parser on whether it is JSON', (text) =>
    expect(whereJsonBreaks(text) === null).toBe(parseJson(text) !== undefined),
  );
});

describe('a failing command whose record reports success', () => {
  it.each([
    ['Exit code 1\nboom', 1],
    ['Error: Exit code 137', 137],
    ['Output: x\nError: (none)\nExit Code: 2\nSignal: 0\nProcess Group PGID: 77', 2],
    ['Chunk ID: 1a\nWall time: 0.1 seconds\nProcess exited with code 3\nOutput:\nx', 3],
    ['Exit code: 0\nWall time: 0 seconds\nOutput:\n', 0],
    ['AssertionError\n<shellId: 2 completed with exit code 1>', 1],
    ['x\n[The command completed with exit code 4.]\n[Python: /usr/bin/python]', 4],
    ['<returncode>5</returncode>\n<output>', 5],
  ])('%j says %d', (text, code) => {
    expect(exitCodeIn(text)).toBe(code);
    expect(outcomeOf({ output: text })).toEqual({ isError: code !== 0, exitCode: code });
  });

  it("is not found in a program's output in the middle of a long text", () => {
    expect(exitCodeIn(`${'x\n'.repeat(500)}Exit Code: 1\n${'y\n'.repeat(500)}`)).toBeUndefined();
    expect(exitCodeIn('It said: Exit code 1')).toBeUndefined();
    expect(exitCodeIn('Exit code 1\n', [GEMINI_FORM])).toBeUndefined();
  });

  it('is found in metadata', () => {
    expect(exitCodeOf({ metadata: { exit_code: 1 } })).toBe(1);
    expect(exitCodeOf({ shellExecution: { exitCode: 127 } })).toBe(127);
    expect(exitCodeOf({ exit: 0 })).toBe(0);
    expect(exitCodeOf('1')).toBeUndefined();
    expect(outcomeOf({ output: '', metadata: { exit: 1 } })).toEqual({ isError: true, exitCode: 1 });
    expect(outcomeOf({ output: 'x', isError: true })).toEqual({ isError: true });
  });

  it('has the exit code of the metadata even if a program prints another one: displaying the log of a failure is no failure', () => {
    const shown = 'Exit code 1\nnpm error Missing script: "tset"';
    expect(outcomeOf({ output: shown, metadata: { exitCode: 0 } })).toEqual({ isError: false, exitCode: 0 });
  });
});

describe('our own messages in a transcript', () => {
  it('are found by their mark', () => {
    expect(messagesIn(`Read first. [unstuck ${ID}] and [unstuck ${OTHER}] [unstuck ${ID}]`)).toEqual([ID, OTHER]);
    expect(messagesIn('[unstuck me] [unstuck 01JD]')).toEqual([]);
  });

  it('are ours alone only if nothing of a person follows', () => {
    expect(isOwnMessage(`Stop repeating. [unstuck ${ID}]`)).toBe(true);
    expect(isOwnMessage(`<system-reminder>\nStop hook: x [unstuck ${ID}]\n</system-reminder>\n`)).toBe(true);
    expect(isOwnMessage(`Stop repeating. [unstuck ${ID}]\nAnd also fix the docs.`)).toBe(false);
    expect(isOwnMessage('Fix the docs.')).toBe(false);
    expect(isOwnMessage(`[unstuck ${ID}]${'x'.repeat(1000)}`)).toBe(false);
  });

  it('are reported once, however often the agent writes them down', () => {
    const marks = createMarkFinder();
    expect(marks.find(`a [unstuck ${ID}]`)).toEqual([ID]);
    expect(marks.find(`a [unstuck ${ID}] b [unstuck ${OTHER}]`)).toEqual([OTHER]);
    expect(marks.once(ID)).toBe(false);
  });
});

describe('paths of another machine', () => {
  it('are compared as text', () => {
    expect(normalisePath('/a//b/./c/../d/')).toBe('/a/b/d');
    expect(normalisePath('c:\\Users\\x\\..\\y')).toBe('C:/Users/y');
    expect(normalisePath('../a')).toBe('../a');
    expect(normalisePath('/../a')).toBe('/a');
    expect(normalisePath('')).toBe('.');
    expect(relativeTo('/a/b/c.ts', '/a')).toBe('b/c.ts');
    expect(relativeTo('b/c.ts', '/a')).toBe('b/c.ts');
    expect(relativeTo('/a', '/a')).toBe('.');
    expect(sessionOfFile('/x/0a1b.jsonl')).toBe('0a1b');
    expect(sessionOfFile('C:\\x\\run.agent.jsonl')).toBe('run');
    expect(sessionOfFile('.jsonl')).toBe('.jsonl');
  });
});

describe('the newest entries', () => {
  it('push out the oldest', () => {
    const recent = new Recent<string, number>(2);
    expect(recent.set('a', 1)).toBeUndefined();
    recent.set('b', 2);
    recent.set('a', 3);
    expect(recent.set('c', 4)).toBe(2);
    expect([...recent.values()]).toEqual([3, 4]);
    expect(recent.size).toBe(2);
  });
});
