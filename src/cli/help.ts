/** Text that `unstuck help` and `unstuck <command> --help` print for a command. */
export interface CommandHelp {
  /** Arguments after the name, one form per line. */
  readonly usage: readonly string[];
  /** One line. */
  readonly what: string;
  /** Each option and what it does, one line each. */
  readonly options: readonly (readonly [option: string, what: string])[];
  /** Documentation page with the details. */
  readonly page: string;
}

const JSON_LINES = ['--json', 'one object per line, with its type in `kind`'] as const;
const RAW = ['--raw', 'show secrets too; only on a terminal'] as const;
const PRESET = ['--preset eager|balanced|patient', 'thresholds to use (balanced)'] as const;
const SET = [
  '--set [agent:]detector=off|PRESET',
  'set one rule; also detector.stuck=6, budgets.calls=500; can be repeated',
] as const;
const KEEP = ['--store DIR', 'keep incidents in this history, which recall, events and stats read'] as const;
const METRICS = [
  ['--metrics ADDRESS', 'serve metrics to Prometheus, for example at 127.0.0.1:9464'],
  ['--otlp URL', 'send metrics by OTLP over HTTP'],
] as const;
const WHOSE = [
  ['--folder DIR', 'read the history of this workspace folder (the current one)'],
  ['--store DIR', 'read this history'],
] as const;

export const COMMANDS = {
  scan: {
    usage: ['<file or folder or ->… [options]'],
    what: 'run all rules over existing transcripts as if live',
    options: [
      ['--agent ID', 'only transcripts of this agent'],
      PRESET,
      SET,
      ['--now T', 'the state at this time, without later records'],
      ['--why', 'how close the other rules came, and why they did not fire'],
      ['--fail-on-stuck', 'exit code 1 if an agent was stuck'],
      KEEP,
      RAW,
      JSON_LINES,
    ],
    page: 'docs/command-line.md',
  },
  watch: {
    usage: ['[folder] [options]'],
    what: 'print states and incidents of the agents in a folder, live, until stopped',
    options: [
      PRESET,
      SET,
      KEEP,
      ...METRICS,
      ['--name NAME', 'name of this machine in metrics (its host name)'],
      ['--verbose', 'print what is read to standard error'],
      RAW,
      JSON_LINES,
    ],
    page: 'docs/command-line.md',
  },
  relay: {
    usage: ['[folder]… --servers URL[,URL…] --creds FILE [options]'],
    what: 'publish the agents of this machine on a message server, until stopped',
    options: [
      ['--servers URLS', 'tls://HOST:4222'],
      ['--creds FILE', 'credentials of this machine, made by unstuck fleet'],
      ['--name NAME', 'name of this machine, as in the credentials'],
      ['--allow WORDS', 'what viewers may do with its agents: nudge,stop,restart (nothing)'],
      ...METRICS,
      PRESET,
      SET,
      ['--verbose', 'print what is read to standard error'],
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
    what: 'set up a message server (NATS with JetStream): configuration, users and streams',
    options: [
      ['--machines NAMES', 'machines with a relay, separated by commas'],
      ['--viewers NAMES', 'people with a window, separated by commas'],
      ['--host NAME', 'init: where other machines reach the server (this machine only)'],
      ['--renew', 'init: renew certificate and configuration, and keep all keys'],
      ['--port N', 'init: its port (4222)'],
      ['--servers URLS', 'create: the server'],
      ['--replicas N', 'create: number of servers that keep all data: 1, 3 or 5 (1)'],
      JSON_LINES,
    ],
    page: 'docs/fleet.md',
  },
  discover: {
    usage: ['[folder] [options]'],
    what: 'list the agents with transcripts for a folder on this machine, and why others have none',
    options: [JSON_LINES],
    page: 'docs/command-line.md',
  },
  check: {
    usage: ['<file or -> [options]'],
    what: 'validate a generic transcript; exit code 1 if it has problems',
    options: [JSON_LINES],
    page: 'docs/transcript.md',
  },
  backtest: {
    usage: ['[file or folder or -]… [options]'],
    what: 'list the alarms that existing transcripts would have raised',
    options: [
      ['--days N', 'only what was written in the last N days (30 if no path is named)'],
      ['--preset eager|balanced|patient', 'can be repeated; without it, all three'],
      SET,
      ['--agent ID', 'only transcripts of this agent'],
      ['--explain ID', 'show one alarm with its evidence'],
      JSON_LINES,
    ],
    page: 'docs/command-line.md',
  },
  events: {
    usage: ['[options]'],
    what: 'print the event log of observations and recoveries, oldest first',
    options: [
      ['--type T', 'one type, for example Recovery'],
      ['--session ID', 'one session'],
      ['--incident ID', 'one incident'],
      ['--since T', 'from this time on'],
      ['--limit N', 'the newest N'],
      ['--check', 'print what in the log contradicts itself; exit code 1 where anything does'],
      ...WHOSE,
      RAW,
      JSON_LINES,
    ],
    page: 'docs/recovery.md',
  },
  recall: {
    usage: ['[words]… [options]'],
    what: 'search incidents and learnings in the history, best match first',
    options: [
      ['--level stuck|warn', 'one level'],
      ['--rule ID', 'one rule'],
      ['--agent ID', 'one agent'],
      ['--outcome O', 'how it ended, for example nudge'],
      ['--in DIR', 'folder in which the agent worked'],
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
    what: 'print what got stuck, what it cost and what freed it',
    options: [['--days N', 'the last N days'], ['--since T', 'from this time on'], ...WHOSE, JSON_LINES],
    page: 'docs/command-line.md',
  },
  report: {
    usage: ['<incident> [options]'],
    what: 'print one incident as Markdown to share: its figures, evidence and versions, without secrets',
    options: [...WHOSE, JSON_LINES],
    page: 'docs/command-line.md',
  },
  fixture: {
    usage: ['<incident> [options]'],
    what: 'print a redacted transcript that reproduces the alarm of an incident; exit code 1 if that is not possible',
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
    what: 'use the inbox of an agent by hand',
    options: [
      ['--folder DIR', 'the workspace folder (the current one)'],
      ['--session ID', 'the session of the agent'],
      ['--agent ID', 'send: the agent (generic)'],
      ['--kind KIND', 'send: nudge, gate, reassign, checkpoint, stop, restart, escalate or block (nudge)'],
      ['--text TEXT', 'send: the text; - reads it from standard input'],
      ['--incident ID', 'send: the incident that it is about'],
      ['--expires SECONDS', 'send: when it expires (600)'],
      ['--mode resume|fork|fresh', 'send, restart and escalate'],
      ['--prompt TEXT', 'send, restart, escalate and reassign: message to the agent'],
      ['--model NAME', 'send, restart and escalate'],
      ['--thinking LEVEL', 'send, restart and escalate'],
      ['--to SESSION', 'send, reassign: session that takes over the task'],
      ['--avoid TEXT', 'send, reassign: what not to try again; can be repeated'],
      ['--call JSON', 'send, block: the call to block once, as {"name":…,"args":…}'],
      RAW,
      JSON_LINES,
    ],
    page: 'docs/inbox.md',
  },
  run: {
    usage: ['--agent ID [options] -- <command>…'],
    what: 'run an agent, and obey stop, restart and escalate from its inbox',
    options: [
      ['--agent ID', 'the agent that the command starts; generic for any other'],
      ['--session ID', 'the session; needed for generic'],
      ['--folder DIR', 'the workspace folder (the current one)'],
      ['--args WORD', 'word to add to the command at each restart; can be repeated'],
      ['--quiet', 'print no messages of its own'],
      ['--json', 'print its own messages as one object per line on standard error'],
    ],
    page: 'docs/supervisor.md',
  },
} as const satisfies Readonly<Record<string, CommandHelp>>;

export type CommandName = keyof typeof COMMANDS;

export function isCommand(word: string): word is CommandName {
  return Object.hasOwn(COMMANDS, word);
}

/** Returns the list of all commands, one line each. */
export function helpOfAll(): string {
  const wide = Math.max(...Object.keys(COMMANDS).map((name) => name.length));
  return [
    'unstuck: notices when a local coding agent is stuck, and shows why.',
    '',
    ...Object.entries(COMMANDS).map(([name, { what }]) => `  unstuck ${name.padEnd(wide)}  ${what}`),
    '',
    '  unstuck <command> --help   options of a command',
    '  unstuck --version',
    '',
    'All take --json: one object per line. - stands for standard input. Secrets are left out of the output.',
    'Exit code 0: done; 1: check found problems, scan --fail-on-stuck found stuck agents, or no fixture could be made;',
    '2: wrong usage, or nothing could be read; 130: Ctrl+C ended a scan. run exits with the exit code of its command.',
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
