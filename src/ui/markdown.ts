const SYNTAX = /[\\`*_{}[\]()#+\-.!~|>]/g;

/**
 * A text as Markdown that shows it as it is, in one paragraph. `MarkdownString.appendText` makes each blank one that does not break, so
 * that tooltips break inside of words.
 */
export function markdownText(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(SYNTAX, '\\$&')
    .replaceAll('$', '&#36;')
    .replace(/\s+/g, ' ');
}
