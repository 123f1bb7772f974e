import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Framer, ShrinkerPool, SMALL_LINE_BYTES } from '../../../../../src/base/tail/lines/framer';
import { countMarkers } from '../../../../../src/base/tail/lines/markers';
import { isCut } from '../../../../../src/base/util/cut';

interface Given {
  readonly text: string;
  readonly line: number;
  readonly offset: number;
  readonly calls: number;
}

/** Feeds the pieces one after the other, each in a buffer that is overwritten afterwards, as a reader's buffer is. */
function frame(pieces: readonly Buffer[], markers: readonly string[] = [], pause: () => boolean = () => false) {
  const lines: Given[] = [];
  const problems: string[] = [];
  const framer = new Framer(
    {
      line: (line, calls) => void lines.push({ ...line, calls }),
      problem: (code, line, offset) => void problems.push(`${code} ${line} ${offset}`),
    },
    markers,
    new ShrinkerPool(),
  );
  framer.begin(0, 0);
  for (const piece of pieces) {
    const chunk = Buffer.from(piece);
    let at = 0;
    while (at < chunk.length) at = framer.feed(chunk, at, pause);
    chunk.fill(0x0a);
  }
  return { lines, problems, framer };
}

function split(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const pieces: Buffer[] = [];
  let at = 0;
  for (const size of sizes) {
    pieces.push(bytes.subarray(at, at + size));
    at += size;
  }
  pieces.push(bytes.subarray(at));
  return pieces.filter((piece) => piece.length > 0);
}

const sizes = fc.array(fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 70_000 })), {
  maxLength: 80,
});
const marker = '"type":"call"';
const snippet = fc.constantFrom(
  'a',
  'é',
  '漢',
  '😀',
  '\r',
  marker,
  '"type":"cal',
  'l"',
  '{"a":"',
  '"}',
  '\\"',
  '\u0000x',
  ' ',
);
const line = fc
  .tuple(fc.array(snippet, { maxLength: 12 }), fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 900 })))
  .map(([parts, times]) => parts.join('').repeat(times));
const text = fc.tuple(
  fc.array(line, { maxLength: 12 }),
  fc.array(fc.constantFrom('\n', '\r\n'), { minLength: 12, maxLength: 12 }),
);

describe('framing', () => {
  test('yields the same lines, numbers, offsets and marker counts for any split of the bytes', () => {
    fc.assert(
      fc.property(
        text,
        sizes,
        fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }),
        ([lines, breaks], pieceSizes, pauses) => {
          const bytes = Buffer.from(lines.map((one, index) => one + breaks[index]).join(''));
          let turn = 0;
          const whole = frame([bytes], [marker]);
          // `pause` called twice in a row returns no the second time, as with a fresh slice.
          const parts = frame(
            split(bytes, pieceSizes),
            [marker],
            () => (pauses[turn++ % pauses.length] as boolean) && turn % 2 === 0,
          );
          expect(parts.lines).toEqual(whole.lines);
          expect(parts.problems).toEqual(whole.problems);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('yields the same as a plain split of the text', () => {
    fc.assert(
      fc.property(text, sizes, ([lines, breaks], pieceSizes) => {
        const bytes = Buffer.from(lines.map((one, index) => one + breaks[index]).join(''));
        const given = frame(split(bytes, pieceSizes), [marker]).lines;
        const raw = bytes.toString().split('\n').slice(0, -1);
        expect(given.length).toBe(raw.length);
        let offset = 0;
        for (const [index, one] of raw.entries()) {
          const expected = one.replace(/\r$/, '').replace(/^\0+/, '');
          const got = given[index] as Given;
          if (!isCut(got.text)) expect(got.text).toBe(expected);
          expect(got.line).toBe(index + 1);
          expect(got.offset).toBe(offset + (/^\0*/.exec(one)?.[0].length ?? 0));
          expect(got.calls).toBe(countMarkers(Buffer.from(one), 0, Buffer.byteLength(one), [marker]));
          offset += Buffer.byteLength(one) + 1;
        }
      }),
      { numRuns: 300 },
    );
  });

  test('keeps a character whole that a chunk of 64 KB cuts in two', () => {
    const filler = 'x'.repeat(65_534);
    const bytes = Buffer.from(`${filler}\n漢字\n${filler.slice(8)}😀\n`);
    const chunks = split(bytes, [65_536, 65_536]);
    expect(frame(chunks).lines.map((one) => one.text.slice(-4))).toEqual(['xxxx', '漢字', 'xx😀']);
  });

  test('holds a partial last line back, and yields it when its line break arrives', () => {
    const { lines, framer } = frame([Buffer.from('one\ntw')]);
    expect(lines.map((one) => one.text)).toEqual(['one']);
    framer.feed(Buffer.from('o\n'), 0, () => false);
    expect(lines.map((one) => [one.text, one.line, one.offset])).toEqual([
      ['one', 1, 0],
      ['two', 2, 4],
    ]);
  });

  test('yields the last line without its line break when the file is over', () => {
    const { lines, framer } = frame([Buffer.from('one\r\ntwo\r')]);
    framer.finish();
    framer.finish();
    expect(lines.map((one) => one.text)).toEqual(['one', 'two']);
  });

  test('leaves out a byte order mark, even if it is cut in two, and only at the beginning of the file', () => {
    const mark = Buffer.from([0xef, 0xbb, 0xbf]);
    const bytes = Buffer.concat([mark, Buffer.from('{"a":1}\n'), mark, Buffer.from('b\n')]);
    for (const sizesOfPieces of [[], [1], [2], [1, 1, 1]]) {
      const { lines } = frame(split(bytes, sizesOfPieces));
      expect(lines.map((one) => [one.text, one.offset])).toEqual([
        ['{"a":1}', 0],
        ['\ufeffb', 11],
      ]);
    }
    const big = Buffer.concat([mark, Buffer.from(JSON.stringify('y'.repeat(SMALL_LINE_BYTES))), Buffer.from('\n')]);
    for (const sizesOfPieces of [[], [1], [2], [1, 1, 1], [5000]]) {
      expect(frame(split(big, sizesOfPieces)).lines[0]?.text[0]).toBe('"');
    }
  });

  test('leaves out a hole of NUL bytes before a line, and reports it once', () => {
    const hole = Buffer.alloc(100_000);
    const { lines, problems } = frame(
      split(Buffer.concat([Buffer.from('a\n'), hole, Buffer.from('b\n\0c\n')]), [5, 70_000]),
    );
    expect(lines.map((one) => [one.text, one.line, one.offset])).toEqual([
      ['a', 1, 0],
      ['b', 2, 100_002],
      ['c', 3, 100_005],
    ]);
    expect(problems).toEqual(['nul-bytes 2 2']);
  });

  test('shows invalid UTF-8 as replacement characters and continues', () => {
    const { lines } = frame([Buffer.from([0x61, 0xff, 0xc3, 0x0a, 0xe6, 0xbc, 0x0a, 0x62, 0x0a])]);
    expect(lines.map((one) => one.text)).toEqual(['a\ufffd\ufffd', '\ufffd', 'b']);
  });

  test('counts markers that overlap themselves once, wherever the pieces of a big line are split', () => {
    const body = `${'aab'.repeat(9000)}aaaaaaa`;
    const bytes = Buffer.from(`${body}\n`);
    const expected = countMarkers(Buffer.from(body), 0, body.length, ['aa', 'aabaab']);
    fc.assert(
      fc.property(sizes, (pieceSizes) => {
        expect(frame(split(bytes, pieceSizes), ['aa', 'aabaab', '']).lines[0]?.calls).toBe(expected);
      }),
    );
  });

  test('finds markers with one rare piece as surely as one by one, even if they overlap', () => {
    const markers = ['"type":"tool_use"', '"type": "tool_use"', '_a_use"_', 'x_use"', '__u__'];
    const piece = fc.constantFrom(...markers, '"', '_use"', '__u', ' ', 'x', '\n');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), sizes, (pieces, pieceSizes) => {
        const text = pieces.join('');
        for (const { text: line, calls } of frame(split(Buffer.from(`${text}\n`), pieceSizes), markers).lines)
          expect(calls).toBe(countMarkers(Buffer.from(line), 0, line.length, markers));
      }),
    );
  });

  test('has line numbers of 0 until the lines before are counted', () => {
    const { lines, framer } = frame([]);
    framer.begin(500, -1);
    framer.feed(Buffer.from('a\nb\n'), 0, () => false);
    framer.setLinesBefore(40);
    framer.feed(Buffer.from('c\n'), 0, () => false);
    expect(lines.map((one) => [one.line, one.offset])).toEqual([
      [0, 500],
      [0, 502],
      [43, 504],
    ]);
  });

  test('yields a complete object whose line break is late, and nothing of it twice', () => {
    const { lines, framer } = frame([Buffer.from('{"a":1}\n{"b":')]);
    expect(framer.finishObject()).toBe(false);
    framer.feed(Buffer.from('2}'), 0, () => false);
    expect(framer.finishObject()).toBe(true);
    expect(framer.finishObject()).toBe(false);
    framer.feed(Buffer.from('\r\n{"c":3}\n'), 0, () => false);
    expect(lines.map((one) => [one.text, one.line, one.offset])).toEqual([
      ['{"a":1}', 1, 0],
      ['{"b":2}', 2, 8],
      ['{"c":3}', 3, 17],
    ]);
  });

  test('shortens a line of 64 MB', () => {
    const lines: Given[] = [];
    const framer = new Framer(
      { line: (one, calls) => void lines.push({ ...one, calls }), problem() {} },
      [],
      new ShrinkerPool(),
    );
    framer.begin(0, 0);
    const chunk = Buffer.alloc(256 * 1024, 'z');
    framer.feed(Buffer.from('{"id":1,"output":"'), 0, () => false);
    for (let piece = 0; piece < 256; piece++) framer.feed(Buffer.from(chunk), 0, () => false);
    framer.feed(Buffer.from('","after":2}\nnext\n'), 0, () => false);
    const parsed = JSON.parse(lines[0]?.text ?? '');
    expect(parsed).toMatchObject({ id: 1, after: 2 });
    expect(parsed.output.length).toBeLessThan(9000);
    expect(lines[1]).toMatchObject({ text: 'next', line: 2, offset: 64 * 1024 * 1024 + 31 });
  });
});
