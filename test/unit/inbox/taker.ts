// A process that takes messages until none is left to come, and notes each one that was handed to it. Killed at random by the test.
import { appendFileSync, existsSync } from 'node:fs';
import { takeMessages } from '../../../src/inbox/waiting';

const [root = '', session = '', handed = '', over = ''] = process.argv.slice(2);

async function main(): Promise<void> {
  for (;;) {
    const last = existsSync(over);
    const taken = await takeMessages({
      root,
      session,
      by: `taker:${process.pid}`,
      now: Date.now(),
      // Two at a time: a kill between them leaves one handed over and one claimed.
      choose: (waiting) => waiting.slice(0, 2),
    });
    if (!taken.ok) throw new Error(taken.error.message);
    for (const { id } of taken.value.messages) appendFileSync(handed, `${id}\n`);
    if (last && taken.value.messages.length === 0) return;
  }
}

void main();
