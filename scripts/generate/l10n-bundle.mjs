import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';

const source = resolve(dirname(fileURLToPath(import.meta.url)), '../../src');

/** Tags of templates that are translated, and functions whose tables are: see src/util/l10n.ts. */
const TAGS = ['t', 'say', 'english'];
const TABLES = ['texts', 'englishTexts'];

/** Every English text that has a translation: those of the source, and the words of the rules. */
export function l10nBundle({ CARDS, PIECES }) {
  const keys = new Set([...keysOfSource(), ...Object.values(PIECES), ...CARDS.flatMap(keysOfCard)].filter(hasWords));
  // The order of code units, which is the same on every machine.
  const sorted = [...keys].sort((a, b) => (a < b ? -1 : 1));
  const bundle = Object.fromEntries(sorted.map((key) => [key, key]));
  return [{ path: 'l10n/bundle.l10n.json', text: `${JSON.stringify(bundle, null, 2)}\n` }];
}

/** Something to translate stands in it, besides values. */
export function hasWords(key) {
  return /[\p{L}“]/u.test(key.replace(/\{\w+\}/g, ''));
}

function keysOfCard({ words, wordsForSubject, rules, counts, extras, strategy }) {
  const all = [words, wordsForSubject?.words, ...Object.values(rules ?? {}).map((rule) => rule.words)];
  // What is said to the agent stays English.
  const shown = all.flatMap((one) => (one === undefined ? [] : [{ ...one, nudge: undefined, toast: toastText(one) }]));
  return [...stringsIn(shown), counts, ...Object.values(extras).map(({ text }) => text), strategy.why];
}

/** Its buttons are named in words/surfaces/notifications.ts. */
function toastText({ toast }) {
  return toast && { ...toast, buttons: undefined };
}

function stringsIn(value) {
  if (typeof value === 'string') return [value];
  return value === null || typeof value !== 'object' ? [] : Object.values(value).flatMap(stringsIn);
}

function keysOfSource() {
  const keys = [];
  for (const entry of readdirSync(source, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.ts')) continue;
    const path = join(entry.parentPath, entry.name);
    const { program, errors } = parseSync(path, readFileSync(path, 'utf8'));
    if (errors.length > 0) throw new Error(`${path} cannot be parsed`);
    collect(program, keys);
  }
  return keys;
}

function collect(node, keys) {
  if (node === null || typeof node !== 'object') return;
  if (Array.isArray(node)) {
    for (const one of node) collect(one, keys);
    return;
  }
  if (node.type === 'TaggedTemplateExpression' && TAGS.includes(node.tag.name)) keys.push(keyOf(node.quasi.quasis));
  if (node.type === 'CallExpression' && TABLES.includes(node.callee.name)) keys.push(...literalsIn(node.arguments));
  for (const value of Object.values(node)) collect(value, keys);
}

/** As src/util/l10n.ts makes it. */
function keyOf(quasis) {
  const texts = quasis.map(({ value }) => value.cooked);
  return texts.reduce((key, text, index) => `${key}{${index - 1}}${text}`).replaceAll(/\{(\d+)\}\{\1:/g, '{$1:');
}

/** The texts of a table, without the names of its fields. */
function literalsIn(node) {
  if (Array.isArray(node)) return node.flatMap(literalsIn);
  switch (node?.type) {
    case 'Literal':
      return typeof node.value === 'string' ? [node.value] : [];
    case 'ObjectExpression':
      return node.properties.flatMap((property) => (property.type === 'Property' ? literalsIn(property.value) : []));
    case 'ArrayExpression':
      return node.elements.flatMap(literalsIn);
    default:
      return [];
  }
}
