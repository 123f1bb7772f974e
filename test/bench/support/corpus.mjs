// Synthetic transcripts with known content, made once by the generator next to the project.
import { execFileSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const generator = resolve(dirname(fileURLToPath(import.meta.url)), '../../../../shared/gen-corpus.mjs');
export const corpusFolder = join(tmpdir(), 'unstuck-corpus');

const ARGUMENTS = {
  c200: ['--files', '40', '--mb', '200', '--seed', '4101'],
  c300: ['--files', '1', '--mb', '300', '--seed', '4102'],
  x200: ['--files', '40', '--mb', '200', '--seed', '4103', '--format', 'codex'],
  /** 2 GB in transcripts whose times overlap. */
  m2000: ['--files', '1000', '--mb', '2000', '--seed', '4107'],
  /** Transcripts of a realistic home, see used-home.mjs. */
  'old-claude': ['--files', '2000', '--mb', '1333', '--seed', '4108'],
  'old-codex': ['--files', '1000', '--mb', '667', '--seed', '4109', '--format', 'codex'],
  'today-claude': ['--files', '10', '--mb', '32', '--seed', '4110'],
  'today-codex': ['--files', '5', '--mb', '15', '--seed', '4111', '--format', 'codex'],
  s50: ['--files', '10', '--mb', '50', '--seed', '4104', '--profile', 'small'],
};

/** Files of a corpus, or undefined if it is absent and cannot be made. */
export function corpus(name) {
  // Another seed means another folder.
  const folder = join(corpusFolder, `${name}-${ARGUMENTS[name][ARGUMENTS[name].indexOf('--seed') + 1]}`);
  if (!existsSync(join(folder, 'manifest.json'))) {
    if (!existsSync(generator)) return undefined;
    mkdirSync(folder, { recursive: true });
    execFileSync(process.execPath, [generator, '--out', folder, ...ARGUMENTS[name]], { stdio: 'ignore' });
  }
  return readdirSync(folder, { recursive: true })
    .filter((file) => file.endsWith('.jsonl'))
    .map((file) => join(folder, file))
    .sort();
}

/** 2000 small lines around one of the given number of megabytes. */
export function hugeLine(megabytes) {
  mkdirSync(corpusFolder, { recursive: true });
  const path = join(corpusFolder, `line-${megabytes}.jsonl`);
  if (existsSync(path) && statSync(path).size > megabytes << 20) return path;
  const small = `${JSON.stringify({ type: 'assistant', message: { role: 'assistant', content: [{ type: 'text', text: 'w'.repeat(400) }] } })}\n`;
  const file = openSync(path, 'w');
  writeSync(file, small.repeat(1000));
  writeSync(file, '{"type":"user","message":{"role":"user","content":[{"type":"tool_result","content":"');
  const part = 'some output with \\"quotes\\" and a line\\n'.repeat(27_000);
  for (let size = 0; size < megabytes << 20; size += part.length) writeSync(file, part);
  writeSync(file, `"}]}}\n${small.repeat(1000)}`);
  closeSync(file);
  return path;
}
