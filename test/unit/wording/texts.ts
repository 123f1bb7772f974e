import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'vitest/node';

const ROOT = join(import.meta.dirname, '../../..');

/** A text that a person reads. */
export interface Text {
  /** File and line. */
  readonly place: string;
  readonly text: string;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly value?: unknown;
  readonly quasis?: readonly { readonly value: { readonly cooked: string } }[];
}

/** All texts: those in the source, the manifest and the documents. */
export function allTexts(): readonly Text[] {
  const sources = filesBelow('src', '.ts').flatMap((file) => textsOfSource(file, read(file)));
  const pages = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', ...filesBelow('docs', '.md')];
  const documents = [...pages, ...filesBelow('src', '.md'), ...filesBelow('media', '.md')];
  return [
    ...sources,
    ...linesOf('package.nls.json', read('package.nls.json')),
    ...documents.flatMap((file) => textsOfDocument(file, read(file))),
    ...textsOfDocument('CHANGELOG.md', nextOf(read('CHANGELOG.md'))),
  ];
}

/** The literals of a source file that contain more than one word: a single one may be a name. Values within them are left out. */
export function textsOfSource(file: string, source: string): readonly Text[] {
  const texts: Text[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit);
    if (typeof value !== 'object' || value === null) return;
    const node = value as Node;
    const text = literalOf(node);
    if (text?.includes(' ')) texts.push({ place: `${file}:${source.slice(0, node.start).split('\n').length}`, text });
    for (const inner of Object.values(value)) visit(inner);
  };
  visit(parseAst(source, { lang: 'ts' }));
  return texts;
}

function literalOf(node: Node): string | undefined {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  return node.type === 'TemplateLiteral' ? node.quasis?.map(({ value }) => value.cooked).join('…') : undefined;
}

/** The lines of a document without code, quoted names, addresses, and the table that names the words themselves. */
export function textsOfDocument(file: string, document: string): readonly Text[] {
  const blank = (part: string) => part.replaceAll(/[^\n]/g, '');
  const prose = document
    .replaceAll(/^(`{3,4})[^]*?^\1$/gm, blank)
    .replaceAll(/<!-- words -->[^]*?<!-- \/words -->/g, blank)
    .replaceAll(/`[^`\n]*`/g, '…')
    .replaceAll(/"[^"\n]*"/g, '…')
    .replaceAll(/\]\([^)\s]*\)/g, ']');
  return linesOf(file, prose);
}

function linesOf(file: string, text: string): readonly Text[] {
  return text.split('\n').map((line, index) => ({ place: `${file}:${index + 1}`, text: line }));
}

/** The changes of the next version; what is published stays as it is. */
function nextOf(changes: string): string {
  return changes.slice(0, changes.indexOf('\n## ', changes.indexOf('\n## ') + 1));
}

/** The words of the table in CONTRIBUTING.md that must not be used for the things in it, each with the word to write instead. */
export function neverWords(): ReadonlyMap<string, string> {
  const [, table = ''] = /<!-- words -->([^]*?)<!-- \/words -->/.exec(read('CONTRIBUTING.md')) ?? [];
  const rows = table.split('\n').map((row) => row.split('|').map((cell) => cell.trim()));
  return new Map(
    rows
      .filter(([, word = '']) => word !== '' && word !== 'write' && !word.startsWith('---'))
      .flatMap(([, word = '', , never = '']) => never.split(', ').map((one) => [one, word] as const)),
  );
}

/** The texts that contain a word, as a whole word and in any case. */
export function textsWith(word: string, texts: readonly Text[]): readonly Text[] {
  const pattern = new RegExp(`(?<![\\w-])${word}(?![\\w-])`, 'i');
  return texts.filter(({ text }) => pattern.test(text));
}

function filesBelow(folder: string, ending: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending) && !name.endsWith('.d.ts'))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .sort();
}

function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}
