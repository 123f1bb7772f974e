import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packagedReadme } from '../../../scripts/readme.mjs';

const README = readFileSync(join(import.meta.dirname, '../../../README.md'), 'utf8');

it('the page of an installed extension has no link that leads nowhere, and no picture that is not shown', () => {
  expect(packagedReadme(README)).not.toMatch(/\]\((?!https?:|#)/);
  expect(packagedReadme(README)).not.toContain('<img');
});

it.each([
  ['See [docs/gates.md](docs/gates.md#when).', 'See *docs/gates.md*.'],
  ['Write the [generic transcript](docs/transcript.md).', 'Write the generic transcript (*docs/transcript.md*).'],
  ['Text ![a picture](docs/pictures/a.png) text', 'Text  text'],
  ['[Node](https://nodejs.org) and [above](#agents)', '[Node](https://nodejs.org) and [above](#agents)'],
])('%s', (written, packaged) => {
  expect(packagedReadme(written)).toBe(packaged);
});

it('a picture goes with its line', () => {
  expect(packagedReadme('a\n![x](x.png)\nb\n\nc')).toBe('a\nb\n\nc');
  expect(packagedReadme('a\n\n<img src="x.png" alt="x">\n\nb')).toBe('a\n\nb');
});
