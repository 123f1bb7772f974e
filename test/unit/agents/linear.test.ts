import { runInThisContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { viewedResult } from '../../../src/agents/atif/viewer';
import { mayBelong as claudeFolder } from '../../../src/agents/claude-code/locate';
import { commandText } from '../../../src/agents/claude-code/prompt';
import { xmlCalls } from '../../../src/agents/cline/xml-tools';
import { readCodexConfig } from '../../../src/agents/codex/bridge-trust';
import { readResult } from '../../../src/agents/gemini/result';
import { mayBelong as qwenFolder } from '../../../src/agents/qwen/locate';
import { registry } from '../../../src/agents/registry';
import { cutTags, isOwnMessage, withoutEnd } from '../../../src/agents/shared/decode';
import { decodeAny } from './fuzz';

/** Anything that runs longer hangs: linear work on these texts takes milliseconds, quadratic work tens of seconds. */
const HANG_MS = 5000;

/** Runs a function that V8 interrupts when it hangs, even inside a regular expression. */
function finishes<T>(run: () => T): T {
  const shared = globalThis as { guarded?: () => T };
  shared.guarded = run;
  return runInThisContext('guarded()', { timeout: HANG_MS }) as T;
}

const HEAD = 65_536;
const LONG = 1_000_000;
const fill = (piece: string, length: number): string => piece.repeat(Math.ceil(length / piece.length)).slice(0, length);

const PIECES = [
  '\n',
  '\r\n',
  ' ',
  '\t\n',
  '{\n',
  '{"',
  '{"type":"',
  '[',
  '<a>',
  '```\n',
  'mini-swe-agent\u001b[0m',
  '\u001b[m',
];
const PATHS = ['/x/session.jsonl', '/x/agent.log', '/x/trajectory.json', '/x/rollout-1.jsonl', '/x/a.messages.json'];

describe('a file that was put into a repository cannot freeze the editor', () => {
  const adapters = registry.map((adapter) => ({ name: `${adapter.id}, ${adapter.unit}`, adapter }));

  it.each(adapters)('$name inspects any head in time linear in its length', ({ adapter }) => {
    for (const piece of PIECES) {
      for (const opening of ['', '{', '[{', 'mini-swe-agent', '{"sessionId":"a","messages":[']) {
        const head = opening + fill(piece, HEAD);
        for (const file of PATHS) {
          const verdict = finishes(() => adapter.recognises(head, file));
          expect(['yes', 'maybe', 'no']).toContain(verdict);
          expect(finishes(() => adapter.peek(head, file))).toBeTypeOf('object');
        }
      }
    }
  });

  it.each(adapters.filter(({ adapter }) => adapter.unit !== 'database'))(
    '$name decodes any line in time that grows with its length',
    ({ adapter }) => {
      for (const piece of PIECES) {
        const decoded = finishes(() => decodeAny(adapter, [fill(piece, HEAD)]));
        expect(decoded.events.length + decoded.problems.length).toBeLessThan(HEAD * 2);
      }
    },
  );
});

describe('texts that agents write are read in linear time', () => {
  it('in an observation of line breaks in a trajectory', () => {
    const text = fill('\n', LONG);
    expect(finishes(() => viewedResult(`${text}x`).output)).toHaveLength(LONG + 1);
    expect(finishes(() => viewedResult(`a${text}[error] tool reported failure\n`))).toEqual({
      output: 'a',
      isError: true,
    });
    expect(finishes(() => viewedResult(fill('[metadata] {', LONG)).isError)).toBe(false);
    expect(finishes(() => viewedResult(fill('\n[stdout]', LONG)).isError)).toBe(false);
  });

  it('in a result of Gemini CLI with blanks, and with tags that are never closed', () => {
    for (const text of [`${fill(' ', LONG)}x`, fill('<hook_context>', LONG), fill('</untrusted_context> ', LONG)])
      expect(finishes(() => readResult(text, { error: true }).result.isError)).toBe(true);
  });

  it('in a slash command, a call written as XML, and a message of ours', () => {
    const blanks = fill(' ', LONG);
    expect(finishes(() => commandText(`<command-name>${blanks}`))).toContain('<command-name>');
    expect(finishes(() => commandText(fill('<command-args>', LONG)))).toHaveLength(LONG);
    expect(finishes(() => xmlCalls(`<read_file>${fill('<a>', LONG)}</read_file>`).calls)).toHaveLength(1);
    expect(finishes(() => isOwnMessage(`[unstuck ${'0'.repeat(26)}]${fill('</a>', 360)}x`))).toBe(false);
  });

  it('in folders that end in slashes, and settings of Codex', () => {
    const folder = `${fill('/', LONG)}x`;
    expect(finishes(() => claudeFolder('-x', [folder]))).toBe(false);
    expect(finishes(() => qwenFolder('-x', [folder]))).toBe(false);
    expect(finishes(() => readCodexConfig(`[${fill(']#', LONG)}\u2028\na =${fill(' ', LONG)}b`).hooksOff)).toBe(false);
  });
});

describe('the part that is cut from a text', () => {
  it('is every passage between two tags, with the given lines and blanks around it', () => {
    const text = 'a\n\n\n<t>one</t> \n b<t>two</t>c<t>open';
    expect(cutTags(text, '<t>', '</t>')).toEqual({ rest: 'a\n\n\n \n bc<t>open', inside: ['one', 'two'] });
    expect(cutTags(text, '<t>', '</t>', { linesBefore: 2, blanksAfter: true }).rest).toBe('a\nbc<t>open');
  });

  it('is the end, as far as it consists of the named characters', () => {
    expect(withoutEnd('C:\\a/\\', '/\\')).toBe('C:\\a');
    expect(withoutEnd('a', '/')).toBe('a');
    expect(withoutEnd('//', '/')).toBe('');
  });
});
