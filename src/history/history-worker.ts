import { join } from 'node:path';
import { parentPort } from 'node:worker_threads';
import { createCatalogue, type Catalogue } from './catalogue/catalogue';
import { type CatalogueAnswer, type CatalogueQuestion, callCatalogue } from './catalogue/port';
import { asStoreError } from './errors';
import { type Rebuilt, rebuild } from './snapshot/rebuild';
import { createSqlEngine } from './snapshot/sql-engine';

/** Worker thread in which the history is queried and rebuilt, so that long work blocks nothing. */
const engine = createSqlEngine(join(__dirname, 'sql-wasm.wasm'));
let catalogue: Promise<Catalogue> | null = null;

async function answer({ request, what, values }: CatalogueQuestion): Promise<CatalogueAnswer> {
  try {
    if (what === 'rebuild') {
      const [job, remembered] = values as [Parameters<typeof rebuild>[0], Parameters<typeof rebuild>[1]];
      return { request, value: await rebuild(job, remembered, engine) };
    }
    catalogue ??= engine().then(createCatalogue);
    return { request, value: callCatalogue(await catalogue, what, values) };
  } catch (error) {
    const failed = error instanceof Error ? error.message.slice(0, 400) : 'the history could not be queried';
    return what === 'rebuild' ? { request, failed, reason: asStoreError(error).code } : { request, failed };
  }
}

// Requests run one after the other, in their order. Only a rebuild of the snapshot, which takes long and pauses in between, runs alongside them.
let last: Promise<void> = Promise.resolve();
parentPort?.on('message', (question: CatalogueQuestion) => {
  if (question.what === 'rebuild') void answer(question).then(rebuilt);
  else last = last.then(async () => parentPort?.postMessage(await answer(question)));
});

/** Transfers the files without copying them. */
function rebuilt(answer: CatalogueAnswer): void {
  const value = answer.value as Rebuilt | null | undefined;
  const files = value ? [value.bytes.buffer as ArrayBuffer, value.recent.buffer as ArrayBuffer] : [];
  parentPort?.postMessage(answer, files);
}
