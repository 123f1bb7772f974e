import { expect, it } from 'vitest';
import { markdownText } from '../../../src/ui/markdown';

it('keeps blanks that a line may break at', () => {
  expect(markdownText('the first line\n  and  more')).toBe('the first line and more');
});

it('shows marks, links, tags, entities and icons as they are written', () => {
  expect(markdownText('*a* [x](y) `c` # 1. -')).toBe('\\*a\\* \\[x\\]\\(y\\) \\`c\\` \\# 1\\. \\-');
  expect(markdownText('<b> &amp; a|b')).toBe('&lt;b\\> &amp;amp; a\\|b');
  expect(markdownText('$(bell)')).toBe('&#36;\\(bell\\)');
});
