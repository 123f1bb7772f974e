import { unmarked } from '../../support/pseudo-locale.ts';

/** What comes from a transcript or names something: code, results, what a person wrote, titles. */
const DATA = 'code, pre, textarea, kbd, .icon, h1, .facts span:not(.pill), [data-own]';

/**
 * The texts of a page in the pseudo-locale that are in no bundle: those between elements in the order in which they stand, because a sentence
 * may have code within its marks; then what only a screen reader or a tooltip says.
 * @param {import('playwright-core').Page | import('playwright-core').Frame} page
 * @param {RegExp} data texts that are no words of ours
 */
export async function forgotten(page, data) {
  const { texts, names } = await page.evaluate((dataOf) => {
    const texts = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement;
      if (!element || element.closest(`script, style, ${dataOf}`)) continue;
      texts.push(node.data);
    }
    const names = [...document.body.querySelectorAll('*')].flatMap((element) =>
      element.matches('h1, .ellipsis, .facts *')
        ? [element.getAttribute('aria-label') ?? '']
        : ['aria-label', 'title', 'placeholder', 'aria-valuetext'].map((name) => element.getAttribute(name) ?? ''),
    );
    return { texts, names };
  }, DATA);
  const isOurs = (/** @type {string} */ text) => /\p{L}{2}/u.test(text.replaceAll(data, ''));
  return [...unmarked(texts.join('\u0000\n')), ...names.flatMap(unmarked)]
    .flatMap((piece) => piece.split('\u0000'))
    .map((piece) => piece.trim())
    .filter(isOurs);
}
