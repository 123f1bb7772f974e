import { describe, expect, it } from 'vitest';
import { MOST, inertLine, inertMarkdown } from '../../../../src/editor/voice/inert';

/** Text that VS Code turns into links in a notification and in the prompt of an input box (its `parseLinkedText`), and into icons in lists. */
const LINK = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/gi;
const ICON = /(\\)?\$\([A-Za-z0-9-]+(?:~[A-Za-z]+)?\)/g;

const line = (text: string) => inertLine(text, MOST.sentence);
/** The text as a person sees it, without zero-width characters. */
const seen = (text: string) => line(text).replaceAll('\u2060', '');

describe('a line', () => {
  it.each([
    '[Quit](command:workbench.action.quit)',
    '“[[x]](https://evil.example)” is stuck',
    '[a](file:///etc/passwd "title")',
    '](](command:x)',
    '[two\nlines](command:x)',
  ])('has no link left of %j', (text) => {
    expect(line(text).match(LINK)).toBeNull();
  });

  it('has no icon left, not even from an escaped one', () => {
    expect(line('$(error) \\$(sync~spin) $$(bell)').match(ICON)).toBeNull();
  });

  it.each(['https://evil.example/a', 'WWW.evil.example', 'ftp://evil.example', 'someone@evil.example'])(
    'has no address left of %s',
    (text) => {
      expect(line(text)).not.toMatch(/:\/\/|www\.|\w@/i);
      expect(seen(text)).toBe(text);
    },
  );

  it.each([
    'app[1].ts',
    'foo(bar)',
    'cd $(pwd) && make',
    '[x](command:y)',
    'a[0] (b) gave the same result',
    'npm i @a/b',
  ])('reads as it was written: %s', (text) => {
    expect(seen(text)).toBe(text);
  });

  it('leaves ordinary words unchanged, to the last character', () => {
    for (const text of ['app[1].ts', 'foo(bar)', 'C:\\work\\x', 'pytest -q --tb=short', '$HOME/a (b) [c]'])
      expect(line(text)).toBe(text);
  });

  it('makes characters visible that would mislead the reader or end the line', () => {
    expect(line('a\u202etxt.exe\u0007\nb')).toBe('a\ufffdtxt.exe\u2407 b');
  });

  it('loses its middle if it is too long, so that our words around a name stay', () => {
    const text = line(`Restart ${'x'.repeat(10_000)} with feedback?`);
    expect(text).toHaveLength(MOST.sentence - 1);
    expect(text).toMatch(/^Restart x+…x+ with feedback\?$/);
  });
});

describe('a line of Markdown', () => {
  it('shows marks, links, tags, entities and icons as they are written', () => {
    expect(inertMarkdown('*a* [x](y) `c` # 1. -')).toBe('\\*a\\* \\[x\\]\\(y\\) \\`c\\` \\# 1\\. \\-');
    expect(inertMarkdown('<b> &amp; a|b')).toBe('&lt;b\\> &amp;amp\\; a\\|b');
    expect(inertMarkdown('$(bell)')).toBe('&#36;\\(bell\\)');
  });

  it('has no address that VS Code would detect on its own', () => {
    expect(inertMarkdown('https://evil.example www.evil.example a@evil.example')).toBe(
      'https\\:\\/\\/evil\\.example www\\.evil\\.example a\\@evil\\.example',
    );
  });

  it('has spaces where a line may break, and none at the ends', () => {
    expect(inertMarkdown('    the first line\n  and  more ')).toBe('the first line and more');
  });
});
