import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { registry } from './agents/registry';
import { createThreadedReader } from './agents/sqlite/threaded';
import type { ThreadAnswer, ThreadData, ThreadQuestion } from './cli/scan-thread';
import { resolveOptions } from './detect/session/options';
import { readSmall } from './engine/follow/probe';
import { readSmallBeside } from './engine/scan';
import { type ReadBySome, readerHere } from './engine/scan-all';

/** The second thread of `unstuck scan`: reads the transcripts that it is told, one at a time, and keeps each until its result is asked for. */
const { preset, settings, now } = workerData as ThreadData;
const sqlite = createThreadedReader(join(__dirname, 'sqlite-worker.js'));
const read = readerHere({
  detectors: (agent) => resolveOptions(preset, settings, agent),
  context: ({ file }) => ({ readSmall: readSmallBeside(file, readSmall), sqlite }),
  ...(now !== undefined && { now }),
});
const kept = new Map<number, Exclude<ReadBySome, { readonly why: string }>>();
/** Bytes after which the first thread is told how far the reading is. */
const TOLD_BYTES = 4e6;

async function answer(question: ThreadQuestion): Promise<ThreadAnswer> {
  const { ask } = question;
  switch (question.type) {
    case 'read': {
      const { file, size, across } = question;
      const adapter = registry[question.adapter];
      if (!adapter) return { ask, why: 'the thread that read it does not know its agent' };
      let told = 0;
      const got = await read({ file, size, adapter }, across, (bytes) => {
        if (bytes - told < TOLD_BYTES) return;
        told = bytes;
        parentPort?.postMessage({ ask, progress: bytes } satisfies ThreadAnswer);
      });
      if ('why' in got) return { ask, why: got.why };
      kept.set(ask, got);
      return { ask, lastAt: got.lastAt, notes: got.notes };
    }
    case 'result': {
      const got = kept.get(question.of);
      kept.delete(question.of);
      return got
        ? { ask, scanned: await got.result(question.told) }
        : { ask, why: 'the thread that read it has lost it' };
    }
  }
}

parentPort?.on('message', (question: ThreadQuestion) => {
  void answer(question).then((given) => parentPort?.postMessage(given));
});
