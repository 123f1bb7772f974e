import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AgentDescriptor } from '../../../src/agents/descriptor';
import { descriptors } from '../../../src/agents/registry';
import type { AgentEvent } from '../../../src/core/model';
import { NOT_IN_FILE } from './not-in-file';
import { collected, readRecordings } from './recordings';

/** Records written by `npm run test:agents -- … --record`: agent, action, and whether it passed with the real program. */
const TRIED = JSON.parse(readFileSync(join(__dirname, '../../agents/tried.json'), 'utf8')) as Readonly<
  Record<string, Readonly<Record<string, { readonly passed: boolean }>>>
>;
const PAGE = join(__dirname, '../../../docs/tried.md');
const REAL = 'real program';
const ABILITIES = ['found', 'followed', 'alarm', 'nudge while it works', 'idle', 'stop', 'block', 'restart'] as const;
type Abilities = Readonly<Record<(typeof ABILITIES)[number], string>>;

const agents = descriptors.filter(({ id }) => id !== 'generic');
const recordings = await readRecordings();

function passed(id: string, ...actions: readonly string[]): boolean {
  return actions.some((action) => TRIED[id]?.[action]?.passed === true);
}

/** Says how an ability of a message is known. `said`: the descriptor's statement about it. */
function evidence({ id, tested }: AgentDescriptor, said: string | undefined, ...actions: readonly string[]): string {
  if (said === undefined) return 'no bridge';
  if (said === 'not tried') return said;
  if (/^(?:no|not by a message)\b/.test(said)) return 'impossible';
  if (!tested) return 'by documentation';
  // Its own suite: npm run test:suite -- vscode-chat.
  return passed(id, ...actions) || id === 'vscode-chat' ? REAL : 'not tried';
}

function isOwnTemplate({ restarted }: AgentDescriptor['summary']): boolean {
  return restarted === undefined;
}

/** True if nothing of the agent was ever seen: its transcript here is written by hand. */
function isUnseen({ testedWith }: AgentDescriptor): boolean {
  return testedWith.startsWith('not tried');
}

function abilitiesOf(agent: AgentDescriptor): Abilities {
  const { id, tested, testedWith, messages, launch, summary } = agent;
  const seen = tested ? REAL : isUnseen(agent) ? 'by documentation' : 'recorded';
  return {
    found: seen,
    followed: seen,
    alarm: tested ? REAL : /no outcome/.test(testedWith) ? 'impossible' : seen,
    'nudge while it works': evidence(agent, messages?.whileWorking, 'nudge'),
    idle: evidence(agent, messages?.wakesIdle, 'terminal'),
    stop: evidence(agent, messages?.stop, 'stop'),
    block: evidence(agent, messages?.blockCall, 'block'),
    restart: launch
      ? passed(id, 'resume')
        ? REAL
        : 'by documentation'
      : isOwnTemplate(summary)
        ? 'own template'
        : REAL,
  };
}

const isAsked = (event: AgentEvent, what: 'permission' | 'input'): boolean =>
  event.type === 'waiting' && event.for === what;
/** The person's own command, as the readers pass it on: as a prompt that the agent does not answer, or not at all. */
const OWN_COMMAND = /^\s*(?:!|<bash-input>|I ran the following shell command)/;

/** Situations, each with what shows it in a recording, and the actions with the real program that do. */
const SITUATIONS: readonly (readonly [string, (event: AgentEvent) => boolean, ...string[]])[] = [
  ['start', ({ type }) => type === 'session_info', 'nudge'],
  ['turn', ({ type }) => type === 'turn_end', 'retry', 'shell', 'sub-agent'],
  ['tool', (event) => event.type === 'tool_result' && event.outcome !== 'unknown', 'nudge'],
  ['permission', (event) => isAsked(event, 'permission'), 'asks'],
  ['plan', (event) => event.type === 'plan' || (event.type === 'waiting' && event.for === 'plan'), 'plan'],
  ['question', (event) => isAsked(event, 'input'), 'question'],
  ['error', ({ type }) => type === 'error', 'error', 'login'],
  ['interrupt', (event) => event.type === 'turn_end' && event.reason === 'interrupted', 'escape'],
  ['shell', (event) => event.type === 'user' && OWN_COMMAND.test(event.text), 'shell'],
  ['compaction', ({ type }) => type === 'compaction', 'compaction'],
  ['limit', (event) => event.type === 'error' && event.kind === 'rate_limit', 'limit'],
  ['sub-agent', (event) => event.type === 'session_info' && event.parent !== undefined, 'sub-agent', 'parent'],
  ['resume', () => false, 'resume', 'resumed'],
  ['fork', (event) => event.type === 'session_info' && event.forkedFrom !== undefined, 'fork', 'supervisor-fork'],
];
/** Readings that a real program or a recording showed to be wrong and that are not repaired yet. */
const WRONG: Readonly<Record<string, readonly string[]>> = {};

type Cell = 'R' | 'r' | '(r)' | 'wrong' | 'no' | '–';

/** Says how a cell is known, strongest evidence first. */
function cellOf(id: string, [name, shows, ...actions]: (typeof SITUATIONS)[number]): Cell {
  const { here = [], beside = [] } = recordings.get(id) ?? {};
  if (WRONG[id]?.includes(name)) return 'wrong';
  if (passed(id, ...actions)) return 'R';
  if (here.some(shows)) return 'r';
  if (NOT_IN_FILE[id]?.[name] !== undefined) return 'no';
  return beside.some(shows) ? '(r)' : '–';
}

const situationsOf = (agent: AgentDescriptor): readonly Cell[] =>
  SITUATIONS.map((one) => (isUnseen(agent) ? '–' : cellOf(agent.id, one)));

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

const abilities = table(
  ['agent', ...ABILITIES],
  agents.map((agent) => [agent.name, ...Object.values(abilitiesOf(agent))]),
);
const situationHead = ['agent', ...SITUATIONS.map(([name]) => name)];
const situationRows = agents.map((agent) => [agent.name, ...situationsOf(agent)]);
const situations = table(situationHead, situationRows);

const absent = agents
  .flatMap(({ id, name }) => {
    const reasons = Object.entries(NOT_IN_FILE[id] ?? {}).map(([what, why]) => `${what} (${why})`);
    return reasons.length === 0 ? [] : [`- ${name}: ${reasons.join(', ')}`];
  })
  .join('\n');

function counted(cells: readonly Cell[]): string {
  const of = (...which: readonly Cell[]) => cells.filter((cell) => which.includes(cell)).length;
  const right = of('R', 'r', '(r)');
  return `${right} right (${of('R')} with the real program), ${of('wrong')} wrong, ${of('no')} not in the file, ${of('–')} not tried`;
}

/**
 * Returns the table of situations with the rows that are on the page, and new ones for new agents: the files of this project alone show fewer situations
 * than the collected transcripts did.
 */
function withoutCollection(page: string): string {
  const part = page.slice(page.indexOf('<!-- situations: '), page.indexOf('<!-- /situations -->'));
  const rows = part
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.slice(2, -2).split(' | '));
  return table(
    situationHead,
    situationRows.map((row) => rows.find(([name]) => name === row[0]) ?? row),
  );
}

describe('docs/tried.md', () => {
  const written = (name: string, text: string) =>
    `<!-- ${name}: npm run table -- tried -->\n${text}\n<!-- /${name} -->`;
  const put = (page: string, name: string, text: string) =>
    page.replace(new RegExp(`<!-- ${name}: [^\\n]*\\n[\\s\\S]*?<!-- /${name} -->`), () => written(name, text));

  it('says for each ability how it is known', () => {
    console.log(`\n${abilities}\n\n${situations}\n`);
    if (process.env['UPDATE_GOLDEN']) {
      const before = readFileSync(PAGE, 'utf8');
      const page = put(put(before, 'abilities', abilities), 'not in the file', absent);
      writeFileSync(PAGE, put(page, 'situations', collected.length === 0 ? withoutCollection(before) : situations));
    }
    expect(readFileSync(PAGE, 'utf8')).toContain(written('abilities', abilities));
  });

  it('has a row of situations for each agent', () => {
    const page = readFileSync(PAGE, 'utf8');
    expect(page).toContain(written('situations', withoutCollection(page)));
  });

  it.skipIf(collected.length === 0)('says for each situation how it was seen', () => {
    console.log(counted(agents.flatMap(situationsOf)));
    expect(readFileSync(PAGE, 'utf8')).toContain(written('situations', situations));
    expect(readFileSync(PAGE, 'utf8')).toContain(written('not in the file', absent));
  });

  it.each(Object.entries(NOT_IN_FILE))('what the files of %s do not contain is in no recording', (id, reasons) => {
    const { here = [], beside = [] } = recordings.get(id) ?? {};
    expect(Object.keys(reasons).filter((name) => !SITUATIONS.some(([known]) => known === name))).toEqual([]);
    for (const [name, shows, ...actions] of SITUATIONS) {
      if (reasons[name] === undefined) continue;
      expect([...here, ...beside].find(shows), name).toBeUndefined();
      expect(passed(id, ...actions), name).toBe(false);
    }
  });
});

describe('README.md', () => {
  it('has at least ten agents that the real program nudged', () => {
    expect(agents.filter((agent) => abilitiesOf(agent)['nudge while it works'] === REAL).length).toBeGreaterThanOrEqual(
      10,
    );
  });

  it.each(agents.map((agent) => [agent.name, agent] as const))('claims for %s only what is known', (_, agent) => {
    const known = abilitiesOf(agent);
    const { nudged = 'no', stopped = 'no', refused = 'no' } = agent.summary;
    const claims = [
      [nudged, known['nudge while it works']],
      [stopped.replace(/^(?:only under|yes, in the chat) .*/, 'no'), known.stop],
      [refused, known.block],
    ] as const;
    for (const [claim, how] of claims) {
      if (claim === 'no') expect(how, claim).toMatch(/^(?:no bridge|impossible)$/);
      else expect(how, claim).toBe(/documentation/.test(claim) ? 'by documentation' : REAL);
    }
    if (!isOwnTemplate(agent.summary)) expect(known.restart).toBe(REAL);
  });
});
