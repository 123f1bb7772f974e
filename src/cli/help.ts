/** Text of `unstuck help` and `unstuck <command> --help` for a command. */
export interface CommandHelp {
  /** Arguments after the name, one form a line. */
  readonly usage: readonly string[];
  /** One line. */
  readonly what: string;
  /** Each option, and what it does, one line each. */
  readonly options: readonly (readonly [option: string, what: string])[];
  /** The page that says more. */
  readonly page: string;
}

const JSON_LINES = ['--json', 'one object a line with its type in `kind`'] as const;
const RAW = ['--raw', 'secrets are shown too; on a terminal only'] as const;
const PRESET = ['--preset eager|balanced|patient', 'the thresholds (balanced)'] as const;
const SET = [
  '--set [agent:]detector=off|PRESET',
  'one rule; also detector.stuck=6, budgets.calls=500; can be repeated',
] as const;
const KEEP = ['--store DIR', 'keeps incidents in this history, which recall, events and stats read'] as const;
const METRICS = [
  ['--metrics ADDRESS', 'serves metrics to Prometheus, for example at 127.0.0.1:9464'],
  ['--otlp URL', 'sends metrics by OTLP over HTTP'],
] as const;
const WHOSE = [
  ['--folder DIR', 'the workspace folder whose history is meant (the current one)'],
  ['--store DIR', 'the history itself'],
] as const;

export const COMMANDS = {
  scan: {
    usage: ['<file or folder or ->… [options]'],
    what: 'runs all detectors over existing transcripts as if live',
    options: [
      ['--agent ID', 'takes only transcripts of this agent'],
      PRESET,
      SET,
      ['--now T', 'the time at which the state is asked, not that of the last line'],
      ['--why', 'how near the other rules came, and what held them back'],
      ['--fail-on-stuck', 'exit code 1 where an agent was stuck'],
      KEEP,
      RAW,
      JSON_LINES,
    ],
    page: 'docs/command-line.md',
  },
  watch: {
    usage: ['[folder] [options]'],
    what: 'states and incidents of the agents of a folder as they come, until stopped',
    options: [
      PRESET,
      SET,
      KEEP,
      ...METRICS,
      ['--name NAME', 'what metrics call this machine (its host name)'],
      ['--verbose', 'says what is read, on standard error'],
      RAW,
      JSON_LINES,
    ],
    page: 'docs/command-line.md',
  },
  relay: {
    usage: ['[folder]… --servers URL[,URL…] --creds FILE [options]'],
    what: 'the agents of this machine on a message server, until stopped',
    options: [
      ['--servers URLS', 'tls://HOST:4222'],
      ['--creds FILE', 'the credentials of this machine, as unstuck fleet makes them'],
      ['--name NAME', 'the name of this machine; it stands in the credentials'],
      ['--allow WORDS', 'what viewers may do to its agents: nudge,stop,restart (nothing)'],
      ...METRICS,
      PRESET,
      SET,
      ['--verbose', 'says what is read, on standard error'],
      JSON_LINES,
    ],
    page: 'docs/fleet.md',
  },
  fleet: {
    usage: [
      'init [folder] --machines NAMES --viewers NAMES [options]',
      'init [folder] --renew [options]',
      'add|remove [folder] [--machines NAMES] [--viewers NAMES]',
      'create [folder] --servers URL [options]',
    ],
    what: 'configuration, users and streams of a message server (NATS with JetStream)',
    options: [
      ['--machines NAMES', 'machines with a relay, with commas'],
      ['--viewers NAMES', 'people with a window, with commas'],
      ['--host NAME', 'init: where other machines reach the server (this machine only)'],
      ['--renew', 'init: makes certificate and configuration again, and keeps all keys'],
      ['--port N', 'init: its port (4222)'],
      ['--servers URLS', 'create: the server'],
      ['--replicas N', 'create: servers that each keep everything: 1, 3 or 5 (1)'],
      JSON_LINES,
    ],
    page: 'docs/fleet.md',
  },
  discover: {
    usage: ['[folder] [options]'],
    what: "which agents' transcripts exist on this machine for a folder, and why not for the others",
    options: [JSON_LINES],
    page: 'docs/command-line.md',
  },
  check: {
    usage: ['<file or -> [options]'],
    what: 'validates a generic transcript; exit code 1 where something is wrong',
    options: [JSON_LINES],
    page: 'docs/transcript.md',
  },
  backtest: {
    usage: ['[file or folder or -]… [options]'],
    what: 'the alarms that would have come over existing transcripts',
    options: [
      ['--days N', 'takes only what was written in the last N days (30 where no path is named)'],
      ['--preset eager|balanced|patient', 'can be repeated; all three where absent'],
      SET,
      ['--agent ID', 'takes only transcripts of this agent'],
      ['--explain ID', 'shows one alarm with its evidence'],
      JSON_LINES,
    ],
    page: 'docs/command-line.md',
  },
  events: {
    usage: ['[options]'],
    what: 'the event log of observations and recoveries, the oldest first',
    options: [
      ['--type T', 'one type, for example Recovery'],
      ['--session ID', 'one session'],
      ['--incident ID', 'one incident'],
      ['--since T', 'from this time on'],
      ['--limit N', 'the newest N'],
      ...WHOSE,
      RAW,
      JSON_LINES,
    ],
    page: 'docs/recovery.md',
  },
  recall: {
    usage: ['[words]… [options]'],
    what: 'incidents and learnings of the history, the best first',
    options: [
      ['--level stuck|warn', 'one level'],
      ['--rule ID', 'one rule'],
      ['--agent ID', 'one agent'],
      ['--outcome O', 'how it ended, for example nudge'],
      ['--in DIR', 'the folder that the agent worked in'],
      ['--since T', 'from this time on, also 7d or 24h'],
      ['--until T', 'up to this time'],
      ['--limit N', 'at most N results (20)'],
      ...WHOSE,
      RAW,
      JSON_LINES,
    ],
    page: 'docs/command-line.md',
  },
  stats: {
    usage: ['[options]'],
    what: 'what got stuck, what it cost and what freed it, from the history',
    options: [['--days N', 'the last N days'], ['--since T', 'from this time on'], ...WHOSE, JSON_LINES],
    page: 'docs/command-line.md',
  },
  report: {
    usage: ['<incident> [options]'],
    what: 'one incident as Markdown to pass on: its figures, evidence and versions, without secrets',
    options: [...WHOSE, JSON_LINES],
    page: 'docs/command-line.md',
  },
  fixture: {
    usage: ['<incident> [options]'],
    what: 'a redacted transcript that raises the alarm of an incident again; exit code 1 where none could be made',
    options: [...WHOSE, JSON_LINES],
    page: 'docs/command-line.md',
  },
  inbox: {
    usage: [
      'send --session ID [text] [options]',
      'list [--session ID] [options]',
      'take --session ID [options]',
      'withdraw --session ID <message> [options]',
    ],
    what: 'the inbox of an agent by hand',
    options: [
      ['--folder DIR', 'the workspace folder (the current one)'],
      ['--session ID', 'the session of the agent'],
      ['--agent ID', 'send: the agent (generic)'],
      ['--kind KIND', 'send: nudge, gate, reassign, checkpoint, stop, restart, escalate or block (nudge)'],
      ['--text TEXT', 'send: the text; - reads it from standard input'],
      ['--incident ID', 'send: the incident that it is about'],
      ['--expires SECONDS', 'send: when nobody may take it any more (600)'],
      ['--mode resume|fork|fresh', 'send, restart and escalate'],
      ['--prompt TEXT', 'send, restart, escalate and reassign: what the agent is told'],
      ['--model NAME', 'send, restart and escalate'],
      ['--thinking LEVEL', 'send, restart and escalate'],
      ['--to SESSION', 'send, reassign: who takes the task'],
      ['--avoid TEXT', 'send, reassign: what is not to be tried again; can be repeated'],
      ['--call JSON', 'send, block: the call that is refused once, as {"name":…,"args":…}'],
      RAW,
      JSON_LINES,
    ],
    page: 'docs/inbox.md',
  },
  run: {
    usage: ['--agent ID [options] -- <command>…'],
    what: 'runs an agent and obeys stop, restart and escalate from its inbox',
    options: [
      ['--agent ID', 'whose command it is; generic for one that is not known'],
      ['--session ID', 'the session; needed for generic'],
      ['--folder DIR', 'the workspace folder (the current one)'],
      ['--args WORD', 'a word that every restart adds to the command; can be repeated'],
      ['--quiet', 'says nothing of its own'],
      ['--json', 'what it says of its own, one object a line on standard error'],
    ],
    page: 'docs/supervisor.md',
  },
} as const satisfies Readonly<Record<string, CommandHelp>>;

export type CommandName = keyof typeof COMMANDS;

export function isCommand(word: string): word is CommandName {
  return Object.hasOwn(COMMANDS, word);
}

/** All commands, a line each. */
export function helpOfAll(): string {
  const wide = Math.max(...Object.keys(COMMANDS).map((name) => name.length));
  return [
    'unstuck: notices when a local coding agent is stuck, and shows why.',
    '',
    ...Object.entries(COMMANDS).map(([name, { what }]) => `  unstuck ${name.padEnd(wide)}  ${what}`),
    '',
    '  unstuck <command> --help   what a command takes',
    '  unstuck --version',
    '',
    'Each takes --json: one object a line. - is standard input where a file is expected. Secrets are left out of what is printed.',
    'Exit code 0: done; 1: check found problems, scan --fail-on-stuck found stuck agents, or no fixture could be made;',
    '2: wrong usage, or nothing could be read; 130: Ctrl+C ended a scan. run ends with the exit code of its command.',
  ].join('\n');
}

/** Returns the help text of one command. */
export function helpOf(name: CommandName): string {
  const { usage, what, options, page }: CommandHelp = COMMANDS[name];
  const wide = Math.max(...options.map(([option]) => option.length));
  return [
    `unstuck ${name}: ${what}.`,
    '',
    ...usage.map((form) => `  unstuck ${name} ${form}`),
    '',
    ...options.map(([option, does]) => `  ${option.padEnd(wide)}  ${does}`),
    '',
    `More: ${page}`,
  ].join('\n');
}
