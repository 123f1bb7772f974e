import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';

/** The comparison of two versions of an agent by `npm run test:newest`. */
const { formsIn, isNewIn } = (await import(
  pathToFileURL(join(__dirname, '../../agents/support/record-forms.mjs')).href
)) as {
  formsIn: (text: string) => Set<string>;
  isNewIn: (newer: Set<string>, older: Set<string>) => readonly string[];
};

const older = formsIn(
  '{"type":"event","payload":{"type":"count","info":1}}\n{"half\n{"type":"message","role":"user"}\n',
);

it('names a field and a record type that only the newer version has, whatever their values', () => {
  const newer = formsIn(
    '{"type":"event","payload":{"type":"count","info":2,"plan":"x"}}\n{"type":"message","role":"system","text":"y"}\n',
  );
  expect(isNewIn(newer, older)).toEqual(['event/count: plan', 'type message/system']);
});

it('names nothing if something is only missing', () => {
  expect(isNewIn(formsIn('{"type":"message","role":"user"}'), older)).toEqual([]);
});
