import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Node, parseSync } from 'oxc-parser';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { MarkdownString, editor, resetEditor } from '../support/vscode';

vi.mock('vscode', () => import('../support/vscode'));

import * as voice from '../../../../src/editor/voice';

const EVERYTHING = [
  '[x](command:y)',
  '![i](https://evil.example/i)',
  'https://evil.example/a',
  'www.evil.example',
  'a@evil.example',
  '$(error)',
  '<b>*b*</b> `c`',
  '\u202e\u2066txt.exe\u0007',
].join(' ');

/** Possible names of an agent, a file, a folder, a branch or a machine. */
const NAMES = {
  'with everything': EVERYTHING,
  'of 10 KB': `${EVERYTHING}${'n'.repeat(10_240)}${EVERYTHING}`,
  // Two values side by side make a link.
  'of the ends of links': '](command:y) error) [x',
};

/** A sentence of the source: the words around its values. */
interface Sentence {
  readonly place: string;
  readonly words: readonly string[];
}

const source = resolve(__dirname, '../../../../src');

/** Texts that the editor does not show: those for a terminal, and of our own pages. */
const ELSEWHERE = /^(?:cli|editor[\\/]webview)[\\/]/;
/** All texts with values in these folders are shown; elsewhere, only those that read like a sentence. */
const SHOWN = /^(?:editor|core[\\/]words)[\\/]/;
const LIKE_A_SENTENCE = /\p{L} |\p{L}[.:,]? \p{L}| \p{L}/u;

/** Returns each template of the source with values in it, and each text of a card that has a `{value}`. */
function sentencesOfSource(): readonly Sentence[] {
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !ELSEWHERE.test(file))
    .flatMap((file) => {
      const text = readFileSync(join(source, file), 'utf8');
      const found: Sentence[] = [];
      const add = ({ start }: Node, words: readonly string[]) => {
        if (words.length > 1 && (SHOWN.test(file) || LIKE_A_SENTENCE.test(words.join(''))))
          found.push({ place: `${file}:${text.slice(0, start).split('\n').length}`, words });
      };
      visit(parseSync(file, text).program, (node) => {
        if (node.type === 'TemplateLiteral')
          add(
            node,
            node.quasis.map(({ value }) => value.cooked ?? ''),
          );
        else if (
          node.type === 'Literal' &&
          typeof node.value === 'string' &&
          /^core[\\/]rules[\\/]cards[\\/]/.test(file)
        )
          add(node, node.value.split(/\{\w+\}/));
      });
      return found;
    });
}

function visit(value: unknown, look: (node: Node) => void): void {
  if (value === null || typeof value !== 'object') return;
  if (!Array.isArray(value) && 'type' in value) look(value as Node);
  for (const child of Object.values(value)) visit(child, look);
}

const row = (text: string) => ({ label: text, description: text, detail: text });
const question = (text: string) => ({ title: text, placeHolder: text });

/** Sends a text through every parameter of each door of the voice. */
const DOORS: Readonly<Record<keyof typeof voice, (text: string) => unknown>> = {
  inform: (text) => voice.inform(text, text),
  warn: (text) => voice.warn(text, text),
  showError: (text) => voice.showError(text, text),
  notify: (text) => voice.notify('information', text),
  askFirst: (text) => voice.askFirst({ message: text, detail: [text, text] }, text),
  isAgreed: (text) => voice.isAgreed(text, text, text),
  sayInStatusBar: (text) => voice.sayInStatusBar('pass', text, 1),
  withProgress: (text) => voice.withProgress(text, { location: 'window' }, async (report) => report(text)),
  pickOne: async (text) => {
    await voice.pickOne([{ ...row(text), icon: 'error' }], question(text));
    await voice.pickOne(Promise.resolve([row(text)]), question(text));
  },
  pickSome: (text) => voice.pickSome([row(text), { label: text, isHeading: true }], question(text)),
  searchBox: (text) => void voice.searchBox([row(text)], { ...question(text), value: '', changed: () => {} }),
  askText: (text) => voice.askText({ ...question(text), prompt: text, problem: () => text }),
  openTerminal: (text) => voice.openTerminal(text, {}),
  StatusItem: (text) =>
    new voice.StatusItem('id', 'Unstuck').show({
      icon: 'pulse',
      text,
      label: text,
      isWarning: false,
      hover: [
        { text, icon: 'pulse' },
        { text, isStrong: true },
      ],
      command: { command: 'a', arguments: [] },
    }),
  Tree: (text) => {
    const command = { command: 'a', title: text };
    const all = { id: 'id', label: text, description: text, spoken: text, context: 'a', command };
    const tree = new voice.Tree<'line' | 'paragraphs'>('tree', {
      getChildren: () => [],
      row: (node) => ({ ...all, tooltip: node === 'line' ? text : [{ text }] }),
      hover: () => [{ text, icon: 'folder' }],
    });
    tree.sayAbove(text);
    tree.setBadge(1, text);
  },
};

/** Returns every text that VS Code got, including those of callbacks and providers. */
function given(): readonly (string | MarkdownString)[] {
  const texts: (string | MarkdownString)[] = [];
  const collect = (value: unknown): void => {
    if (typeof value === 'string' || value instanceof MarkdownString) texts.push(value);
    else if (Array.isArray(value)) value.forEach(collect);
    else if (value !== null && typeof value === 'object') Object.values(value).forEach(collect);
  };
  const { shown, picks, options, passing, trees, item, boxes } = editor;
  collect([shown, picks, options, passing, item]);
  for (const { title, placeholder, items } of boxes)
    collect([title, placeholder, items.map((one) => ({ ...one, row: undefined }))]);
  for (const one of options as { validateInput?: (text: string) => unknown }[]) collect(one.validateInput?.(''));
  for (const { provider, message, badge } of trees) {
    const rows = (['line', 'paragraphs'] as const).map((node) => provider.getTreeItem(node));
    // The tooltip of a row is made again when the pointer rests on it.
    collect([rows.map((one) => Object.entries(one)), message, badge]);
    for (const one of rows) collect(Object.entries(provider.resolveTreeItem?.(one, 'line') ?? {}));
  }
  return texts;
}

/** Returns what VS Code would do with a text besides showing it, or null for nothing. The first icon may be ours. */
function effectOf(text: string | MarkdownString): string | null {
  if (text instanceof MarkdownString) {
    const paragraphs = text.value.split('\n\n').map((one) => one.replace(/^\$\((?:pulse|folder)\) /, ''));
    const bare = paragraphs.map((one) => one.replace(/^\*\*(.*)\*\*$/s, '$1'));
    const isEscaped = (one: string) => /^(?:\\[!-/:-@[-`{-~]|&#36;|&lt;|&amp;|[^!-/:-@[-`{-~])*$/.test(one);
    return bare.every(isEscaped) ? hiddenIn(text.value, 4_000) : 'markup';
  }
  const own = text.replace(/^\$\((?:pass|pulse|error)\) /, '');
  if (/\]\(/.test(own)) return 'link';
  if (/\$\(/.test(own)) return 'icon';
  if (/:\/\/|www\.|\w@\w/i.test(own)) return 'address';
  return hiddenIn(text, 20_000);
}

function hiddenIn(text: string, most: number): string | null {
  if (/[\p{Cc}\p{Cs}\p{Bidi_Control}]/u.test(text.replaceAll('\n', ''))) return 'hidden character';
  return text.length > most ? 'length' : null;
}

describe('every sentence that takes a value', () => {
  const sentences = sentencesOfSource();
  beforeEach(resetEditor);

  it('is found in the source', () => {
    console.log(`${sentences.length} sentences take a value`);
    const wings = new Set(sentences.map(({ place }) => place.split(/[\\/]/)[0]));
    for (const wing of ['editor', 'core', 'recover']) expect([...wings]).toContain(wing);
    const terminal = sentences.find(
      ({ words }) => words.join('{}') === '{} does not run in a terminal of this window.',
    );
    expect(terminal?.place).toMatch(/^editor[\\/]recovery[\\/]/);
  });

  it('passes through every function that shows text', () => {
    expect(Object.keys(DOORS).sort()).toEqual(Object.keys(voice).sort());
  });

  it.each(Object.keys(DOORS) as (keyof typeof voice)[])('reaches VS Code as plain words through %s', async (door) => {
    const wrong: string[] = [];
    for (const { place, words } of sentences) {
      for (const [kind, name] of Object.entries(NAMES)) {
        resetEditor();
        await DOORS[door](words.join(name));
        const texts = given();
        expect(texts.length).toBeGreaterThan(0);
        for (const text of texts) {
          const effect = effectOf(text);
          if (effect !== null) wrong.push(`${place}: ${effect} of a name ${kind}`);
        }
      }
    }
    expect(wrong.slice(0, 10)).toEqual([]);
  });
});
