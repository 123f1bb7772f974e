import { chmodSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { installHook } from '../../../../src/inbox';
import { hookBundle, hookScript, scratch, stage, type Stage } from '../../inbox/hook-kit';
import { call, recorded, send, sessionOf } from './kit';

const AGENTS = ['codex', 'copilot-cli'] as const;

let place: { path: string; remove: () => void };
let at: Stage;
let started: string;
beforeEach(async () => {
  place = scratch();
  at = await stage(place.path);
  started = join(place.path, 'started');
  const runtime = join(place.path, 'runtime.sh');
  writeFileSync(runtime, `#!/bin/sh\n: >"${started}"\nexec "${process.execPath}" "$@"\n`);
  chmodSync(runtime, 0o700);
  await installHook(at.hook, { script: hookScript, bundle: hookBundle(), runtimes: [runtime] });
});
afterEach(() => place.remove());

it.each(AGENTS)('%s: a message for another session starts no runtime, one for this session does', async (agent) => {
  const recording = recorded(agent).find(({ event }) => /^(?:post|PostToolUse)/i.test(event));
  if (!recording) throw new Error('no call recorded');
  await send(at, agent, 'somebody-else');
  expect(call(at, agent, recording)).toBeNull();
  expect(existsSync(started)).toBe(false);

  await send(at, agent, sessionOf(recording));
  expect(JSON.stringify(call(at, agent, recording))).toContain('Read the error first.');
  expect(existsSync(started)).toBe(true);
  rmSync(started);
  expect(call(at, agent, recording)).toBeNull();
  expect(existsSync(started)).toBe(false);
});
