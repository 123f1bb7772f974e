import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { generated } from '../../../scripts/generate.mjs';

const root = resolve(__dirname, '../../..');

test('what is made from cards and descriptors is up to date (else: npm run generate)', async () => {
  const files = await generated();
  expect(files.size).toBeGreaterThan(0);
  for (const [path, text] of files) {
    const isUpToDate = readFileSync(resolve(root, path), 'utf8') === text;
    expect(
      isUpToDate,
      `${path} differs from the cards in src/rules and the descriptors in src/agents: npm run generate`,
    ).toBe(true);
  }
});
