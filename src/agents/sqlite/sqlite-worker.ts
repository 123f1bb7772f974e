import { join } from 'node:path';
import { parentPort } from 'node:worker_threads';
import { createLocalReader } from './local';
import type { ThreadAnswer, ThreadQuestion } from './thread-messages';
import type { SqlImage } from './reader';
import { fail, ok } from '../../base/util/result';

/** Worker thread that reads databases of agents, so that long work blocks nothing. */
const reader = createLocalReader(join(__dirname, 'sql-wasm.wasm'));
const images = new Map<number, SqlImage>();

async function answer(question: ThreadQuestion): Promise<ThreadAnswer['result']> {
  switch (question.type) {
    case 'open': {
      const opened = await reader.open(question.database, question.log);
      if (!opened.ok) return opened;
      images.set(question.image, opened.value);
      return ok([]);
    }
    case 'rows':
      return (
        (await images.get(question.image)?.rows(question.sql, question.parameters)) ?? fail('the database is not open')
      );
    case 'close':
      await images.get(question.image)?.close();
      images.delete(question.image);
      return ok([]);
  }
}

parentPort?.on('message', (question: ThreadQuestion) => {
  void answer(question).then((result) =>
    parentPort?.postMessage({ request: question.request, result } satisfies ThreadAnswer),
  );
});
