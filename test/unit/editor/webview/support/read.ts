/**
 * A page as a person meets it, without a browser: the words of a lit template line by line, and its buttons, which can be pressed. What is hidden
 * from screen readers is left out. A button reads `[Nudge]`, and a disabled one `[Nudge] (off)`.
 */

interface Template {
  readonly _$litDirective$?: unknown;
  readonly strings: readonly string[];
  readonly values: readonly unknown[];
}
type Handler = (event: unknown) => void;

export interface Page {
  readonly lines: readonly string[];
  /** Names of the buttons, in order, as a screen reader reads them. */
  readonly buttons: readonly string[];
  /** Presses the first button with this name. Throws if there is none. */
  readonly press: (name: string) => void;
  /** Fires an event at the first element that matches: by its tag, `.class` or `#id`. */
  readonly fire: (which: string, type: string, event?: object) => void;
  readonly attributes: (which: string) => Readonly<Record<string, string>>;
}

/** Elements inside a line of words. */
const APART = new Set(['dd', 'dt', 'td', 'th']);
const INLINE = new Set([...APART, 'span', 'code', 'strong', 'button', 'kbd', 'i', 'svg', 'rect', 'h1']);

export function read(template: unknown): Page {
  const handlers: { readonly type: string; readonly run: Handler }[] = [];
  const markup = markupOf(template, handlers);
  const lines: string[] = [];
  const elements: { tag: string; attributes: Record<string, string> }[] = [];
  const buttons: { readonly name: string; readonly attributes: Record<string, string> }[] = [];
  let line = '';
  let hidden = 0;
  let isAfterEnd = false;
  let button: { words: string; attributes: Record<string, string> } | undefined;
  const end = () => {
    const words = line.replace(/\s+/g, ' ').trim();
    if (words !== '') lines.push(words);
    line = '';
  };
  for (const [token] of markup.matchAll(/<[^>]*>|[^<]+/g)) {
    const [, slash, tag = '', rest = ''] = /^<(\/?)([\w-]+)([\s\S]*?)\/?>$/.exec(token) ?? [];
    if (tag === '') {
      if (hidden > 0) continue;
      if (button) button.words += plain(token);
      else line += plain(token);
    } else if (slash === '') {
      const attributes = attributesOf(rest);
      elements.push({ tag, attributes });
      const isHidden = attributes['aria-hidden'] === 'true' || 'hidden' in attributes;
      if (hidden > 0 || isHidden) hidden += isVoid(tag) ? 0 : 1;
      else if (tag === 'button') button = { words: '', attributes };
      else if (!INLINE.has(tag)) end();
      else if (APART.has(tag) || isAfterEnd) line += ' ';
    } else if (hidden > 0) hidden--;
    else if (tag === 'button' && button) {
      const words = button.words.replace(/\s+/g, ' ').trim();
      const { attributes } = button;
      const isOff = 'disabled' in attributes || attributes['aria-disabled'] === 'true';
      line += ` [${words === '' ? attributes['aria-label'] : words}]${isOff ? ' (off)' : ''} `;
      buttons.push({ name: attributes['aria-label'] ?? words, attributes });
      button = undefined;
    } else if (!INLINE.has(tag)) end();
    isAfterEnd = slash === '/';
  }
  end();
  const run = (attributes: Record<string, string> | undefined, what: string, type: string, event: object = {}) => {
    const handler = handlers[Number(attributes?.[`on${type}`] ?? -1)];
    if (!handler)
      throw new Error(`Nothing to ${type}: ${what}. There is ${buttons.map(({ name }) => name).join(', ')}.`);
    handler.run({ target: null, preventDefault: () => {}, stopPropagation: () => {}, ...event });
  };
  const find = (which: string) =>
    elements.find(({ tag, attributes: { class: classes = '', id } }) =>
      [tag, `#${id}`, ...classes.split(/\s+/).map((one) => `.${one}`)].includes(which),
    )?.attributes;
  return {
    lines,
    buttons: buttons.map(({ name }) => name),
    press: (name) => run(buttons.find((one) => one.name === name)?.attributes, name, 'click'),
    fire: (which, type, event) => run(find(which), which, type, event),
    attributes: (which) => find(which) ?? {},
  };
}

function markupOf(value: unknown, handlers: { readonly type: string; readonly run: Handler }[]): string {
  if (value === null || value === undefined || typeof value === 'symbol' || value === false) return '';
  if (Array.isArray(value)) return value.map((one) => markupOf(one, handlers)).join('');
  if (isPlain(value)) return escaped(String(value));
  const { strings, values, _$litDirective$: directive } = value as Template;
  if (directive !== undefined) return markupOf(valueOf(values), handlers);
  let markup = '';
  strings.forEach((part, at) => {
    markup += part;
    if (at >= values.length) return;
    const given = values[at];
    const isInTag = markup.lastIndexOf('<') > markup.lastIndexOf('>');
    const [whole = '', sign = '', name = ''] = /\s([@?.]?)([\w-]+)=$/.exec(markup) ?? [];
    if (!isInTag) markup += markupOf(given, handlers);
    else if (whole === '') markup += isPlain(given) ? escaped(String(given)) : '';
    else {
      markup = markup.slice(0, -whole.length);
      if (sign === '@') markup += ` on${name}="${handlers.push({ type: name, run: given as Handler }) - 1}"`;
      else if (sign === '?') markup += given ? ` ${name}=""` : '';
      else if (typeof given !== 'symbol' && given !== undefined) markup += ` ${name}="${markupOf(given, handlers)}"`;
    }
  });
  return markup;
}

/** Returns what a directive shows: the rows of `repeat`, the value of `live`. */
function valueOf(values: readonly unknown[]): unknown {
  const [first, key, row] = values;
  const draw = (row ?? key) as ((one: unknown, at: number) => unknown) | undefined;
  return draw && Array.isArray(first) ? first.map(draw) : first;
}

function attributesOf(text: string): Record<string, string> {
  const all = [...text.matchAll(/([\w-]+)(?:="([^"]*)"|=([^\s"]+))?/g)];
  return Object.fromEntries(all.map(([, name = '', quoted, bare]) => [name, plain(quoted ?? bare ?? '')]));
}

const isPlain = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);
const isVoid = (tag: string): boolean => ['input', 'br'].includes(tag);
const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const plain = (text: string) =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
