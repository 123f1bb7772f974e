import { partsOf, signsOf, toolOf } from '../stories/signs';
import { randomOf } from './random';
import { RUNNERS } from './runner';

/** One tool call with its result. */
export interface Call {
  readonly does: 'call';
  readonly tool: string;
  /** Text if the arguments are not JSON. */
  readonly args: Readonly<Record<string, unknown>> | string;
  readonly output: string;
  /** True if the record has the error flag. */
  readonly failed: boolean;
  /** The exit code of a command; absent where the record has none. */
  readonly code?: number | undefined;
  readonly seconds: number;
}

/** An act of an agent, a person or a program. Calls of one message are issued in parallel. */
export type Act =
  | { readonly does: 'message'; readonly calls: readonly Call[]; readonly resultsInReverse?: true }
  | { readonly does: 'prompt' | 'feedback' | 'text' | 'error'; readonly text: string }
  | { readonly does: 'pause'; readonly seconds: number }
  | { readonly does: 'compaction' | 'interruption' | 'turn end' | 'claim' | 'sub-agent' }
  /** All lines so far are written again. */
  | { readonly does: 'copies' };

/** A run of an agent: what happens once, and what repeats. */
export interface Run {
  readonly before: readonly Act[];
  readonly rounds: readonly (readonly Act[])[];
  readonly after: readonly Act[];
}

/**
 * Reads a line such as `U "Fix it." · ( E a.py · B "npm test" jest:same ) x9`. The signs are those of stories, and these:
 *
 *   S a.py =x         writes a whole file
 *   ~60s              the next call takes this long
 *   fail7:text        the output of a command that exits with 7
 *   jest:same         the same failing test; `moving`: its value moves; `others`: other tests, no fewer;
 *                     `slowly`: fewer now and then; `own`: a test named by this round's word;
 *                     `fewer`: eight failing ones in the first round, none in the ninth
 *   {one|two}         one of the texts, in random order
 *
 * In texts `%r` is the number of the round, `%d` nine minus that number, `%w` a word of the round, `%n` and `%x` other numbers and digits each
 * time, `%t` a clock time, `%l` a line feed, `%c` a tab, `%q` a quote.
 */
export function runOf(story: string): Run {
  const [, before = '', round = '', times = '', after = ''] =
    /^(?:([^]*?)·\s*)?\(([^]*)\)\s*x(\d+)(?:\s*·([^]*))?$/.exec(story.trim()) ?? [];
  if (round === '') throw new Error(`no round such as ( … ) x9: ${story}`);
  const files = new Map<string, string>();
  const count = Number(times);
  return {
    before: actsOf(before, 0, files),
    rounds: Array.from({ length: count }, (_, index) => actsOf(round, index + 1, files)),
    after: actsOf(after, count + 1, files),
  };
}

/** The acts of one round. `files`: the content of each file, which edits replace. */
export function actsOf(text: string, round: number, files: Map<string, string>): Act[] {
  const acts: Act[] = [];
  let seconds = 1;
  for (const sign of signsOf(filled(text, round))) {
    const time = /^([+~])(\d+)s$/.exec(sign);
    if (time?.[1] === '+') acts.push({ does: 'pause', seconds: Number(time[2]) });
    else if (time) seconds = Number(time[2]);
    else {
      acts.push(actOf(sign, round, files, seconds));
      seconds = 1;
    }
  }
  return acts;
}

function actOf(sign: string, round: number, files: Map<string, string>, seconds: number): Act {
  const { letter, subject, tail, rest } = partsOf(sign);
  const answer = answerOf(letter === 'P' || letter === 'T' ? rest : tail, round);
  const call = (tool: string, args: Call['args'], usual: string, isCommand = false): Act => {
    const { output = usual, code = 0 } = answer;
    return {
      does: 'message',
      calls: [{ does: 'call', tool, args, output, failed: code !== 0, seconds, ...(isCommand && { code }) }],
    };
  };
  const content = /^=(\S+)/.exec(tail)?.[1] ?? `version ${round}`;
  const held = files.get(subject) ?? 'version 0';
  switch (letter) {
    case 'R':
      return call('Read', { file_path: subject }, `1\tThis is ${held} of ${subject}.`);
    case 'E':
      if (answer.code)
        return call('Edit', { file_path: subject, old_string: `total = ${round}`, new_string: 'total' }, '');
      files.set(subject, content);
      return call(
        'Edit',
        { file_path: subject, old_string: held, new_string: content },
        `The file ${subject} has been updated.`,
      );
    case 'S':
      files.set(subject, content);
      return call('Write', { file_path: subject, content }, `The file ${subject} has been written.`);
    case 'B':
      return call('Bash', { command: subject }, 'done', true);
    case 'G':
      return call('Grep', { pattern: subject }, 'No matches found');
    case 'M': {
      const args = JSON.parse(tail.replace(/\s*(?:fail|ok):[^]*$/, '')) as Record<string, unknown>;
      return call(toolOf(subject, args), args, 'done');
    }
    case 'P': {
      const title = rest.startsWith('=same') ? 'Fix the cart' : `Part ${round}`;
      return call(
        'TodoWrite',
        { todos: [{ content: title, status: 'completed', activeForm: title }] },
        'Todos have been modified',
      );
    }
    case 'T':
      return call(
        'Task',
        { description: `Part ${round}`, prompt: `Look at part ${round}`, subagent_type: 'reviewer' },
        'Done.',
      );
    case 'V':
      return call('Bash', '{"command": "ls', 'the arguments are not valid JSON');
    case 'U':
      return { does: 'prompt', text: subject };
    case 'F':
      return { does: 'feedback', text: subject };
    case 'A':
      return { does: 'text', text: subject };
    case 'X':
      return { does: 'error', text: subject };
    case 'C':
      return { does: 'compaction' };
    case 'I':
      return { does: 'interruption' };
    case 'D':
      return { does: 'claim' };
    case '.':
      return { does: 'turn end' };
    default:
      throw new Error(`no such sign: ${sign}`);
  }
}

/** Reads the result of a call from its sign, if it has one: its exit code is 0 unless it fails. */
function answerOf(tail: string, round: number): { readonly output?: string; readonly code?: number } {
  const [, how = '', code = '', said = ''] = /(?:^|\s)(ok|fail|jest)(\d*):([^]*)$/.exec(tail) ?? [];
  const text = said.replace(/^"([^]*)"$/, '$1').replaceAll('_', ' ');
  if (how === 'jest') {
    const runner = RUNNERS[text];
    if (!runner) throw new Error(`no such test run: jest:${text}`);
    const output = runner(round);
    return { output, code: output.includes('FAIL') ? 1 : 0 };
  }
  if (how === '') return {};
  return {
    output: text.replaceAll('%l', '\n').replaceAll('%c', '\t').replaceAll('%q', '"'),
    code: how === 'ok' ? 0 : Number(code || 1),
  };
}

export const WORDS = [
  'cart',
  'tax',
  'total',
  'order',
  'price',
  'stock',
  'coupon',
  'invoice',
  'parcel',
  'refund',
  'seller',
  'buyer',
  'basket',
].concat([
  'ledger',
  'margin',
  'voucher',
  'freight',
  'discount',
  'customs',
  'receipt',
  'deposit',
  'payment',
  'address',
  'country',
  'region',
  'account',
]);

export function filled(text: string, round: number, index = 0): string {
  const random = randomOf(`${round} ${index} ${text}`);
  const digits = (count: number): string =>
    Array.from({ length: count }, () => Math.floor(random() * 16).toString(16)).join('');
  return text
    .replace(/\{([^{}|]*(?:\|[^{}|]*)+)\}/g, (_, texts: string) => {
      const all = texts.split('|');
      return all[Math.floor(random() * all.length)] ?? '';
    })
    .replaceAll('%r', String(round))
    .replaceAll('%d', String(Math.max(0, 9 - round)))
    .replaceAll('%w', WORDS[round % WORDS.length] ?? '')
    .replaceAll('%n', () => String(100 + Math.floor(random() * 900)))
    .replaceAll('%x', () => digits(8))
    .replaceAll('%t', () => `12:${String(10 + round)}:${String(10 + Math.floor(random() * 50))}`);
}
