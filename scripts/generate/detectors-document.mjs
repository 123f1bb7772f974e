const PATH = 'docs/detectors.md';
const TABLE = /(<!-- presets: written by npm run generate -->\n)[^]*?(<!-- \/presets -->)/;
const OF_CONTEXT = /(\*\*Rules of context\*\*) \([^)]*\)/;
const NOTIFIES = { at_stuck: 'at stuck', never: 'never', first_block_and_stuck: 'first block, and at stuck' };

/** Writes the threshold line of each detector's section, the list of rules of context, and the table of presets. */
export function detectorsDocument({ CARDS, PRESETS }, read) {
  const withLines = CARDS.reduce((text, card) => withThresholds(text, card, PRESETS), read(PATH));
  const ofContext = CARDS.filter((card) => card.ofContext).map(({ id }) => `\`${id}\``);
  const text = withLines
    .replace(OF_CONTEXT, (_all, name) => `${name} (${ofContext.join(', ')})`)
    .replace(TABLE, (_all, open, close) => `${open}${presetTable(CARDS, PRESETS)}${close}`);
  return [{ path: PATH, text }];
}

/** Replaces the line that begins with **Thresholds** in the section of a card; a section without one gets it after its rule. */
function withThresholds(text, card, presets) {
  const heading = `\n## ${card.id}\n`;
  const start = text.indexOf(heading);
  if (start < 0) throw new Error(`${PATH} has no section "## ${card.id}"`);
  const end = text.indexOf('\n## ', start + heading.length);
  const section = text.slice(start, end < 0 ? undefined : end);
  const line = thresholds(card, presets);
  const has = /^- \*\*Thresholds\*\*.*$/m;
  const next = has.test(section)
    ? section.replace(has, () => line)
    : section.replace(/^- \*\*Rule\.\*\*.*$/m, (rule) => `${rule}\n${line}`);
  return text.slice(0, start) + next + (end < 0 ? '' : text.slice(end));
}

function thresholds(card, presets) {
  const { thresholds: of, counts, window, numbers = {}, shapes = {}, rules = {}, warnIsCalled = 'warn' } = card;
  const names = [...(warnIsCalled === 'warn' ? [] : [`\`${warnIsCalled}\``]), kinds(of, presets), counts];
  const sentences = [`- **Thresholds** (${names.join(', ')}): ${values(of, presets)}.`];
  for (const [name, value] of Object.entries(numbers))
    sentences.push(`\`${name}\` ${presets.map((preset) => grouped(value[preset])).join(' / ')}.`);
  if (window) sentences.push(`\`window\` ${window.size} ${window.of}.`);
  const named = Object.entries(rules).flatMap(([id, { shape }]) => (shape ? [[`\`${id}\`: `, shape]] : []));
  for (const [name, shape] of [...named, ...Object.values(shapes).map((shape) => ['', shape])])
    sentences.push(
      `${name}${name === '' ? capital(shape.counts) : shape.counts} (${kinds(shape.limits, presets)}): ${values(shape.limits, presets)}.`,
    );
  return sentences.join(' ');
}

function kinds(of, presets) {
  return presets.every((preset) => !Number.isFinite(of[preset].stuck)) ? 'warn' : 'warn / stuck';
}

function values(of, presets) {
  const cells = presets.map((preset) => cell(of[preset]));
  return new Set(cells).size === 1 ? cells[0] : presets.map((preset, at) => `${preset} ${cells[at]}`).join(', ');
}

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function presetTable(cards, presets) {
  const head = ['detector', 'counts', ...presets, 'window', 'certainty', 'notifies'];
  const rows = cards.map((card) => [
    `\`${card.id}\``,
    card.counts,
    ...presets.map((preset) => cell(card.thresholds[preset])),
    card.window ? `${card.window.size} ${card.window.of}` : '',
    card.certainty,
    NOTIFIES[card.notifies],
  ]);
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

function cell({ on, warn, stuck }) {
  if (!on) return 'off';
  return Number.isFinite(stuck) ? `${grouped(warn)} / ${grouped(stuck)}` : grouped(warn);
}

function grouped(value) {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
}
