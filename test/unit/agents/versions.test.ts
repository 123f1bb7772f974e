import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createBridges } from '../../../src/agents/bridges';
import { descriptors } from '../../../src/agents/registry';
import { createVersions } from '../../../src/agents/versions';
import { isTested, versionIn } from '../../../src/core/model';
import { scratch } from './inbox/hook-kit';

let place: { path: string; remove: () => void };
let bin: string;
beforeEach(() => {
  place = scratch();
  bin = join(place.path, 'bin');
  mkdirSync(bin);
});
afterEach(() => place.remove());

function file(path: string, text: string): string {
  const whole = join(place.path, path);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(whole, text);
  return whole;
}

const installed = (path = bin) => createVersions(path).installedOf;

/** Agents that ran together with Unstuck: `npm run test:agents`, and `npm run test:suite -- vscode-chat`. */
const TRIED = new Set([
  ...Object.keys(JSON.parse(readFileSync(join(__dirname, '../../agents/tried.json'), 'utf8')) as object),
  'vscode-chat',
]);

describe('the version of an agent that was not started yet', () => {
  it('is that of the npm package that contains its program', async () => {
    const program = file('lib/node_modules/@google/gemini-cli/dist/index.js', '');
    file('lib/node_modules/@google/gemini-cli/package.json', '{"name":"@google/gemini-cli","version":"0.70.1"}');
    symlinkSync(program, join(bin, 'gemini'));
    const missing = join(place.path, 'nowhere');
    expect(await installed([missing, bin].join(delimiter))('gemini-cli')).toBe('0.70.1');
  });

  it('is the name of the program if Claude Code was installed by its own installer', async () => {
    symlinkSync(file('.local/share/claude/versions/2.3.7', ''), join(bin, 'claude'));
    expect(await installed()('claude-code')).toBe('2.3.7');
  });

  it('is unknown for a script of the person with the name of an agent', async () => {
    file('bin/codex', '#!/bin/sh\n');
    file('bin/package.json', '{"name":"my-tools","version":"9.9.9"}');
    expect(await installed()('codex')).toBeNull();
  });

  it('is not searched for in a folder of the PATH that depends on the current folder', async () => {
    file('opencode', '');
    expect(await installed('.')('opencode')).toBeNull();
    expect(await createVersions(undefined).installedOf('opencode')).toBeNull();
  });
});

describe('the versions that were tested', () => {
  it('are named only for agents that take messages, and agents that were not tried have none', () => {
    const bridges = createBridges({
      hookFolder: place.path,
      hookFiles: () => Promise.reject(new Error('not asked for')),
      home: place.path,
      env: {},
      now: () => 0,
    });
    const { testedOf } = createVersions('');
    for (const { id, messages } of descriptors) {
      const tested = testedOf(id);
      expect(tested !== undefined, id).toBe(TRIED.has(id));
      expect(messages !== undefined, id).toBe(bridges.has(id));
      if (!tested) continue;
      expect([versionIn(tested.oldest), versionIn(tested.newest)], id).toEqual([tested.oldest, tested.newest]);
      expect(isTested(tested.newest, tested), id).toBe(true);
    }
  });
});

it('finds the program of an agent on the PATH, and says nothing if it cannot know', async () => {
  file('bin/codex', '#!/bin/sh\n');
  const { isFound } = createVersions(bin);
  expect([await isFound('codex'), await isFound('gemini-cli')]).toEqual([true, false]);
  expect([await isFound('vscode-chat'), await createVersions(undefined).isFound('codex')]).toEqual([null, null]);
});
