import { writeSync } from 'node:fs';
import type { Incident } from '../../../../src/core/model';
import { openStore } from '../../../../src/history';
import { silentLog } from '../../../../src/base/util/log';

/**
 * A window that saves incidents and compacts as fast as it can until it is killed. Prints each acknowledged incident on standard output as `<id>
 * <count>`: from then on it must not be lost.
 */
async function main([folder, wasm, window]: readonly string[]): Promise<void> {
  if (!folder || !wasm || !window) throw new Error('usage: crash-child <folder> <wasm> <window>');
  const clock = {
    now: () => Date.now(),
    after(milliseconds: number, run: () => void) {
      const timer = setTimeout(run, milliseconds);
      return { dispose: () => clearTimeout(timer) };
    },
  };
  const store = await openStore({
    folder,
    wasm,
    window,
    clock,
    log: silentLog,
    settleMs: 0,
  });
  const source = { file: '/s.jsonl', line: 1, offset: 0 };
  const make = (n: number, count: number): Incident => ({
    id: `${window}${n}`,
    key: `k${window}${n}`,
    agent: 'codex',
    agentName: 'Codex',
    session: `s${n % 7}`,
    title: `Task ${n}`,
    file: '/s.jsonl',
    detector: 'cycle',
    rule: null,
    reason: 'cycle_loop',
    exhaustion: null,
    certainty: 'counted',
    level: 'stuck',
    confidence: 0.9,
    state: count % 2 === 0 ? 'open' : 'escalated',
    count,
    firstAt: n,
    openedAt: n,
    stuckAt: n,
    resolvedAt: null,
    updatedAt: Date.now() + count,
    firstLine: 1,
    alertLine: 2,
    stuckLine: 3,
    resolvedLine: null,
    subject: 'npm test',
    why: 'x'.repeat(300),
    suggestion: '',
    clears: [],
    evidence: [{ source, at: n, role: 'first', subject: 'npm test', text: 'y'.repeat(150 + ((n * 37) % 900)) }],
    cleared: null,
    outcome: null,
    attempts: [],
    notified: false,
    history: false,
    reopened: 0,
  });

  const loop = async (lane: number): Promise<never> => {
    for (let n = lane; ; n += 4) {
      for (let count = 2; count < 5; count++) {
        const one = make(n, count);
        await store.save(one);
        writeSync(1, `${one.id} ${count}\n`);
      }
      await new Promise((resolve) => setTimeout(resolve, (n * 13) % 5));
    }
  };
  const compactions = async (): Promise<never> => {
    for (;;) {
      await store.compact();
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  await Promise.all([loop(0), loop(1), loop(2), loop(3), compactions()]);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  writeSync(2, `${String(error)}\n`);
  process.exit(3);
});
