import { describe, expect, it } from 'vitest';
import { mayBreak, pieceOf, piecesOf } from '../../../../src/base/util/piece';
import { copied } from '../../../../src/base/util/text';

const TOKEN = `ghp_${'Ab1Cd2Ef3G'.repeat(4)}`.slice(0, 40);

describe('a piece of a text whose rest is forgotten', () => {
  it('shows no half of a token, wherever the text is cut', () => {
    const text = `see ${TOKEN} there`;
    for (let cut = 5; cut < 4 + TOKEN.length; cut++) {
      expect(pieceOf(text, 0, cut)).toBe('see [redacted]');
      expect(pieceOf(text, cut, text.length)).toBe('[redacted] there');
    }
  });

  it('keeps what is completely inside, since the text is redacted when it leaves', () => {
    const text = `see ${TOKEN} there`;
    expect(pieceOf(text, 0, text.length - 6)).toBe(`see ${TOKEN}`);
  });

  it('is a slice if no secret crosses its ends', () => {
    const text = 'error in module4of9 at line 12: expected 3 arguments';
    for (let cut = 0; cut <= text.length; cut++) {
      expect(pieceOf(text, 0, cut)).toBe(text.slice(0, cut));
      expect(pieceOf(text, cut, text.length)).toBe(text.slice(cut));
    }
  });

  it('shows no half of a token that the end of the line broke before the cut', () => {
    const text = `see ${TOKEN.slice(0, 20)}\n${TOKEN.slice(20)}\nthere`;
    expect(pieceOf(text, 0, 24)).toBe('see [redacted]');
    expect(piecesOf(text, 0, text.length)).toBe('see [redacted]\nthere');
  });

  it('shows no half of a quoted phrase that continues in the next line', () => {
    const text = 'MNEMONIC="orbit canal velvet\nginger tulip marble"';
    expect(pieceOf(text, 0, text.indexOf('\n'))).not.toContain('velvet');
  });

  it('is empty if a secret covers all of it', () => {
    expect(pieceOf(TOKEN, 10, 20)).toBe('[redacted][redacted]');
  });

  it('looks around a cut only if letters and digits are on both sides', () => {
    expect(mayBreak('one two', 3)).toBe(false);
    expect(mayBreak('internationalization', 9)).toBe(false);
    expect(mayBreak('Ab1Cd2Ef3Gh4', 6)).toBe(true);
    expect(mayBreak('Ab1Cd2Ef3Gh4', 0)).toBe(false);
  });

  it('is the same text if nothing is cut off', () => {
    expect(pieceOf(copied(TOKEN), 0, TOKEN.length)).toBe(TOKEN);
  });
});
