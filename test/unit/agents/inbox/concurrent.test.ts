import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildSync } from 'esbuild';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { deliveries, sendMessage, takeMessages } from '../../../../src/agents/inbox';
import { draftAgain } from '../../../../src/agents/inbox/messages/send';
import { draft, filesIn, SESSION, value, workspace } from './inbox-kit';

/** More with `UNSTUCK_MESSAGES=1000`, but never fewer takers. */
const MESSAGES = Number(process.env['UNSTUCK_MESSAGES'] ?? 200);
const TAKERS = 4;

/**
 * A process that takes messages until no more come, two at a time, and records each one that was delivered to it. A kill between two records leaves
 * one delivered and one claimed.
 */
const TAKER = `
  import { appendFileSync, existsSync } from 'node:fs';
  import { takeMessages } from './messages/waiting';
  const [root, session, handed, over] = process.argv.slice(2);
  async function main() {
    for (;;) {
      const last = existsSync(over);
      const choose = (waiting) => waiting.slice(0, 2);
      const taken = await takeMessages({ root, session, by: 'taker', now: Date.now(), choose });
      if (!taken.ok) throw new Error(taken.error.message);
      for (const { id } of taken.value.messages) appendFileSync(handed, id + '\\n');
      if (taken.value.messages.length > 0) continue;
      if (last) return;
      // Lets the writer have the processor, too.
      await new Promise((settle) => setTimeout(settle, 2));
    }
  }
  void main();
`;

let place: { root: string; remove: () => void };
const running = new Set<ChildProcess>();

beforeEach(() => {
  place = workspace();
});
afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
  place.remove();
});

/** Repeatable random numbers, so that a failure can be reproduced. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

it('every message ends in exactly one of new and cur, and none is delivered twice, whichever process is killed', {
  timeout: 300_000,
}, async () => {
  const program = join(place.root, 'taker.js');
  buildSync({
    stdin: { contents: TAKER, resolveDir: resolve(__dirname, '../../../../src/agents/inbox'), loader: 'ts' },
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'cjs',
  });
  const handed = join(place.root, 'handed');
  const over = join(place.root, 'over');
  const dice = random(20261120);
  let kills = 0;

  const ends: Promise<void>[] = [];
  const start = (): void => {
    const child = spawn(process.execPath, [program, place.root, SESSION, handed, over], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    running.add(child);
    ends.push(
      new Promise((settle) => {
        child.on('exit', () => {
          running.delete(child);
          settle();
        });
      }),
    );
  };
  for (let index = 0; index < TAKERS; index++) start();

  const sent: string[] = [];
  let next = 5;
  for (let index = 0; index < MESSAGES; index++) {
    sent.push(value(await sendMessage(place.root, draft({ text: `message ${index}` }), Date.now())).message.id);
    if (index < next) continue;
    next = index + 3 + Math.floor(dice() * 20);
    const victims = [...running];
    const victim = victims[Math.floor(dice() * victims.length)];
    if (victim?.kill('SIGKILL')) {
      kills++;
      running.delete(victim);
      start();
    }
  }
  writeFileSync(over, '');
  await Promise.all(ends);

  const ids = (folder: string): string[] => filesIn(place.root, folder).map((name) => name.replace('.json', ''));
  const got = existsSync(handed) ? readFileSync(handed, 'utf8').split('\n').filter(Boolean) : [];
  expect(kills).toBeGreaterThan(MESSAGES / 30);
  expect([...ids('new'), ...ids('cur')].sort()).toEqual(sent);
  expect(ids('tmp')).toEqual([]);
  expect(new Set(got).size).toBe(got.length);
  expect(got.every((id) => ids('cur').includes(id))).toBe(true);

  // What a killed taker had claimed is shown as failed within 60 s, and its text can be sent again.
  const lost = sent.filter((id) => !got.includes(id));
  console.log(
    `${MESSAGES} messages, ${TAKERS} takers at once, ${kills} killed, ${lost.length} claimed and not handed over`,
  );
  const later = value(await deliveries(place.root, SESSION, Date.now() + 60_000)).deliveries;
  const failed = later.filter(({ message }) => lost.includes(message.id));
  expect(failed.map(({ state }) => state)).toEqual(lost.map(() => 'failed'));
  for (const { message } of failed) value(await sendMessage(place.root, draftAgain(message), Date.now()));
  const again = value(
    await takeMessages({ root: place.root, session: SESSION, by: 'test', now: Date.now(), choose: (all) => all }),
  );
  expect(again.messages).toHaveLength(lost.length);
});
