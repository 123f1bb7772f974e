import { describe, expect, it } from 'vitest';
import type { TranscriptLine } from '../../../../../src/base/tail';
import { eachRecord, recordsOf } from '../../../../../src/agents/shared/decode';

describe('two records on one line', () => {
  it('are two records', () => {
    expect(recordsOf('{"a":{"b":[1]}}{"c":2}')).toEqual(['{"a":{"b":[1]}}', '{"c":2}']);
    expect(recordsOf('{"a":1}{"b":2}{"c":3}')).toHaveLength(3);
  });

  it.each(['{"a":"x}{y"}', '{"a":"\\"}{"}', '{"a":"\\\\","b":"}{"}', '{"a":[{}],"b":"}{"}', '[{"a":1}]', 'no JSON }{'])(
    'stay one if the characters are inside a string: %s',
    (line) => {
      expect(recordsOf(line)).toEqual([line]);
    },
  );

  it('a string ends at its own quote, however many backslashes precede it', () => {
    expect(recordsOf('{"a":"\\\\"}{"b":"\\\\\\"}{"}')).toEqual(['{"a":"\\\\"}', '{"b":"\\\\\\"}{"}']);
  });

  it('include a complete first one if the second was cut off', () => {
    expect(recordsOf('{"a":1}{"b":"tru')).toEqual(['{"a":1}', '{"b":"tru']);
  });

  it('are a thousand at most, and everything after them is one', () => {
    const records = recordsOf('{"b9"}'.repeat(13_000));
    expect(records).toHaveLength(1_001);
    expect(records.join('')).toBe('{"b9"}'.repeat(13_000));
  });

  it('share their line and have their own offsets', () => {
    const read: TranscriptLine[] = [];
    const decoder = eachRecord({ unit: 'line', decode: (line) => void read.push(line) });
    const sink = { event() {}, problem() {} };
    decoder.decode({ text: '{"a":"ü"}{"b":2}', line: 7, offset: 100 }, sink);
    expect(read).toEqual([
      { text: '{"a":"ü"}', line: 7, offset: 100 },
      { text: '{"b":2}', line: 7, offset: 110 },
    ]);
  });

  it('do not include a note that a person put above them', () => {
    const read: string[] = [];
    const decoder = eachRecord({ unit: 'line', decode: (line) => void read.push(line.text) });
    decoder.decode({ text: '// from a gist', line: 1, offset: 0 }, { event() {}, problem() {} });
    expect(read).toEqual([]);
  });
});
