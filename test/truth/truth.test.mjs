/** Half an hour of ten agents on their own clock, in a real VS Code with reloads and a second window: every surface must say what is true. */
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { projectRoot } from '../support/vscode-host.mjs';
import { play } from './drive.mjs';
import { judge } from './judge.mjs';
import { lookedAt } from './reading.mjs';
import { MINUTES, TRUTH } from './truth.mjs';

const AGENTS = Object.entries(TRUTH);
const OUTPUT = join(projectRoot, 'test-output/truth.json');

describe('Half an hour of ten agents', () => {
  /** @type {import('./reading.mjs').Reading[]} */
  let readings = [];
  /** @type {import('./judge.mjs').Fault[]} */
  let faults = [];

  beforeAll(async () => {
    readings = await play(({ minute, sayings }) => console.log(`minute ${minute}: ${sayings.length} sayings`));
    faults = judge(readings);
    fs.mkdirSync(dirname(OUTPUT), { recursive: true });
    fs.writeFileSync(OUTPUT, JSON.stringify({ faults, readings }, null, 1));
    const sayings = readings.reduce((sum, reading) => sum + reading.sayings.length, 0);
    console.log(`${readings.length} minutes, ${sayings} sayings of rows, tooltips, pages and live regions: ${OUTPUT}`);
  });

  it('is read on every surface at each minute', () => {
    const tasks = Object.values(TRUTH).map(({ task }) => task);
    const missing = readings.flatMap(({ minute, sayings, status, scan, api }) => {
      const on = (/** @type {string} */ surface) =>
        sayings.filter((one) => one.surface === surface).map(({ task }) => task);
      const looked = lookedAt(minute).map((name) => TRUTH[name]?.task ?? '');
      const lacks = (/** @type {string} */ surface, wanted = tasks) =>
        wanted.filter((task) => !on(surface).includes(task)).map((task) => `${minute}: ${surface} of ${task}`);
      return [
        ...['first row', 'first row, spoken', 'overview', 'overview, spoken'].flatMap((surface) => lacks(surface)),
        ...['tooltip', 'panel, pill', 'panel, lead'].flatMap((surface) => lacks(surface, looked)),
        ...(status.every(({ text }) => text !== '') ? [] : [`${minute}: status bar`]),
        ...(scan.filter(({ name }) => name !== undefined).length < tasks.length ? [`${minute}: unstuck scan`] : []),
        ...(Object.keys(api).length < tasks.length ? [`${minute}: API`] : []),
      ];
    });
    expect([readings.length, missing]).toEqual([MINUTES, []]);
  });

  it('is described without a falsehood', () => {
    expect(faults.filter(({ kind }) => kind === 'false')).toEqual([]);
  });

  it('is described without a contradiction between surfaces', () => {
    expect(faults.filter(({ kind }) => kind === 'contradiction')).toEqual([]);
  });

  it('is kept in the history once, whatever was reloaded', () => {
    const last = readings.at(-1)?.incidents ?? [];
    const listed = AGENTS.map(([name, { task }]) => [name, last.filter((label) => label.includes(task)).length]);
    const wanted = AGENTS.map(([name, { alarms }]) => [name, alarms]);
    expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(wanted));
  });
});
