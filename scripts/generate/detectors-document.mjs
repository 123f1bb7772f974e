const PATH = 'docs/detectors.md';
const TABLE = /(<!-- presets: written by npm run generate -->\n)[^]*?(<!-- \/presets -->)/;
const NOTIFIES = { at_stuck: 'at stuck', never: 'never', first_block_and_stuck: 'first block, and at stuck' };

/** The threshold line of each detector's section, and the table of presets. */
export function detectorsDocument({ CARDS, PRESETS }, read) {
  const withLines = CARDS.reduce((text, card) => withThresholds(text, card, PRESETS), read(PATH));
  const text = withLines.replace(TABLE, (_all, open, close) => `${open}${presetTable(CARDS, PRESETS)}${close}`);
  return [{ path: PATH, text }];
}

/** Replaces the line that begins with **Thresholds** in the section of a card; a section without one gets it behind its rule. */
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

function thresholds({ thresholds: of, counts, window, extras }, presets) {
  const values = presets.map((preset) => `${preset} ${cell(of[preset])}`).join(', ');
  const warnsOnly = presets.every((preset) => !Number.isFinite(of[preset].stuck));
  const further = Object.entries(extras).map(
    ([name, { value }]) =>
      `\`${name}\` ${typeof value === 'number' ? grouped(value) : presets.map((preset) => grouped(value[preset])).join(' / ')}`,
  );
  const kinds = warnsOnly ? 'warn' : 'warn / stuck';
  const sentences = [`- **Thresholds** (${kinds}, ${counts}): ${values}.`];
  if (window.size > 1) sentences.push(`\`window\` ${window.size} ${window.of}.`);
  if (further.length > 0) sentences.push(`Also ${further.join(', ')}.`);
  return sentences.join(' ');
}

function presetTable(cards, presets) {
  const head = ['detector', 'counts', ...presets, 'window', 'certainty', 'notifies'];
  const rows = cards.map((card) => [
    `\`${card.id}\``,
    card.counts,
    ...presets.map((preset) => cell(card.thresholds[preset])),
    card.window.size > 1 ? `${card.window.size} ${card.window.of}` : '',
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
