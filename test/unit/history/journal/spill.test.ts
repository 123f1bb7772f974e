import * as fc from 'fast-check';
import { readFileSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createSpills, redactLong } from '../../../../src/history/journal/spill';
import { redact } from '../../../../src/base/util/redact';
import { DAY, T0, folder } from '../support/make';

describe('spilling an oversized result', () => {
  it('writes it complete and without secrets, for the owner alone, and once', async () => {
    const path = join(folder(), 'spill');
    const spills = createSpills(path, () => T0);
    const text = `export GITHUB_TOKEN=abcdef123\n${'line of output\n'.repeat(20_000)}`;
    const spilled = await spills.spill('session/call-1', async () => text);
    expect(readFileSync(spilled.file ?? '', 'utf8')).toBe(text.replace('abcdef123', '[redacted]'));
    expect(statSync(spilled.file ?? '').mode & 0o777).toBe(0o600);
    // The same result again, from another window.
    const again = () => Promise.reject(new Error('it is there'));
    expect(await createSpills(path, () => T0).spill('session/call-1', again)).toEqual(spilled);
    expect(readdirSync(path)).toHaveLength(1);
  });

  it('gives the reason if it cannot write', async () => {
    const file = join(folder(), 'file');
    writeFileSync(file, 'a file in the place of the folder');
    const spilled = await createSpills(file, () => T0).spill('x', async () => 'y');
    expect(spilled).toEqual({ file: null, reason: 'folder_missing' });
  });

  it('deletes after 24 hours what it wrote, and nothing else', async () => {
    const path = folder();
    const now = Date.now();
    const spills = createSpills(path, () => now);
    const { file } = await spills.spill('old', async () => 'text');
    await spills.spill('young', async () => 'text');
    writeFileSync(join(path, 'mine.txt'), '');
    for (const name of [file ?? '', join(path, 'mine.txt')])
      utimesSync(name, (now - 2 * DAY) / 1000, (now - 2 * DAY) / 1000);
    expect(await spills.clean()).toBe(1);
    expect(readdirSync(path).sort()).toContain('mine.txt');
    expect(readdirSync(path)).toHaveLength(2);
    expect(await createSpills(join(path, 'absent'), () => now).clean()).toBe(0);
  });

  it('finds secrets wherever the pieces end', async () => {
    const key = `-----BEGIN RSA PRIVATE KEY-----\n${'MIIEpAIBAAKCAQEA7bq0k3Yx1m9b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6e7f8A9B\n'.repeat(25)}-----END RSA PRIVATE KEY-----\n`;
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 60_000, max: 70_000 }),
        fc.integer({ min: 1, max: 120 }),
        async (before, width) => {
          const line = `${'x'.repeat(width)}\n`;
          const filler = line.repeat(Math.ceil(before / line.length));
          const text = `${filler}TOKEN=abcdefgh1\n${key}${filler}PASSWORD=secret99\n`;
          expect(await redactLong(text)).toBe(redact(text));
        },
      ),
      { numRuns: 60 },
    );
  });
});
