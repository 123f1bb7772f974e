/** README.md as the package holds it. */

/** A link or picture whose target is no address, and no place on the page itself. */
const RELATIVE = /(!?)\[([^\]]{1,300})\]\((?!https?:|mailto:|#)([^)\s]{1,300})\)/g;

/** A line that holds such a picture as HTML. */
const PICTURE = /^<img src="(?!https:)[^"]{1,300}"[^>]{0,300}>$/;

/**
 * The page of an installed extension follows no link into the package, and shows no picture of it: a link to a page of docs/ becomes its name, for
 * *Unstuck: Open Documentation…*, and a picture goes, with the line that it has for itself.
 *
 * @param {string} text of README.md
 */
export function packagedReadme(text) {
  return text
    .split('\n')
    .map((line) => [line, PICTURE.test(line) ? '' : line.replace(RELATIVE, withoutLink)])
    .filter(([before, after]) => after !== '' || before === '')
    .map(([, after]) => after)
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n');
}

function withoutLink(
  /** @type {string} */ _,
  /** @type {string} */ picture,
  /** @type {string} */ words,
  /** @type {string} */ target,
) {
  if (picture !== '') return '';
  const [page = ''] = target.split('#');
  return words === page ? `*${page}*` : `${words} (*${page}*)`;
}
