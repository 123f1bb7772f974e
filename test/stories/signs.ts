import { describeCall } from '../../src/agents/shared/decode/tools';
import type { ToolKind } from '../../src/core/model';

/** Words before a tool's name that say what it does; without one it acts, and is unknown to every table. */
const KINDS: Readonly<Record<string, ToolKind>> = {
  look: 'looked',
  change: 'changed',
  wait: 'waited',
  delegate: 'delegated',
};

/**
 * Returns the name of a tool drawn as `look:screenshot` or `send_keys`. Throws for a name that decoders take for something else: the story would be
 * silent, or alarm, for another reason than the drawn one.
 */
export function toolOf(drawn: string, args: unknown): string {
  const [, word = '', name = ''] = /^(?:([a-z]+):)?(.+)$/.exec(drawn) ?? [];
  const kind = word === '' ? 'other' : KINDS[word];
  const known = describeCall(name, args).kind;
  if (known !== kind) throw new Error(`${drawn}: decoders know this tool as "${known}"`);
  return name;
}

/** One sign of a drawing, split into its letter, its subject, and the rest. */
export interface Sign {
  readonly letter: string;
  readonly subject: string;
  readonly tail: string;
  /** Everything after the letter. */
  readonly rest: string;
}

export function partsOf(sign: string): Sign {
  const [, letter = '', rest = ''] = /^(\S+)\s*([\s\S]*)$/.exec(sign) ?? [];
  const quoted = /^"([^"]*)"\s*/.exec(rest);
  const bare = rest.split(' ')[0] ?? '';
  const subject = quoted ? (quoted[1] ?? '') : letter === 'M' ? bare : bare.replaceAll('_', ' ');
  const tail = quoted ? rest.slice(quoted[0].length) : rest.slice(bare.length).trim();
  return { letter, subject, tail, rest };
}

/** The signs of a drawing in order, with repetitions written out. */
export function signsOf(text: string): string[] {
  const repeated = /\(([^()]*)\)\s*x(\d+)/;
  let whole = text;
  for (let found = repeated.exec(whole); found; found = repeated.exec(whole)) {
    const once = ` · ${found[1]} · `;
    whole = whole.slice(0, found.index) + once.repeat(Number(found[2])) + whole.slice(found.index + found[0].length);
  }
  // text in quotes is not syntax
  return whole
    .split('"')
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll('[', ' · [ · ').replaceAll(']', ' · ] · ')))
    .join('"')
    .split(/\s*[·\n]\s*/)
    .map((sign) => sign.trim())
    .filter((sign) => sign !== '');
}
