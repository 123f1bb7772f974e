import { type AST, RegExpParser } from '@eslint-community/regexpp';

/** Runs of characters that many patterns are slow on: each alone, and after what a pattern begins with. */
const CHARACTERS = [
  ' ',
  '\n',
  '\t',
  'a',
  'A',
  '0',
  '-',
  '/',
  '"',
  '[',
  '{',
  '<',
  '`',
  '.',
  ':',
  '_',
  '=',
  '\\',
  '\u00e9',
];
const MIXED = ['\r\n', 'a ', ' \n', 'a.', '{\n', '[]', '""', 'Aa0', '\\"', 'a=', '/a', '--', '..'];
/** The end of a text that makes the pattern give up and try again. */
const ENDS = ['', '\u0000', '\n!'];
/** A quantifier that takes fewer is no reason for a pattern to be slow. */
const MANY = 8;
/** This many pieces are combined of a pattern that has more. */
const PIECES = 8;

/** A text in parts, so that it can be made of any length. */
export interface Attack {
  readonly before: string;
  readonly pump: string;
  readonly after: string;
}

/**
 * Texts that a pattern may be slow on: runs of common characters, runs after what the pattern needs before each of its quantifiers (it backs up
 * through them), its beginning over and over (it searches to the end from each), and two of its pieces in turn. Some end with what it must not find.
 */
export function attacksOn(source: string, flags: string): readonly Attack[] {
  const attacks = new Map<string, Attack>();
  const add = (before: string, pump: string, after: string): void => {
    if (pump !== '') attacks.set(`${before}\u0001${pump}\u0001${after}`, { before, pump, after });
  };
  const pattern = parse(source, flags);
  const refused = refusedIn(pattern);
  const around = (before: string, pump: string): void => {
    for (const after of [...ENDS, ...refused]) add(before, pump, after);
  };
  for (const run of [...CHARACTERS, ...MIXED]) around('', run);
  const pieces = piecesOf(pattern).slice(0, PIECES);
  for (const one of pieces) for (const other of pieces) add('', one + other, '\u0000');
  for (const { before, body } of quantified(pattern)) {
    around(before, body);
    add('', before + body, '');
    add('', before, '');
    add('', `${before}${body}\n`, '');
    for (const run of CHARACTERS) {
      if (before !== '') add(before, run, '\u0000');
      add('', before + run, '');
    }
  }
  return [...attacks.values()];
}

function parse(source: string, flags: string): AST.Pattern {
  const parser = new RegExpParser({ ecmaVersion: 2025 });
  return parser.parsePattern(source, 0, source.length, {
    unicode: flags.includes('u'),
    unicodeSets: flags.includes('v'),
  });
}

/** Each quantifier that takes many, with a text that leads to it and one that it takes. */
function* quantified(pattern: AST.Pattern): Generator<{ readonly before: string; readonly body: string }> {
  function* visit(alternatives: readonly AST.Alternative[], lead: string): Generator<{ before: string; body: string }> {
    for (const { elements } of alternatives) {
      let before = lead;
      for (const element of elements) {
        if (element.type === 'Quantifier') {
          if (element.max >= MANY) yield { before, body: sample(element.element) };
          const inner = element.element;
          if ('alternatives' in inner) yield* visit(inner.alternatives, before);
        } else if ('alternatives' in element) yield* visit(element.alternatives, before);
        before += sample(element);
      }
    }
  }
  yield* visit(pattern.alternatives, '');
}

/** The pieces of a pattern: its words and its characters, each once, and the separators between words. */
function piecesOf(pattern: AST.Pattern): readonly string[] {
  const pieces = new Set<string>();
  const visit = (alternatives: readonly AST.Alternative[]): void => {
    for (const { elements } of alternatives) {
      let word = '';
      for (const element of elements) {
        if (element.type === 'Character') {
          word += sample(element);
          continue;
        }
        pieces.add(word);
        word = '';
        const inner = element.type === 'Quantifier' ? element.element : element;
        pieces.add(sample(inner));
        if ('alternatives' in inner) visit(inner.alternatives);
      }
      pieces.add(word);
    }
  };
  visit(pattern.alternatives);
  for (const between of [' ', '\n', '-', '.']) pieces.add(between);
  pieces.delete('');
  return [...pieces];
}

/** Text that a pattern must not find: when it meets that, it has to give up. */
function refusedIn(pattern: AST.Pattern): readonly string[] {
  const refused: string[] = [];
  const visit = (alternatives: readonly AST.Alternative[]): void => {
    for (const { elements } of alternatives)
      for (const element of elements) {
        const inner = element.type === 'Quantifier' ? element.element : element;
        if (inner.type === 'Assertion' && 'negate' in inner && inner.negate && 'alternatives' in inner)
          refused.push(...inner.alternatives.map((one) => one.elements.map(sample).join('')));
        if ('alternatives' in inner) visit(inner.alternatives);
      }
  };
  visit(pattern.alternatives);
  return [...new Set(refused)].filter((text) => text !== '').slice(0, 4);
}

/** A short text that the element matches. Elements that cannot be decided (back references, conditions) give the empty text. */
function sample(element: AST.Element | AST.QuantifiableElement): string {
  switch (element.type) {
    case 'Character':
      return String.fromCodePoint(element.value);
    case 'CharacterSet':
      return ofSet(element);
    case 'CharacterClass':
      return ofClass(element);
    case 'Quantifier':
      return sample(element.element).repeat(Math.min(element.min, 40));
    case 'Group':
    case 'CapturingGroup':
      return element.alternatives[0]?.elements.map(sample).join('') ?? '';
    default:
      return '';
  }
}

function ofSet(set: AST.CharacterSet): string {
  if (set.kind === 'any') return 'x';
  if (set.kind === 'digit') return set.negate ? 'x' : '7';
  if (set.kind === 'space') return set.negate ? 'x' : ' ';
  if (set.kind === 'word') return set.negate ? ' ' : 'x';
  return '\u00e9';
}

const PROBES = ['x', 'X', '7', ' ', '\n', '-', '/', '.', '"', '\u00e9', '\u0000', '~', '#'];

function ofClass(group: AST.CharacterClass): string {
  const { raw } = group;
  const flag = group.unicodeSets ? 'v' : 'u';
  for (const flags of [flag, '']) {
    try {
      const one = new RegExp(`^${raw}$`, flags);
      const found = PROBES.find((probe) => one.test(probe));
      if (found !== undefined) return found;
      break;
    } catch {
      // A class that the flag does not allow.
    }
  }
  const [first] = group.elements;
  if (first?.type === 'Character') return String.fromCodePoint(first.value);
  return first?.type === 'CharacterClassRange' ? String.fromCodePoint(first.min.value) : 'x';
}
