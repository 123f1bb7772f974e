// Cutting long strings changes nothing in what is decoded. (Escapes and splits byte by byte: test/unit/base/tail.)
import { corpus } from './support/corpus.mjs';
import { child, row, skipped } from './support/measure.mjs';

const CHUNKS = [16_391, 20_011, 65_537, 1 << 20];

export async function run({ quick, insides }) {
  const rows = [];
  for (const name of ['c200', 'x200', 's50']) {
    const files = corpus(name);
    if (!files) {
      rows.push(skipped('identity', `corpus ${name} is absent and cannot be made`));
      continue;
    }
    for (const chunk of quick ? CHUNKS.slice(1, 2) : CHUNKS) {
      const { lines, strings, cut, differences, collisions } = await child('identity.mjs', [insides, chunk, ...files]);
      const what = `${name}, chunks of ${chunk}: ${lines} lines, ${strings} strings, ${cut} cut`;
      rows.push(
        row(
          'identity',
          what,
          '0; 0',
          `${differences} differences; ${collisions} collisions`,
          differences + collisions === 0,
        ),
      );
    }
  }
  return rows;
}
