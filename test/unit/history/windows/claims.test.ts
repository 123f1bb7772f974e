import { rmSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { storePaths } from '../../../../src/history/store-paths';
import { type Claims, createClaims } from '../../../../src/history/windows/claims';
import { T0, folder, processes } from '../support/make';

const key = { agent: 'codex', session: 's1', key: 'repeating_action:1' } as const;
const windows: Claims[] = [];
afterEach(async () => {
  for (const window of windows.splice(0)) await window.close();
});

function window(path: string, pid: number, errors: unknown[] = []): Claims {
  const owner = { processes: processes(pid), window: `w${pid}`, now: () => T0 };
  const claims = createClaims(storePaths(path), owner, (error) => void errors.push(error));
  windows.push(claims);
  return claims;
}

describe('a claim', () => {
  it('is given once among all windows, and not again to the window that has it', async () => {
    const path = folder();
    const [one, two] = [window(path, 1), window(path, 2)];
    expect(await one.claim(key, 'toast')).not.toBeNull();
    expect(await one.claim(key, 'toast')).toBeNull();
    expect(await two.claim(key, 'toast')).toBeNull();
    expect(await two.claim(key, 'send:1')).not.toBeNull();
    expect(await two.claim({ ...key, session: 's2' }, 'toast')).not.toBeNull();
  });

  it('that was released goes to another window, one that was done to none', async () => {
    const path = folder();
    const [one, two] = [window(path, 1), window(path, 2)];
    await (await one.claim(key, 'toast'))?.release();
    const second = await two.claim(key, 'toast');
    expect(second).not.toBeNull();
    await second?.done();
    expect(await one.claim(key, 'toast')).toBeNull();
    expect(await two.claim(key, 'toast')).toBeNull();
  });

  it('that was done stays done when its holder releases it afterwards', async () => {
    const path = folder();
    const [one, two] = [window(path, 1), window(path, 2)];
    const claim = await one.claim(key, 'toast');
    await claim?.done();
    await claim?.release();
    expect(await two.claim(key, 'toast')).toBeNull();
  });

  it('that is not done is returned when its window closes', async () => {
    const path = folder();
    const [one, two] = [window(path, 1), window(path, 2)];
    await one.claim(key, 'toast');
    await one.close();
    expect(await two.claim(key, 'toast')).not.toBeNull();
  });
});

it('if nothing can be written, a window still keeps order within itself', async () => {
  const path = folder();
  // A file is in the place of the folder of the claims.
  writeFileSync(storePaths(path).claims, '');
  const errors: unknown[] = [];
  const one = window(path, 1, errors);
  const claim = await one.claim(key, 'toast');
  expect(claim).not.toBeNull();
  expect(errors).toHaveLength(1);
  expect(await one.claim(key, 'toast')).toBeNull();
  await claim?.release();
  const again = await one.claim(key, 'toast');
  expect(again).not.toBeNull();
  await again?.done();
  await again?.release();
  expect(await one.claim(key, 'toast')).toBeNull();
});

it('what a window claimed on its own stays its own when the disk can be written again', async () => {
  const path = folder();
  writeFileSync(storePaths(path).claims, '');
  const one = window(path, 1);
  expect(await one.claim(key, 'toast')).not.toBeNull();
  rmSync(storePaths(path).claims);
  expect(await one.claim(key, 'toast')).toBeNull();
});
