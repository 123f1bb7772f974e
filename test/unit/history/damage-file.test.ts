import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { encodeDamage, forgetDamage, readDamage } from '../../../src/history/damage';
import { storePaths } from '../../../src/history/store-paths';
import { DAY, T0, folder } from './support/make';

function found() {
  const path = folder();
  const places = storePaths(path);
  const files = [join(path, 'incidents.sqlite.corrupt-1'), join(places.journals, 'A.jsonl.corrupt-1')];
  const damage = { at: T0, saved: 3, lost: null, lines: 2, files };
  writeFileSync(places.damage, encodeDamage(places, damage));
  return { places, damage };
}

it('is shown for a week to the millisecond', async () => {
  const { places, damage } = found();
  expect(await readDamage(places, T0)).toEqual(damage);
  expect(await readDamage(places, T0 + 7 * DAY)).toEqual(damage);
  expect(await readDamage(places, T0 + 7 * DAY + 1)).toBeNull();
});

it('names its files in the present place of the folder', async () => {
  const { places } = found();
  const moved = { ...storePaths('/moved'), damage: places.damage };
  expect((await readDamage(moved, T0))?.files).toEqual([
    join('/moved', 'incidents.sqlite.corrupt-1'),
    join('/moved', 'journal', 'A.jsonl.corrupt-1'),
  ]);
});

it.each([
  ['is not there', null],
  ['is empty', ''],
  ['is of another version', '{"v":2,"at":1,"saved":0,"lost":0,"lines":0,"files":["x"]}'],
  ['counts less than nothing', `{"v":1,"at":${T0},"saved":-1,"lost":0,"lines":0,"files":["x"]}`],
  ['names no file', `{"v":1,"at":${T0},"saved":0,"lost":0,"lines":0,"files":[]}`],
])('is not shown if its file %s', async (_, text) => {
  const places = storePaths(folder());
  if (text !== null) writeFileSync(places.damage, text);
  expect(await readDamage(places, T0)).toBeNull();
});

it('is forgotten with its file, even if the file is already gone; a failure to forget is reported', async () => {
  const { places } = found();
  await forgetDamage(places);
  expect(existsSync(places.damage)).toBe(false);
  await forgetDamage(places);
  mkdirSync(places.damage);
  await expect(forgetDamage(places)).rejects.toThrow();
});
