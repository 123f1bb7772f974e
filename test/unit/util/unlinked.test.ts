import { expect, it } from 'vitest';
import { unlinked } from '../../../src/util/showable';

/** What VS Code makes links of in a notification (its `parseLinkedText`). */
const LINK = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/gi;

it.each([
  '[Quit](command:workbench.action.quit)',
  '“[[x]](https://evil.example)” is stuck',
  '[a](file:///etc/passwd "title")',
  '](](command:x)',
])('no link is left of %s', (text) => {
  expect(unlinked(text).match(LINK)).toBeNull();
});

it('other texts stay as they are', () => {
  expect(unlinked('a[0] (b) gave the same result')).toBe('a[0] (b) gave the same result');
});
