import { manifestFiles, readManifest } from './manifest.mjs';

const NOTE = '// Written by `npm run generate` from the descriptors in src/agents. Do not edit.\n';
const SCHEMA = 'docs/records.schema.json';
/** Number of agents that the welcome text names; it counts the others. */
const NAMED = 4;
/** Any machine will do: whether an agent has its own folders does not depend on it. */
const SOMEWHERE = { home: '/home', env: {}, platform: 'linux', editor: { storage: '/storage', folder: '/folder' } };

/** Agents whose transcripts earlier versions read. Their incidents stay in the history, and no other agent takes their ids. */
const FORMER = ['roo-code', 'goose', 'amp'];

/** Writes the ids of agents: the model has them as a type, and may not import the descriptors itself. The schema of records has them, too. */
export function agentIds({ DESCRIPTORS }, read) {
  const text = [
    NOTE,
    '/** The agents whose transcripts Unstuck understands, by the ids that records and settings use. */',
    'export const AGENT_IDS = [',
    ...DESCRIPTORS.map(({ id }) => `  '${id}',`),
    '] as const;',
    '',
    '/** The same with the agents that earlier versions read: records of the history and of other versions name them. */',
    'export const RECORDED_AGENT_IDS = [',
    '  ...AGENT_IDS,',
    ...FORMER.map((id) => `  '${id}',`),
    '] as const;',
    '',
    'export type AgentId = (typeof RECORDED_AGENT_IDS)[number];',
    '',
    'export function isAgentId(value: unknown): value is AgentId {',
    "  return typeof value === 'string' && (AGENT_IDS as readonly string[]).includes(value);",
    '}',
    '',
  ];
  const recorded = [...DESCRIPTORS.map(({ id }) => id), ...FORMER].map((id) => `        "${id}"`);
  const schema = read(SCHEMA).replace(
    /("agentId": \{\s*"enum": )\[[^\]]*\]/,
    (_, before) => `${before}[\n${recorded.join(',\n')}\n      ]`,
  );
  return [
    { path: 'src/core/model/agent-id.ts', text: text.join('\n') },
    { path: SCHEMA, text: schema },
  ];
}

/** Writes the enums of the settings that name agents, and the welcome text of the empty view. */
export function agentSettings({ DESCRIPTORS, ADAPTERS }, read) {
  const manifest = readManifest(read);
  const { configuration, viewsWelcome } = manifest.contributes;
  const settings = Object.assign({}, ...configuration.map(({ properties }) => properties));
  const ids = DESCRIPTORS.map(({ id }) => id);
  settings['unstuck.agents.disabled'].items.enum = ids;
  for (const setting of ['unstuck.recovery.models', 'unstuck.launch']) settings[setting].propertyNames.enum = ids;
  // Agents that are found without a setting, in their own folders or by a name in the workspace.
  const searched = ADAPTERS.filter(({ locate, workspaceFiles }) => workspaceFiles || locate(SOMEWHERE).length > 0);
  const found = DESCRIPTORS.filter(({ id }) => id !== 'generic' && searched.some((one) => one.id === id)).map(
    ({ name }) => name,
  );
  const looking = `Looking for ${found.slice(0, NAMED).join(', ')} and ${found.length - NAMED} more.`;
  const pattern = /Looking for [^.\n]*\./;
  const welcomes = viewsWelcome.filter(({ contents }) => pattern.test(contents));
  if (welcomes.length === 0) throw new Error('package.json has no welcome text that names agents');
  for (const welcome of welcomes) welcome.contents = welcome.contents.replace(pattern, looking);
  return manifestFiles(manifest);
}

/** Writes the tables of agents in the documents. */
export function agentTables({ DESCRIPTORS }, read) {
  const title = ({ name, fullName, experimental }) => `${fullName ?? name}${experimental ? ' (experimental)' : ''}`;
  const agents = table(
    ['agent', 'id', 'transcripts', 'running tool', 'waiting', 'turn end', 'own loop check', 'liveness', 'tested with'],
    DESCRIPTORS.map((agent) => {
      const { runningTool, waiting = 'no', turnEnd, loopCheck = 'none', liveness = 'none' } = agent.shows;
      const shown = [runningTool, waiting, turnEnd, loopCheck, liveness];
      return [title(agent), `\`${agent.id}\``, agent.transcripts, ...shown, testedWith(agent)];
    }),
  );
  const messages = table(
    [
      'agent',
      'nudge while working',
      'nudge at the end of a turn',
      'quality gate can hold it',
      'nudge wakes it when idle',
      'stop',
      'block one call',
      'sessions already running',
      'step left to you',
    ],
    DESCRIPTORS.filter((agent) => agent.messages).map((agent) => {
      const {
        whileWorking,
        atEnd,
        heldByGate,
        wakesIdle,
        stop,
        blockCall,
        runningSessions,
        ownStep = 'none',
      } = agent.messages;
      const can = [whileWorking, atEnd, heldByGate, wakesIdle, stop, blockCall, runningSessions, ownStep];
      const tried = agent.tested ? versions(agent.tested) : '(by its documentation, not tried)';
      return [`${agent.fullName ?? agent.name} ${tried}`, ...can];
    }),
  );
  const document = inserted(inserted(read('docs/agents.md'), 'agents', agents), 'messages', messages);
  return [
    { path: 'docs/agents.md', text: document },
    { path: 'README.md', text: inserted(read('README.md'), 'agents', summary(DESCRIPTORS)) },
  ];
}

/** Lists the versions that ran alongside Unstuck, then those of which files were read. */
function testedWith({ tested, testedWith }) {
  return tested ? `${versions(tested)}; ${testedWith}` : testedWith;
}

function versions({ oldest, newest }) {
  return oldest === newest ? newest : `${oldest} to ${newest}`;
}

/** Returns one row for all agents with the same description. */
function summary(descriptors) {
  const rows = new Map();
  for (const { name, fullName, summaryName, summary } of descriptors) {
    const { read, nudged = 'no', stopped = 'no', refused = 'no', restarted = 'with your own template' } = summary;
    const cells = [read, nudged, stopped, refused, restarted];
    const key = JSON.stringify(cells);
    const row = rows.get(key) ?? { names: [], cells };
    row.names.push(summaryName ?? fullName ?? name);
    rows.set(key, row);
  }
  return table(
    ['agent', 'read', 'nudge while working', 'stop', 'block a call', 'restart'],
    [...rows.values()].map(({ names, cells }) => [names.join(', '), ...cells]),
  );
}

function table(head, rows) {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

/** Returns the text with `part` between the two marks of this name. */
function inserted(text, name, part) {
  const open = `<!-- ${name}: written by npm run generate -->\n`;
  const close = `<!-- /${name} -->`;
  const start = text.indexOf(open);
  const end = text.indexOf(close, start);
  if (start < 0 || end < 0) throw new Error(`no place for the table "${name}"`);
  return text.slice(0, start + open.length) + part + text.slice(end);
}
