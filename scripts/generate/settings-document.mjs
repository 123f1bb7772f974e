import { readManifest } from './manifest.mjs';

const PATH = 'docs/settings.md';

/** Where a setting can be set, by its scope. */
const PLACES = {
  application: 'user',
  machine: 'user or remote',
  'machine-overridable': 'user, remote or workspace',
  window: 'user or workspace',
  resource: 'user, workspace or folder',
};

/** The place of a menu of the manifest, by its view or page. */
const MENUS = {
  'view/title unstuck.agents': 'title of *Agents*',
  'view/title unstuck.incidents': 'title of *Incidents*',
  'view/item/context unstuck.agents': 'row of *Agents*',
  'view/item/context unstuck.incidents': 'row of *Incidents*',
  'view/item/context ^unstuck\\.': 'row of both views',
  'editor/title unstuck.panel': 'title of the panel',
  'editor/title unstuck-evidence': 'title of the evidence',
  'editor/title unstuck-plan': 'title of the plan of Connect',
};

/** When the palette lists a command. */
const PALETTE = {
  'unstuck.hasAgents': 'while an agent is listed',
  'unstuck.hasIncidents': 'while there are incidents',
  'unstuck.needsYou': 'while an agent needs you',
  'unstuck.limitOpened': 'when a usage limit has ended',
  false: 'no',
};

/** Requirements of commands. */
const NEEDS = {
  isWorkspaceTrusted: 'a trusted folder',
  'unstuck.gates': 'quality gates',
  'unstuck.paused': 'watching is paused',
  '!unstuck.paused': 'watching is not paused',
  'unstuck.replaying': 'a replay',
  '!unstuck.replaying': 'no replay',
};

/** Writes the page of all settings, commands and states. */
export function settingsDocument(sources, read) {
  const { contributes } = readManifest(read);
  const parts = [
    '# Settings, commands and states',
    '',
    'Written by `npm run generate` from the manifest and from the words of the program.',
    '',
    '## Settings',
    '',
    '*Where* names the settings that count: those of the user, of the remote machine, of the workspace, or of each of its folders.',
    '',
    ...contributes.configuration.flatMap(section),
    '## Commands',
    '',
    'All commands begin with *Unstuck:* in the palette, which lists one only while it has what it needs. The id is what a key binding names.',
    '',
    commandTable(contributes),
    '## States',
    '',
    'What Unstuck says at 17:09 of an agent that has been in a state for 8 minutes. The first column has the words of `--json` (`state`, then `for`, `probable`',
    'or `ended`; the last three of `not_monitored` are agents on other machines). The panel says *said*, the overview *why*, and the tooltip of a row both.',
    'A row of *Agents* stands in *group* and says *row*: before the title in *Needs you* and *Stuck*, behind it elsewhere. A screen reader says the last',
    'column after the title.',
    '',
    stateTable(sources),
    'The status bar counts, the most urgent first:',
    '',
    statusTable(sources),
  ];
  return [{ path: PATH, text: `${parts.join('\n').trimEnd()}\n` }];
}

function section({ title, properties }) {
  const rows = Object.entries(properties).map(([id, schema]) => [
    `\`${id}\``,
    code(schema.default),
    valuesOf(schema),
    placeOf(id, schema.scope),
    schema.markdownDescription.replaceAll(/`#([^`]+)#`/g, '`$1`') + detailsOf(schema),
  ]);
  return [`### ${title}`, '', table(['setting', 'default', 'values', 'where', 'what'], rows)];
}

function placeOf(id, scope) {
  const place = PLACES[scope];
  if (place === undefined)
    throw new Error(`${id} of package.json needs a scope, one of ${Object.keys(PLACES).join(', ')}`);
  return place;
}

/** Returns the possible values: the words of a list, or the range of a number. */
function valuesOf({ type, enum: words, minimum, maximum }) {
  if (words) return words.map(code).join(', ');
  if (minimum !== undefined) return `${minimum} to ${maximum}`;
  if (type === 'boolean') return '`true`, `false`';
  return { array: 'a list', object: 'an object', string: 'text' }[type];
}

/** Returns the texts of the words, or of the fields, of a setting. */
function detailsOf({ enum: words, enumDescriptions, items, properties }) {
  if (enumDescriptions) return list(words.map((word, at) => [word, enumDescriptions[at]]));
  if (items?.enumDescriptions) return detailsOf(items);
  const fields = properties ?? items?.properties ?? {};
  const withDefault = ({ description, default: value }) =>
    value === undefined ? description : `${description} By default ${value}.`;
  return list(Object.entries(fields).map(([field, schema]) => [field, schema.description && withDefault(schema)]));
}

function list(entries) {
  if (entries.length === 0) return '';
  return `<br>${entries.map(([word, text]) => (text ? `\`${word}\`: ${text}` : `\`${word}\``)).join('<br>')}`;
}

function commandTable({ commands, menus, keybindings }) {
  const { commandPalette, ...others } = menus;
  const rows = commands.map(({ command, title, enablement = '' }) => {
    const key = keybindings.find((one) => one.command === command);
    const hidden = commandPalette.find((one) => one.command === command);
    return [
      title,
      hidden ? paletteWords(hidden) : 'yes',
      [...new Set(menusOf(command, others))].join(', '),
      key ? `${keyWords(key.key)}, macOS ${keyWords(key.mac)}` : '',
      needsOf(command, enablement),
      `\`${command}\``,
    ];
  });
  return table(['command', 'palette', 'menus', 'key', 'needs', 'id'], rows);
}

function needsOf(command, enablement) {
  const conditions = enablement === '' ? [] : enablement.split(' && ');
  const words = conditions.map((condition) => NEEDS[condition]);
  if (words.includes(undefined)) throw new Error(`${command} needs ${enablement}: no words for it`);
  return words.join(', ');
}

function paletteWords({ command, when }) {
  if (PALETTE[when] === undefined) throw new Error(`${command} is in the palette when ${when}: no words for it`);
  return PALETTE[when];
}

function menusOf(command, menus) {
  return Object.entries(menus).flatMap(([menu, entries]) =>
    entries
      .filter((entry) => entry.command === command)
      .map(({ when }) => {
        const [, of] = /^(?:view|activeWebviewPanelId|resourceScheme) =[=~] ['/]?([^\s'/]+)/.exec(when) ?? [];
        const words = MENUS[`${menu} ${of}`];
        if (words === undefined) throw new Error(`${command} stands in ${menu} when ${when}: no words for it`);
        return words;
      }),
  );
}

function keyWords(keys) {
  const part = (word) => word.charAt(0).toUpperCase() + word.slice(1);
  return keys
    .split(' ')
    .map((chord) => chord.split('+').map(part).join('+'))
    .join(' ');
}

function stateTable({ STATE_EXAMPLES, EXAMPLES_AT: now, WORDS }) {
  const rows = STATE_EXAMPLES.map(({ name, ...facts }) => {
    const { state } = facts;
    const why = WORDS.whyInShort({ ...facts, now });
    const label = WORDS.stateLabel(state, '', '', now);
    return [
      `\`${name}\``,
      WORDS.statePill(state, now),
      why,
      WORDS.treeDescription(state, now, why),
      WORDS.NEED_NAMES[WORDS.needOf(WORDS.standingOf({ session: '', incidents: [], ...facts }))],
      // Without the commas for its place between the title of the agent and its name.
      label.replace(/^, |, $/g, ''),
    ];
  });
  return table(['state', 'said', 'why', 'row', 'group', 'screen reader'], rows);
}

function statusTable({ WORDS }) {
  const none = {
    needsYou: 0,
    stuck: 0,
    unseen: 0,
    probablyWaiting: 0,
    notMonitored: 0,
    recovering: 0,
    agents: 8,
    restricted: false,
    paused: false,
  };
  const facts = [
    { needsYou: 1, stuck: 2 },
    { needsYou: 1 },
    { stuck: 2 },
    { notMonitored: 1 },
    { recovering: 1 },
    { restricted: true },
    { paused: true },
    { probablyWaiting: 1 },
    {},
  ];
  const rows = facts.map((some) => {
    const { text, tooltip, label } = WORDS.statusItem({ ...none, ...some });
    return [text, tooltip, label];
  });
  return table(['status bar', 'tooltip, above the agents', 'screen reader'], rows);
}

function code(value) {
  return `\`${JSON.stringify(value)}\``;
}

function table(head, rows) {
  const line = (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`;
  return [head, head.map(() => '---'), ...rows].map(line).join('');
}
