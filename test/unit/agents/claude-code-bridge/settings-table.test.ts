import { chmodSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claudeCode } from '../../../../src/agents/claude-code/bridge';
import { createHookBridge } from '../../../../src/agents/shared/connect/hook-bridge';
import { systemBridgeProcesses } from '../../../../src/agents/shared/connect/bridge-process';
import type { Bridge, ConnectTarget } from '../../../../src/agents/inbox';
import { hookBundle, hookScript, scratch } from '../inbox/hook-kit';

/**
 * Claude Code's view of hooks in a settings file: observed with 2.1.329, started once for each file with a SessionStart hook in it, next to a hook in
 * the user's own settings.
 */
const RUNS = 'runs them';
const FILE = 'loads nothing of the file';
const ENTRY = 'leaves out what is wrong';
const NONE = 'runs no hook';
const NOTHING = 'nothing to load';
type View = typeof RUNS | typeof FILE | typeof ENTRY | typeof NONE | typeof NOTHING;

let place: { path: string; remove: () => void };
let project: string;
let file: string;
let target: ConnectTarget;
beforeEach(() => {
  place = scratch();
  project = join(place.path, 'project');
  file = join(project, '.claude', 'settings.local.json');
  target = { folder: project, workspaceFolders: [project], scope: 'project' };
  mkdirSync(dirname(file), { recursive: true });
});
afterEach(() => {
  chmodSync(dirname(file), 0o755);
  place.remove();
});

function bridge(): Bridge {
  return createHookBridge(claudeCode, {
    home: join(place.path, 'home'),
    env: { PATH: process.env['PATH'] },
    managedSettings: join(place.path, 'managed'),
    hookFolder: join(place.path, 'storage', 'hook'),
    hookFiles: () => Promise.resolve({ script: hookScript, bundle: hookBundle(), runtimes: [process.execPath] }),
    processes: {
      git: (args) => Promise.resolve({ code: args[0] === 'ls-files' ? 1 : 0, stdout: '', stderr: '', milliseconds: 0 }),
      shell: systemBridgeProcesses.shell,
    },
    now: () => 0,
  });
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
const managed = (path: string, text: string) => () => put(join(place.path, 'managed', path), text);

const HOOK = '{ "hooks": [{ "type": "command", "command": "mine.sh" }] }';
const MINE = `{ "hooks": { "SessionStart": [${HOOK}] } }`;

interface Row {
  readonly name: string;
  readonly view: View;
  /** The file before Connect. */
  readonly text?: string;
  /** Later state of the file with our hooks: its new text, if it is a text. */
  readonly later?: (text: string) => string;
  /** Sets up what matters besides the text, before Connect and later. */
  readonly beside?: () => void;
}

const ROWS: readonly Row[] = [
  { name: 'hooks of others', view: RUNS, text: MINE },
  { name: 'a comment', view: FILE, text: `// mine\n${MINE}`, later: (text) => `// mine\n${text}` },
  { name: 'a trailing comma', view: FILE, text: '{ "hooks": {}, }', later: (text) => text.replace(/\}\s*$/, ',}') },
  { name: 'a byte order mark', view: RUNS, text: `\uFEFF${MINE}`, later: (text) => `\uFEFF${text}` },
  { name: '0 bytes', view: NOTHING, text: '', later: () => '' },
  { name: 'JSON that breaks off', view: FILE, text: MINE.slice(0, -1), later: (text) => text.trimEnd().slice(0, -1) },
  { name: '`hooks` is a list', view: ENTRY, text: '{ "hooks": [] }', later: () => '{ "hooks": [] }' },
  {
    name: 'an event that is no list',
    view: ENTRY,
    text: `{ "hooks": { "Stop": {}, "SessionStart": [${HOOK}] } }`,
    later: (text) => text.replace(/"Stop": \[/, '"Stop": {}, "Stopped": ['),
  },
  {
    name: '`disableAllHooks` in it',
    view: NONE,
    text: '{ "disableAllHooks": true }',
    later: (text) => text.replace('{', '{ "disableAllHooks": true,'),
  },
  {
    name: '`disableAllHooks` of the user',
    view: NONE,
    beside: () => put(join(place.path, 'home', '.claude', 'settings.json'), '{ "disableAllHooks": true }'),
  },
  {
    name: 'the same, and `false` in the file',
    view: RUNS,
    text: '{ "disableAllHooks": false }',
    later: (text) => text.replace('{', '{ "disableAllHooks": false,'),
    beside: () => put(join(place.path, 'home', '.claude', 'settings.json'), '{ "disableAllHooks": true }'),
  },
  {
    name: 'managed: `allowManagedHooksOnly`',
    view: NONE,
    beside: managed('managed-settings.json', '{ "allowManagedHooksOnly": true }'),
  },
  {
    name: 'managed: `disableAllHooks`',
    view: NONE,
    beside: managed('managed-settings.json', '{ "disableAllHooks": true }'),
  },
  {
    name: 'managed, in `managed-settings.d`',
    view: NONE,
    beside: managed('managed-settings.d/10-hooks.json', '{ "allowManagedHooksOnly": true }'),
  },
  {
    name: 'a link',
    view: RUNS,
    text: MINE,
    beside: () => {
      renameSync(file, join(project, 'real.json'));
      symlinkSync(join(project, 'real.json'), file);
    },
  },
  { name: 'a read-only file', view: RUNS, text: MINE, beside: () => chmodSync(file, 0o444) },
  {
    name: 'our hooks twice',
    view: RUNS,
    later: (text) => text.replace(/"Stop": \[([\s\S]*?)\n {4}\]/, '"Stop": [$1,$1\n    ]'),
  },
  {
    name: 'our hooks of an older version',
    view: RUNS,
    later: (text) => text.replaceAll('"timeout": 5', '"timeout": 4'),
  },
  {
    name: '`hooks` twice: the last counts',
    view: RUNS,
    text: `{ "hooks": {}, "hooks": { "SessionStart": [${HOOK}] } }`,
    later: (text) => text.replace(/\}\s*$/, `, "hooks": { "SessionStart": [${HOOK}] } }`),
  },
];

/** Returns what Connect does with the file as it is. */
async function connecting({ text, beside }: Row): Promise<string> {
  if (text !== undefined) writeFileSync(file, text);
  beside?.();
  const by = bridge();
  const plan = await by.plan(target);
  if (!plan.ok) return `refuses: ${plan.error.code}`;
  const done = await by.connect(plan.value);
  if (!done.ok) return `refuses: ${done.error.code}`;
  return plan.value.warnings.length > 0 ? `warns: ${done.value.state}` : done.value.state;
}

/** The status of a connection once its file has become so. */
async function after({ later, beside }: Row): Promise<string> {
  const by = bridge();
  const plan = await by.plan(target);
  if (!plan.ok) throw new Error(plan.error.message);
  const done = await by.connect(plan.value);
  if (!done.ok) throw new Error(done.error.message);
  if (later) writeFileSync(file, later(readFileSync(file, 'utf8')));
  beside?.();
  return (await by.status(target)).state;
}

const table: string[] = [];
afterAll(() => void process.stdout.write(`${table.join('\n')}\n`));

/** The document with the same table for people. */
const DOCUMENT = readFileSync('docs/inbox.md', 'utf8');

describe('settings as Claude Code sees them, and as we do', () => {
  it.each(ROWS)('$name', async (row) => {
    const connect = await connecting(row);
    place.remove();
    mkdirSync(dirname(file), { recursive: true });
    const status = await after(row);
    const line = `| ${row.name} | ${row.view} | ${connect} | ${status} |`;
    table.push(line);
    expect(DOCUMENT).toContain(line);
    // If Claude Code does not run what Connect writes, nothing may say that all is well.
    if (row.view === FILE || row.view === NONE) {
      expect(connect, 'Connect').not.toBe('connected');
      expect(status, 'status').not.toBe('connected');
    }
    if (row.view === NOTHING) expect([connect, status]).toEqual(['connected', 'not_connected']);
    if (row.view === ENTRY) expect(status, 'status').not.toBe('connected');
  });
});
