import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { registry } from '../agents/registry';
import type { AcrossTold, TakenNote } from '../engine/across';
import type { ScannedFile } from '../engine/scan';
import type { ReadBySome, TranscriptReader } from '../engine/scan-all';
import type { Preset } from '../model';

/** What a thread is told once: the limits of the rules, and the time up to which silence counts. */
export interface ThreadData {
  readonly preset: Preset;
  /** As the setting `unstuck.detectors`. */
  readonly settings: unknown;
  /** Milliseconds since the epoch; absent: the last time of each transcript. */
  readonly now?: number;
}

/** What the thread is asked. `ask` numbers the answer. */
export type ThreadQuestion =
  | {
      readonly ask: number;
      readonly type: 'read';
      readonly file: string;
      readonly size: number;
      /** Place in the registry. */
      readonly adapter: number;
      readonly across: boolean;
    }
  /** The result of the transcript that was read as answer to the question `of`. */
  | { readonly ask: number; readonly type: 'result'; readonly of: number; readonly told: readonly AcrossTold[] };

export type ThreadAnswer =
  | { readonly ask: number; readonly progress: number }
  | { readonly ask: number; readonly why: string }
  | { readonly ask: number; readonly lastAt: number; readonly notes: readonly TakenNote[] }
  | { readonly ask: number; readonly scanned: ScannedFile };

/** The code of the thread, beside the bundle. */
export const scanWorker = join(__dirname, 'scan-worker.js');

/** A second thread costs about 40 MB and compiles the code again: it pays for more than so many bytes. */
const WORTH_BYTES = 500e6;

/** Young space of a second thread: smaller than that of the first, so that 1,000 transcripts take about as much memory as 40. */
const YOUNG_MB = 12;

/** How many threads read so many bytes, unless a person says it. More than two gain time only on machines with many cores, and each takes memory. */
export function threadsFor(bytes: number, cores = availableParallelism()): number {
  return bytes > WORTH_BYTES && cores > 1 ? 2 : 1;
}

interface Asked {
  readonly answered: (answer: ThreadAnswer) => void;
  readonly failed: (error: Error) => void;
}

/**
 * Reads transcripts in another thread, which keeps their sessions until their results are taken.
 *
 * @param script path of `scan-worker.js`
 * @returns a reader, whose promises reject when the thread ends; `end` ends it
 */
export function startScanThread(
  script: string,
  workerData: ThreadData,
): { readonly read: TranscriptReader; readonly end: () => Promise<unknown> } {
  const worker = new Worker(script, { workerData, resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB } });
  const waiting = new Map<number, Asked>();
  let over: Error | null = null;
  let asks = 0;

  const ended = (error: Error): void => {
    over ??= error;
    const left = [...waiting.values()];
    waiting.clear();
    for (const { failed } of left) failed(over);
  };
  worker.on('message', (answer: ThreadAnswer) => {
    const asked = waiting.get(answer.ask);
    if (!('progress' in answer)) waiting.delete(answer.ask);
    asked?.answered(answer);
  });
  worker.on('error', (error) => ended(new Error(`a thread that reads transcripts failed: ${error.message}`)));
  worker.on('exit', () => ended(new Error('a thread that reads transcripts ended')));

  const ask = (question: ThreadQuestion, asked: Asked): void => {
    if (over) return asked.failed(over);
    waiting.set(question.ask, asked);
    worker.postMessage(question);
  };

  const resultOf = (of: number, told: readonly AcrossTold[]): Promise<ScannedFile> =>
    new Promise((settle, failed) => {
      const answered = (answer: ThreadAnswer) => {
        if ('scanned' in answer) settle(answer.scanned);
        else failed(new Error('a thread that reads transcripts gave no result'));
      };
      ask({ ask: ++asks, type: 'result', of, told }, { answered, failed });
    });

  const read: TranscriptReader = ({ file, size, adapter }, across, onProgress) =>
    new Promise<ReadBySome>((settle, failed) => {
      const number = ++asks;
      const answered = (answer: ThreadAnswer) => {
        if ('progress' in answer) onProgress(answer.progress);
        else if ('why' in answer) settle(answer);
        else if ('notes' in answer) settle({ ...answer, result: (told) => resultOf(number, told) });
      };
      ask({ ask: number, type: 'read', file, size, adapter: registry.indexOf(adapter), across }, { answered, failed });
    });

  return { read, end: () => worker.terminate() };
}
