import { describe, expect, it } from 'vitest';
import { mayBreak, pieceOf, piecesOf } from '../../../../src/base/util/piece';
import { copied } from '../../../../src/base/util/text';

const TOKEN = `ghp_${'Ab1Cd2Ef3G'.repeat(4)}`.slice(0, 40);

describe('a piece of a text of which the rest is forgotten', () => {
  it('shows no half of a token, wherever the cut goes through it', () => {
    const text = `see ${TOKEN} there`;
    for (let cut = 5; cut < 4 + TOKEN.length; cut++) {
      expect(pieceOf(text, 0, cut)).toBe('see [redacted]');
      expect(pieceOf(text, cut, text.length)).toBe('[redacted] there');
    }
  });

  it('keeps what lies wholly within, since the text is redacted when it leaves', () => {
    const text = `see ${TOKEN} there`;
    expect(pieceOf(text, 0, text.length - 6)).toBe(`see ${TOKEN}`);
  });

  it('is a slice where no secret lies across its ends', () => {
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

  it('shows no half of a phrase in quotes that goes on in the next line', () => {
    const text = 'MNEMONIC="orbit canal velvet\nginger tulip marble"';
    expect(pieceOf(text, 0, text.indexOf('\n'))).not.toContain('velvet');
  });

  it('is empty where a secret covers all of it', () => {
    expect(pieceOf(TOKEN, 10, 20)).toBe('[redacted][redacted]');
  });

  it('looks around a cut only where letters and digits stand on both sides', () => {
    expect(mayBreak('one two', 3)).toBe(false);
    expect(mayBreak('internationalization', 9)).toBe(false);
    expect(mayBreak('Ab1Cd2Ef3Gh4', 6)).toBe(true);
    expect(mayBreak('Ab1Cd2Ef3Gh4', 0)).toBe(false);
  });

  it('is the very text where nothing is cut off', () => {
    expect(pieceOf(copied(TOKEN), 0, TOKEN.length)).toBe(TOKEN);
  });
});
