import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createDecoder } from '../../../src/agents/decoders';
import type { AgentDescriptor } from '../../../src/agents/descriptor';
import { descriptors, registry } from '../../../src/agents/registry';
import type { AgentEvent } from '../../../src/core/model';
import { recognise } from '../../../src/engine/follow/recognise';
import { transcriptsBelow } from './support';

/** What `npm run test:agents -- … --record` wrote: agent, action, and whether it passed with the real program. */
const TRIED = JSON.parse(readFileSync(join(__dirname, '../../agents/tried.json'), 'utf8')) as Readonly<
  Record<string, Readonly<Record<string, { readonly passed: boolean }>>>
>;
const PAGE = join(__dirname, '../../../docs/tried.md');
const REAL = 'real program';
const ABILITIES = ['found', 'followed', 'alarm', 'nudge while it works', 'idle', 'stop', 'block', 'restart'] as const;
type Abilities = Readonly<Record<(typeof ABILITIES)[number], string>>;

const agents = descriptors.filter(({ id }) => id !== 'generic');
const ENDINGS = ['.jsonl', '.json', '.traj', '.log', '.md'] as const;
const GOLDEN = join(__dirname, '../../golden/fixtures');
/** Those beside the project, where there are some. */
const collected = ENDINGS.flatMap((ending) => transcriptsBelow(ending));
const golden = readdirSync(GOLDEN, { recursive: true, encoding: 'utf8' })
  .filter((name) => ENDINGS.some((ending) => name.endsWith(ending)))
  .map((name) => join(GOLDEN, name));
const events = eventsIn([...golden, ...collected].filter((file) => !/\.rows\.jsonl$|\/hooks\.jsonl$/.test(file)));

/** What recordings decode to, by agent. Databases are left to their own tests. */
function eventsIn(files: readonly string[]): ReadonlyMap<string, readonly AgentEvent[]> {
  const found = new Map<string, AgentEvent[]>();
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    const adapter = recognise(registry, text.slice(0, 65_536), file);
    if (!adapter || adapter.unit === 'database') continue;
    const list = found.get(adapter.id) ?? [];
    found.set(adapter.id, list);
    const decoder = createDecoder(adapter, { file, readSmall: () => undefined });
    const sink = { event: (event: AgentEvent) => void list.push(event), problem: () => undefined };
    if (decoder.unit === 'document') decoder.decode(text, sink);
    else if (decoder.unit === 'line')
      for (const [index, line] of text.split('\n').entries())
        if (line !== '') decoder.decode({ text: line, line: index + 1, offset: index }, sink);
  }
  return found;
}

function passed(id: string, ...actions: readonly string[]): boolean {
  return actions.some((action) => TRIED[id]?.[action]?.passed === true);
}

/** How an ability of a message is known. `said`: what the descriptor says of it. */
function evidence({ id, tested }: AgentDescriptor, said: string | undefined, ...actions: readonly string[]): string {
  if (said === undefined) return 'no bridge';
  if (said === 'not tried') return said;
  if (/^(?:no|not by a message)\b/.test(said)) return 'impossible';
  if (!tested) return 'by documentation';
  // Its own suite: npm run test:suite -- vscode-chat.
  return passed(id, ...actions) || id === 'vscode-chat' ? REAL : 'not tried';
}

function abilitiesOf(agent: AgentDescriptor): Abilities {
  const { id, tested, testedWith, messages, launch, summary } = agent;
  const seen = tested ? REAL : 'recorded';
  return {
    found: seen,
    followed: seen,
    alarm: tested ? REAL : /no outcome/.test(testedWith) ? 'impossible' : 'recorded',
    'nudge while it works': evidence(agent, messages?.whileWorking, 'nudge'),
    idle: evidence(agent, messages?.wakesIdle, 'terminal'),
    stop: evidence(agent, messages?.stop, 'stop'),
    block: evidence(agent, messages?.blockCall, 'block'),
    restart: launch
      ? passed(id, 'resume')
        ? REAL
        : 'by documentation'
      : /^(?:no|with your own template)$/.test(summary.restarted)
        ? 'own template'
        : REAL,
  };
}

const SITUATIONS: readonly (readonly [string, (event: AgentEvent) => boolean, ...string[]])[] = [
  ['start', ({ type }) => type === 'session_info', 'nudge'],
  ['turn', ({ type }) => type === 'turn_end', 'end', 'terminal'],
  ['tool', ({ type }) => type === 'tool_result', 'nudge'],
  ['permission', (event) => event.type === 'waiting' && event.for !== 'input', 'permission'],
  ['plan', ({ type }) => type === 'plan'],
  ['question', (event) => event.type === 'waiting' && event.for === 'input'],
  ['error', ({ type }) => type === 'error', 'error'],
  ['interrupt', (event) => event.type === 'turn_end' && event.reason === 'interrupted', 'escape'],
  ['refused', (event) => event.type === 'tool_result' && event.denied !== undefined, 'block'],
  ['compaction', ({ type }) => type === 'compaction'],
  ['limit', (event) => event.type === 'error' && event.kind === 'rate_limit', 'limit'],
  ['sub-agent', (event) => event.type === 'session_info' && event.parent !== undefined, 'parent'],
  ['resume', () => false, 'resume'],
  ['fork', () => false, 'fork'],
];

/** R: right with the real program; r: right in a recording; –: neither was seen. */
function situationsOf({ id }: AgentDescriptor): readonly string[] {
  return SITUATIONS.map(([, shows, ...actions]) => {
    if (passed(id, ...actions)) return 'R';
    return (events.get(id) ?? []).some(shows) ? 'r' : '–';
  });
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

const abilities = table(
  ['agent', ...ABILITIES],
  agents.map((agent) => [agent.name, ...Object.values(abilitiesOf(agent))]),
);
const situations = table(
  ['agent', ...SITUATIONS.map(([name]) => name)],
  agents.map((agent) => [agent.name, ...situationsOf(agent)]),
);

describe('docs/tried.md', () => {
  const written = (name: string, text: string) =>
    `<!-- ${name}: npm run table -- tried -->\n${text}\n<!-- /${name} -->`;
  const put = (page: string, name: string, text: string) =>
    page.replace(new RegExp(`<!-- ${name}: [^\\n]*\\n[\\s\\S]*?<!-- /${name} -->`), () => written(name, text));

  it('says of each ability how it is known', () => {
    console.log(`\n${abilities}\n\n${situations}\n`);
    if (process.env['UPDATE_GOLDEN']) {
      const page = put(readFileSync(PAGE, 'utf8'), 'abilities', abilities);
      // The repository alone shows fewer situations than the collected transcripts did.
      writeFileSync(PAGE, collected.length === 0 ? page : put(page, 'situations', situations));
    }
    expect(readFileSync(PAGE, 'utf8')).toContain(written('abilities', abilities));
  });

  it.skipIf(collected.length === 0)('says of each situation by what it was seen', () => {
    expect(readFileSync(PAGE, 'utf8')).toContain(written('situations', situations));
  });
});

describe('README.md', () => {
  it('has at least ten agents that were nudged by the real program', () => {
    expect(agents.filter((agent) => abilitiesOf(agent)['nudge while it works'] === REAL).length).toBeGreaterThanOrEqual(
      10,
    );
  });

  it.each(agents.map((agent) => [agent.name, agent] as const))('claims of %s what is known', (_, agent) => {
    const known = abilitiesOf(agent);
    const claims = [
      [agent.summary.nudged, known['nudge while it works']],
      [agent.summary.stopped.replace(/^(?:only under|yes, in the chat) .*/, 'no'), known.stop],
      [agent.summary.refused, known.block],
    ] as const;
    for (const [claim, how] of claims) {
      if (claim === 'no') expect(how, claim).toMatch(/^(?:no bridge|impossible)$/);
      else expect(how, claim).toBe(/documentation/.test(claim) ? 'by documentation' : REAL);
    }
    if (!/^(?:no|with your own template)$/.test(agent.summary.restarted)) expect(known.restart).toBe(REAL);
  });
});
