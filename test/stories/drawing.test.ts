import { expect, test } from 'vitest';
import { draw } from './drawing';

test('a command is drawn as decoders read it', () => {
  const calls = draw('B "cat a.py" · B "sed -i s/a/b/ a.py" · B "make"').filter((event) => event.type === 'tool_call');
  expect(calls.map(({ kind }) => kind)).toEqual(['looked', 'changed', 'ran']);
});

test.each(['M Read', 'M fetch {"url":"x"}', 'M bash {"command":"ls"}', 'M look:send_keys', 'M odd:send_keys'])(
  'refuses a tool that decoders know as something else: %s',
  (drawing) => {
    expect(() => draw(drawing)).toThrow(/decoders know this tool as/);
  },
);
