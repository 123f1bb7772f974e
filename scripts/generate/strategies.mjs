const PATH = 'docs/recovery.md';
const TABLE = /(<!-- strategies: written by `npm run generate` from the cards -->\n)[^]*?(<!-- \/strategies -->)/;

/** Writes the table of strategies: for each one its rules, and its reason in the words of the cards. */
export function strategiesTable({ CARDS }, read) {
  const text = read(PATH);
  if (!TABLE.test(text)) throw new Error(`${PATH} has no table of strategies`);
  const rules = new Map();
  for (const { id, strategy } of CARDS) {
    const row = `\`${strategy.name}\` | ${strategy.why}`;
    rules.set(row, [...(rules.get(row) ?? []), `\`${id}\``]);
  }
  const rows = [...rules].map(([row, ids]) => [ids.join(', '), row]);
  const head = ['finding', 'strategy', 'why'];
  const table = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
  return [{ path: PATH, text: text.replace(TABLE, (_all, open, close) => `${open}${table}${close}`) }];
}
