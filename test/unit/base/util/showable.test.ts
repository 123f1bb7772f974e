import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { oneLine as subjectLine } from '../../../../src/agents/shared/decode';
import { launchPrompt } from '../../../../src/agents/launch';
import { printScanned } from '../../../../src/cli/scan-print';
import { snippetLine as snippet } from '../../../../src/detect/sayings/snippet';
import type { ScannedSession } from '../../../../src/engine/scan';
import { titleOf } from '../../../../src/engine/session/title';
import { fenced, quotedLine as quoted } from '../../../../src/recover/quote';
import { cleanLine, cleanText, signs, signsInLine, withoutEscapes } from '../../../../src/base/util/showable';

/** Characters hidden in transcripts, how a person sees them, and what a prompt keeps of them. */
const TABLE: readonly (readonly [name: string, text: string, shown: string, kept: string])[] = [
  ['a NUL', 'a\u0000b', 'a␀b', 'ab'],
  ['a bell', 'a\u0007b', 'a␇b', 'ab'],
  ['DEL', 'a\u007fb', 'a␡b', 'ab'],
  ['C1 controls', 'a\u0085b\u0090c', 'a\ufffdb\ufffdc', 'a bc'],
  ['a colour', 'a\u001b[1;31mred\u001b[0mb', 'a␛[1;31mred␛[0mb', 'aredb'],
  ['a colour in one byte', 'a\u009b31mred', 'a\ufffd31mred', 'ared'],
  ['a terminal title', 'a\u001b]0;evil\u0007b', 'a␛]0;evil␇b', 'ab'],
  ['a link', '\u001b]8;;http://x\u001b\\here\u001b]8;;\u001b\\b', '␛]8;;http://x␛\\here␛]8;;␛\\b', 'hereb'],
  ['a title that never ends', 'a\u001b]0;rest', 'a␛]0;rest', 'a0;rest'],
  ['a character set', 'a\u001b(0b', 'a␛(0b', 'ab'],
  ['a direction override', 'a\u202egnp.exe', 'a\ufffdgnp.exe', 'agnp.exe'],
  ['direction isolates', 'a\u2066b\u2069', 'a\ufffdb\ufffd', 'ab'],
  ['direction marks', 'a\u200e\u200f\u061cb', 'a\ufffd\ufffd\ufffdb', 'ab'],
  ['zero width', 'a\u200bb\u2060c\ufeffd', 'a\ufffdb\ufffdc\ufffdd', 'abcd'],
  ['joiners between Latin letters', 'a\u200cb\u200dc', 'a\ufffdb\ufffdc', 'abc'],
  ['invisible operators', 'a\u2061\u2064b', 'a\ufffd\ufffdb', 'ab'],
  ['deprecated format characters', 'a\u206a\u206fb', 'a\ufffd\ufffdb', 'ab'],
  ['a soft hyphen', 'a\u00adb', 'a\ufffdb', 'ab'],
  ['a Mongolian separator', 'a\u180eb', 'a\ufffdb', 'ab'],
  ['fillers', 'a\u115f\u3164\u034fb', 'a\ufffd\ufffd\ufffdb', 'ab'],
  ['tag characters', 'a\u{e0001}\u{e0068}\u{e007f}b', `a${'\ufffd'.repeat(6)}b`, 'ab'],
  ['variation selectors after a letter', 'a\ufe0f\ufe00\u{e0100}b', `a${'\ufffd'.repeat(4)}b`, 'ab'],
  ['half a surrogate pair', 'a\ud800b', 'a\ufffdb', 'ab'],
  ['an emoji with its selector', 'a ❤\ufe0f b', 'a ❤\ufe0f b', 'a ❤\ufe0f b'],
  ['an emoji of several', 'a 👩🏽\u200d💻 b', 'a 👩🏽\u200d💻 b', 'a 👩🏽\u200d💻 b'],
  ['Persian with its joiner', 'می\u200cخواهم', 'می\u200cخواهم', 'می\u200cخواهم'],
];

describe.each(TABLE)('%s', (_, text, shown, kept) => {
  it('becomes a visible sign in the panel and in the trees', () => {
    expect(signs(text)).toBe(shown);
    expect(signsInLine(text)).toBe(shown);
  });

  it('is a sign in the subject of a call', () => {
    expect(subjectLine(text)).toBe(shown);
  });

  it('becomes a visible sign in the terminal', () => {
    expect(printed(text)).toContain(`  ${shown}\n`);
  });

  it('is removed from a detector’s snippet', () => {
    expect(snippet(text)).toBe(kept);
  });

  it('is removed from quotes, titles and prompts', () => {
    expect(quoted(text)).toBe(kept);
    expect(titleOf(text)).toBe(kept);
    expect(launchPrompt(text)).toBe(cleanText(text));
    expect(fenced(text)).toBe(`\`\`\`\n${cleanText(text)}\n\`\`\``);
    expect(cleanLine(text)).toBe(kept);
  });
});

it('lines and tabs stay in texts and are removed from lines', () => {
  expect(signs('a\tb\r\nc')).toBe('a\tb \nc');
  expect(signsInLine('a\tb\nc')).toBe('a b c');
  expect(cleanText('a\tb\r\nc')).toBe('a\tb\nc');
  expect(cleanLine(' a\tb\r\n\nc ')).toBe('a b c');
});

it('signs keep the position of every character, so that ranges stay valid', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(signs(text)).toHaveLength(text.length);
      expect(signs(text)).not.toMatch(HIDDEN);
      expect(cleanText(text)).not.toMatch(HIDDEN);
    }),
  );
});

it('a quote redacts a secret that an invisible character splits', () => {
  expect(quoted('key ghp_abcdefghijkl\u200bmnopqrstuvwxyz0123456789')).toBe('key [redacted]');
});

it('many unfinished escape sequences are read once', () => {
  const text = '\u001b]0;'.repeat(20_000);
  expect(withoutEscapes(text)).toBe('0;'.repeat(20_000));
});

const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

/** The output of `unstuck scan` about a session with this title. */
function printed(title: string): string {
  let text = '';
  const output = { line: (line: string) => (text += `${line}\n`), note: () => undefined, isTerminal: true };
  const session: Partial<ScannedSession> = {
    agentName: 'Codex',
    title,
    actions: 0,
    callMarkers: 0,
    skipped: [],
    incidents: [],
    hints: [],
    nearMisses: [],
    state: { kind: 'working' } as ScannedSession['state'],
  };
  printScanned(output, 'session.jsonl', session as ScannedSession, false);
  return text;
}
