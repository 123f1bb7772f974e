import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('every text that package.json names is in package.nls.json, and no other', () => {
  const names = [...readFileSync('package.json', 'utf8').matchAll(/"%([^%"]+)%"/g)].map(([, name = '']) => name);
  const texts = JSON.parse(readFileSync('package.nls.json', 'utf8')) as Readonly<Record<string, string>>;
  expect(names.sort()).toEqual(Object.keys(texts).sort());
});
