import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findSecrets } from '../../../../src/base/util/redact';

const ROOT = join(__dirname, '../../../..');
/** Transcripts of real agents; not part of the repository. */
const TRANSCRIPTS = process.env['UNSTUCK_TRANSCRIPTS'] ?? join(ROOT, '../shared/transcripts');
const FILES = 200;
const LINES = 10_000;
/** Maximum number of 10,000 lines without a secret that may lose something. */
const MOST_FALSE = 3;

function filesBelow(folder: string, ending: RegExp): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && ending.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** The texts of a line of JSON, or the line. */
function textsOf(line: string): readonly string[] {
  const texts: string[] = [];
  try {
    JSON.parse(line, (_, value: unknown) => {
      if (typeof value === 'string') texts.push(...value.split('\n'));
      return value;
    });
    return texts;
  } catch {
    return [line];
  }
}

/** Picks at most this many lines, spread evenly over all of them. */
function evenly(lines: readonly string[]): readonly string[] {
  const worth = lines.filter((line) => line.trim().length > 3);
  const step = Math.max(1, Math.floor(worth.length / LINES));
  return worth.filter((_, index) => index % step === 0).slice(0, LINES);
}

function check(name: string, lines: readonly string[]): void {
  const taken = evenly(lines);
  const found = taken.flatMap((line) =>
    findSecrets(line).map(([start, end]) => [line, line.slice(start, end)] as const),
  );
  const falsely = found.map(([line, what]) => `  ${what.slice(0, 60)}   in   ${line.trim().slice(0, 140)}`);
  console.log(
    `${name}: ${found.length} false redactions in ${taken.length} healthy lines${['', ...falsely].join('\n')}`,
  );
  expect((found.length / taken.length) * LINES).toBeLessThanOrEqual(MOST_FALSE);
}

it('removes hardly anything from our own source', () => {
  // The files about secrets are full of what looks like them.
  const files = filesBelow(join(ROOT, 'src'), /\.(?:ts|css|sh)$/).filter(
    (file) => !/\/base\/(?:util|secrets)\//.test(file),
  );
  check(
    'our own source',
    files.flatMap((file) => readFileSync(file, 'utf8').split('\n')),
  );
});

it('removes hardly anything from recorded transcripts', () => {
  const files = filesBelow(join(ROOT, 'test/golden/fixtures'), /\.jsonl?$/);
  check(
    'recorded transcripts',
    files.flatMap((file) => readFileSync(file, 'utf8').split('\n').flatMap(textsOf)),
  );
});

it.skipIf(!existsSync(TRANSCRIPTS))('removes hardly anything from real transcripts', () => {
  const all = filesBelow(TRANSCRIPTS, /\.jsonl$/);
  const step = Math.max(1, Math.floor(all.length / FILES));
  const files = all.filter((_, index) => index % step === 0);
  check(
    'real transcripts',
    files.flatMap((file) => readFileSync(file, 'utf8').split('\n').slice(0, 200).flatMap(textsOf)),
  );
});

if (!existsSync(TRANSCRIPTS))
  console.log(`skipped: ${TRANSCRIPTS} is not there (UNSTUCK_TRANSCRIPTS names another folder)`);
