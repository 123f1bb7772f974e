import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AgentDescriptor } from '../../../src/agents/descriptor';
import { descriptors, registry } from '../../../src/agents/registry';
import type { AgentEvent } from '../../../src/core/model';
import { NOT_IN_FILE } from './not-in-file';
import { collected, readRecordings } from './recordings';

const PAGE = readFileSync(join(__dirname, '../../../docs/agents.md'), 'utf8');
const TRIED = JSON.parse(readFileSync(join(__dirname, '../../agents/tried.json'), 'utf8')) as Readonly<
  Record<string, Readonly<Record<string, { readonly passed: boolean }>>>
>;
const recordings = await readRecordings();
const agents = descriptors.filter(({ id }) => id !== 'generic');

const eventsOf = (id: string): readonly AgentEvent[] => {
  const { here = [], beside = [] } = recordings.get(id) ?? {};
  return [...here, ...beside];
};
const shows = (id: string, what: (event: AgentEvent) => boolean): boolean => eventsOf(id).some(what);
const didPass = (id: string, ...actions: readonly string[]): boolean =>
  actions.some((action) => TRIED[id]?.[action]?.passed === true);
const adaptersOf = (id: string) => registry.filter((adapter) => adapter.id === id);

/** A call whose result is in a separate record, so that the call can be seen while it runs. */
function runsVisibly(id: string): boolean {
  const called = new Map<string, number>();
  return eventsOf(id).some((event) => {
    if (event.type === 'tool_call') called.set(`${event.source.file} ${event.id}`, event.source.offset);
    if (event.type !== 'tool_result') return false;
    const at = called.get(`${event.source.file} ${event.id}`);
    return at !== undefined && at !== event.source.offset;
  });
}

/** The event that a bold word at the start of a point of docs/agents.md claims. */
const POINTS: Readonly<Record<string, (event: AgentEvent) => boolean>> = {
  Steps: ({ type }) => type === 'tool_call',
  Failed: (event) => event.type === 'tool_result' && event.isError,
  Malformed: (event) => event.type === 'tool_result' && event.validation !== undefined,
  Denied: (event) => event.type === 'tool_result' && event.denied !== undefined,
  Refused: (event) => event.type === 'tool_result' && event.denied !== undefined,
  Tokens: ({ type }) => type === 'usage',
  Plan: ({ type }) => type === 'plan',
  Compaction: ({ type }) => type === 'compaction',
  'Sub-agents': (event) => event.type === 'session_info' && event.parent !== undefined,
  'The turn': ({ type }) => type === 'turn_end',
  'Turn end': ({ type }) => type === 'turn_end',
};
/** Actions with the real program that show the same. */
const ACTIONS: Readonly<Record<string, readonly string[]>> = {
  'Sub-agents': ['sub-agent', 'parent'],
  Compaction: ['compaction'],
  Denied: ['block'],
};
/** The event that "Not visible" denies, by a word of it. */
const INVISIBLE: readonly (readonly [RegExp, (event: AgentEvent) => boolean])[] = [
  [/\btokens\b/, ({ type }) => type === 'usage'],
  [/permission dialogs|permission request/, (event) => event.type === 'waiting' && event.for === 'permission'],
  [/\bsub-agents\b(?! \()/, (event) => event.type === 'session_info' && event.parent !== undefined],
];

/** The agents' sections of docs/agents.md: id and text. */
const sections = agents.flatMap((agent): readonly (readonly [AgentDescriptor, string])[] => {
  const name = (agent.fullName ?? agent.name).replace(/ \(.*/, '');
  const text = PAGE.split(/^## /m).find((section) => section.startsWith(name));
  return text === undefined ? [] : [[agent, text]];
});

describe.skipIf(collected.length === 0)('docs/agents.md', () => {
  it.each(sections.map(([agent, text]) => [agent.name, agent, text] as const))(
    'claims for %s only what was seen',
    (_, { id }, text) => {
      const points = [...text.matchAll(/\*\*([^*]{3,40})\*\*/g)].map(([, word = '']) => word);
      const unseen = points.filter((point) => {
        const what = POINTS[point];
        if (what === undefined || shows(id, what) || didPass(id, ...(ACTIONS[point] ?? []))) return false;
        const said = new RegExp(`\\*\\*${point}\\*\\*[^*]*\\(not seen`).test(text);
        return !said;
      });
      expect(unseen).toEqual([]);
      const invisible = text.split('**Not visible**')[1]?.split('\n\n')[0] ?? '';
      expect(
        INVISIBLE.filter(([words, what]) => words.test(invisible) && shows(id, what)).map(([words]) => words),
      ).toEqual([]);
    },
  );
});

describe.skipIf(collected.length === 0).each(agents.map((agent) => [agent.name, agent] as const))('%s', (_, agent) => {
  const { id, summary } = agent;
  const { waiting = 'no', loopCheck = 'none' } = agent.shows;

  it('has a running tool in its files if its row says so', () => {
    const said = agent.shows.runningTool;
    // A row of a database, or a document, is changed in place.
    const inLines = adaptersOf(id)[0]?.unit === 'line';
    if (said === 'yes') expect(inLines ? runsVisibly(id) : adaptersOf(id)[0]?.showsRunningTool).toBe(true);
    if (said === 'no') expect(adaptersOf(id).some((adapter) => adapter.showsRunningTool)).toBe(false);
  });

  it('waits visibly if its row says so', () => {
    const waits = shows(id, ({ type }) => type === 'waiting') || didPass(id, 'asks', 'question');
    if (/^yes\b/.test(waiting)) expect(waits).toBe(true);
    if (waiting === 'no') expect(waits).toBe(false);
  });

  it('ends its turns as its row says', () => {
    const ends = shows(id, ({ type }) => type === 'turn_end');
    if (/^(?:yes|inferred)/.test(agent.shows.turnEnd)) expect(ends).toBe(true);
  });

  it('marks its own check for loops if its row says so', () => {
    const marks = shows(id, ({ type }) => type === 'vendor_loop');
    if (loopCheck === 'written') expect(marks).toBe(true);
    if (/not seen/.test(loopCheck)) expect(marks).toBe(false);
    if (/^(?:none|not recorded)$/.test(loopCheck)) expect(marks).toBe(false);
  });

  it('is read as README.md says', () => {
    const read = summary.read;
    expect(/experimental/.test(read)).toBe(agent.experimental === true);
    expect(/from its database/.test(read)).toBe(
      adaptersOf(id)[0]?.unit === 'database' && !agent.experimental && id !== 'crush',
    );
    if (/with its sub-agents/.test(read)) expect(didPass(id, 'sub-agent', 'parent')).toBe(true);
    const knowsOutcomes = shows(id, (event) => event.type === 'tool_result' && event.outcome !== 'unknown');
    expect(knowsOutcomes).toBe(!/no outcomes/.test(read));
    expect(shows(id, ({ type }) => type === 'tool_call')).toBe(true);
    expect(NOT_IN_FILE[id]?.['tool'] === undefined).toBe(knowsOutcomes);
  });
});
