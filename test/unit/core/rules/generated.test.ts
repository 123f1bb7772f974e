import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { generated } from '../../../../scripts/generate.mjs';

const root = resolve(__dirname, '../../../..');

test('what is generated from cards, descriptors and bundled packages is up to date (else: npm run generate)', async () => {
  const files = await generated();
  expect(files.size).toBeGreaterThan(0);
  for (const [path, text] of files) {
    const isUpToDate = readFileSync(resolve(root, path), 'utf8') === text;
    expect(
      isUpToDate,
      `${path} differs from what it is made of (src/core/rules, src/agents, the bundled packages): npm run generate`,
    ).toBe(true);
  }
});
