import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { T0, folder, open } from '../support/make';
import { fat } from '../support/fat';

it('keeps the file below 8 MB, even with text that takes three bytes per character', async () => {
  const path = folder();
  const { store } = await open(path);
  await Promise.all(Array.from({ length: 500 }, (_, i) => store.save(fat(T0 + i, '循环检测'.repeat(2_000)))));
  expect(await store.compact()).toMatchObject({ done: true });
  const { size } = statSync(join(path, 'incidents.sqlite'));
  expect(size).toBeGreaterThan(4_000_000);
  expect(size).toBeLessThanOrEqual(8_000_000);
  // Pages of 16 KB.
  expect(readFileSync(join(path, 'incidents.sqlite')).readUInt16BE(16)).toBe(16_384);
  expect((await store.incidents()).length).toBe(500);
});
