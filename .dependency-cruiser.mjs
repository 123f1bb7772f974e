// Defines who may import whom. `npm run check` checks the code against this table, and `npm run generate` draws the picture in ARCHITECTURE.md from
// it.

/**
 * The wings of src, from the top floor down. A wing imports only wings that it names.
 *
 * @type {readonly { readonly name: string, readonly floor: number, readonly does: string, readonly imports: readonly string[] }[]}
 */
export const WINGS = [
  {
    name: 'editor',
    floor: 6,
    does: 'everything of VS Code: entry, views, panel, notifications, connecting, settings, replay',
    imports: ['recover', 'engine', 'agents', 'detect', 'history', 'fleet', 'core', 'base'],
  },
  {
    name: 'cli',
    floor: 6,
    does: 'what runs without an editor: the command line, its entry, metrics',
    imports: ['engine', 'agents', 'detect', 'history', 'fleet', 'core', 'base'],
  },
  {
    name: 'recover',
    floor: 5,
    does: 'decides what to do about a stuck agent, and does it: drafts, actions, gates, checkpoints',
    imports: ['engine', 'agents', 'detect', 'history', 'core', 'base'],
  },
  {
    name: 'engine',
    floor: 4,
    does: 'follows sessions: finds and reads transcripts, keeps what is known of each, reports',
    imports: ['agents', 'detect', 'history', 'core', 'base'],
  },
  {
    name: 'agents',
    floor: 3,
    does: 'one folder per agent: how it is read and how it is reached; inbox, hooks, supervisor',
    imports: ['core', 'base'],
  },
  {
    name: 'detect',
    floor: 3,
    does: 'events in, findings out: steps, sayings, streaks, rules, incidents',
    imports: ['core', 'base'],
  },
  { name: 'history', floor: 3, does: 'keeps incidents and answers questions about them', imports: ['core', 'base'] },
  { name: 'fleet', floor: 3, does: 'agents on other machines', imports: ['core', 'base'] },
  {
    name: 'core',
    floor: 2,
    does: 'what the product knows and says: model, rule cards, words. Pure',
    imports: ['base'],
  },
  {
    name: 'base',
    floor: 1,
    does: 'reads bytes and texts: files, tail, checks, secrets. Knows no word of the product',
    imports: [],
  },
];

/** Deciding code: no input, no output. Time, files and randomness are passed in. */
const PURE =
  '^src/(?:base/(?:util|secrets|checks|schema)|core|detect|recover/(?:decisions|drafts)|editor/panel-model)/';
/** Code that also runs in the pages of the panel. */
const BROWSER = '^src/(?:core/(?:rules|words)|editor/(?:panel-model|webview))/';
const INPUT_OUTPUT = '^(?:node:)?(?:fs|fs/promises|os|child_process|http|https|net|tls|dgram|worker_threads)$';
const SOCKETS = '^(?:node:)?(?:http|https|net|tls|dgram)$';
/** Families: the first is a fork of the second, or another form of it, and reads with its parts. */
const FAMILIES = [
  ['kilo-code', 'opencode'],
  ['qwen', 'gemini'],
  ['vscode-chat', 'copilot'],
];
/** Folders of src/agents that are no agent. */
const NO_AGENT = 'inbox|shared|sqlite|supervisor';

/** @type {import('dependency-cruiser').IConfiguration} */
/** Rules within a detector (core/rules), each in a separate file. */
const PARTS = [
  'few-distinct',
  'no-effect',
  'dead-start',
  'no-better',
  'unread-rewrites',
  'returns',
  'refused-edits',
  'refused-request',
  'sent-back',
];

export default {
  forbidden: [
    {
      name: 'no-circle',
      comment: 'Two files never import each other, not even for a type.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    ...WINGS.map(({ name, imports }) => ({
      name: `wing-${name}`,
      comment: `${name} may import ${imports.join(', ') || 'no other wing'}: see the table in .dependency-cruiser.mjs.`,
      severity: /** @type {const} */ ('error'),
      from: { path: `^src/${name}/` },
      to: { path: '^src/', pathNot: `^src/(?:${[name, ...imports].join('|')})/` },
    })),
    {
      name: 'vscode-in-the-editor',
      comment: 'Only the editor knows VS Code.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/editor/' },
      to: { path: '^vscode$' },
    },
    {
      name: 'pure',
      comment: 'Deciding code does no input or output: what it needs is passed in.',
      severity: 'error',
      from: { path: PURE },
      to: { path: INPUT_OUTPUT },
    },
    {
      name: 'no-node-in-the-browser',
      comment: 'This code runs in the page of the panel, too.',
      severity: 'error',
      from: { path: BROWSER },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'no-vscode-in-the-browser',
      comment: 'This code runs in the page of the panel, too.',
      severity: 'error',
      from: { path: BROWSER },
      to: { path: '^vscode$' },
    },
    {
      name: 'webview',
      comment: 'The pages know the core and what host and page say to each other.',
      severity: 'error',
      from: { path: '^src/editor/webview/' },
      to: { path: '^src/', pathNot: '^src/(?:base|core|editor/(?:webview|panel-model))/' },
    },
    {
      name: 'panel-model',
      comment: 'What host and page say to each other knows neither of them.',
      severity: 'error',
      from: { path: '^src/editor/panel-model/' },
      to: { path: '^src/', pathNot: '^src/(?:base|core|editor/panel-model)/' },
    },
    {
      name: 'sockets',
      comment: 'Only the connection to a message server, and metrics on request, open sockets.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(?:fleet/(?:connection|server)|cli/metrics)/' },
      to: { path: SOCKETS },
    },
    {
      name: 'agents-apart',
      comment: 'An agent knows no other agent: what two of them need lies in src/agents/shared.',
      severity: 'error',
      from: {
        path: `^src/agents/(?!(?:${NO_AGENT})/)([^/]+)/`,
        pathNot: FAMILIES.map(([from]) => `^src/agents/${from}/`),
      },
      to: { path: '^src/agents/[^/]+/', pathNot: [`^src/agents/(?:${NO_AGENT})/`, '^src/agents/$1/'] },
    },
    ...FAMILIES.map(([name, other]) => ({
      name: `family-${name}`,
      comment: `${name} reads with the parts of ${other}, and knows no other agent.`,
      severity: /** @type {const} */ ('error'),
      from: { path: `^src/agents/${name}/` },
      to: { path: '^src/agents/[^/]+/', pathNot: `^src/agents/(?:${NO_AGENT}|${name}|${other})/` },
    })),
    {
      name: 'rules-apart',
      comment:
        'A detector knows its own rules and no other detector: what two of them need lies in src/detect/streaks.',
      severity: 'error',
      from: { path: '^src/detect/rules/', pathNot: '^src/detect/rules/index\\.ts$' },
      to: { path: '^src/detect/rules/', pathNot: `^src/detect/rules/(?:${PARTS.join('|')})\\.ts$` },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    parser: 'swc',
    tsPreCompilationDeps: true,
    moduleSystems: ['es6'],
    enhancedResolveOptions: { extensions: ['.ts', '.d.ts', '.json', '.js', '.mjs'] },
  },
};
