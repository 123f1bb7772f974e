import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { CommandParts } from '../../../../src/editor/commands/parts';
import {
  type Argument,
  pickedIncident,
  pickAgent,
  pickFolder,
  pickHere,
  sessionOf,
} from '../../../../src/editor/commands/pick';
import { T0, incident } from '../../history/support/incidents';
import { agentView } from '../support/views';
import { editor, resetEditor } from '../support/vscode';

vi.mock('vscode', () => import('../support/vscode'));
beforeEach(resetEditor);

const view = agentView('s', {}, { title: 'Fix it', cwd: '/work/calc' });
const about = incident({ id: 'A', session: 's' });

interface Window {
  readonly views?: readonly ReturnType<typeof agentView>[];
  readonly current?: string;
  readonly folders?: readonly string[];
}

/** A window in which a command is called. */
function stage({ views = [view], current, folders = [] }: Window = {}) {
  const parts = {
    services: {
      agents: { agent: (session: string) => views.find((one) => one.session === session) },
      engine: {
        agent: (session: string) => views.find((one) => one.session === session),
      },
      folders: () => folders,
      now: () => T0,
    },
    panels: { current: () => current },
    list: {
      views: () => views,
      placeName: () => 'shop',
    },
  } as unknown as CommandParts;
  return {
    parts,
    agent: (argument?: Argument) => pickAgent(parts, argument, 'Which agent?'),
    folder: (argument?: Argument) => pickFolder(parts, argument),
  };
}

describe('the argument of a command', () => {
  const rows: readonly Argument[] = [
    's',
    about,
    { kind: 'incident', incident: about },
    { kind: 'agent', view },
    { kind: 'incident', view, incident: about },
  ];

  it('names a session by its id, by a row of either list, or by an incident', () => {
    expect(rows.map(sessionOf)).toEqual(['s', 's', 's', 's', 's']);
    expect(sessionOf(undefined)).toBeUndefined();
    expect(sessionOf({ kind: 'note', id: 'n', text: 'x' })).toBeUndefined();
    expect(sessionOf({ kind: 'group', group: 'Today', incidents: [about] })).toBeUndefined();
  });

  it('is an incident only if it names one', () => {
    expect(rows.map((row) => pickedIncident(row)?.id)).toEqual([undefined, 'A', 'A', undefined, 'A']);
    expect(pickedIncident(undefined)).toBeUndefined();
  });
});

describe('the agent that a command is for', () => {
  const other = agentView('t', { kind: 'stuck' }, { title: 'Migrate' });

  it('is the one that was named, otherwise the one of the panel', async () => {
    expect((await stage({ views: [view, other] }).agent('t'))?.session).toBe('t');
    expect((await stage({ views: [view, other], current: 't' }).agent())?.session).toBe('t');
    expect((await stage({ views: [view, other], current: 't' }).agent('s'))?.session).toBe('s');
    expect(editor.picked).toEqual([]);
  });

  it('is the only one there is', async () => {
    expect((await stage().agent())?.session).toBe('s');
    expect([editor.picked, editor.shown]).toEqual([[], []]);
  });

  it('is picked from several by icon and title', async () => {
    editor.answers.push('$(warning) Migrate');
    expect((await stage({ views: [view, other] }).agent())?.session).toBe('t');
    expect(editor.picked).toEqual([['$(pulse) Fix it', '$(warning) Migrate']]);
    expect(editor.questions).toEqual(['Which agent?']);
    expect(await stage({ views: [view, other] }).agent('gone')).toBeUndefined();
  });

  it('is never another agent in place of one that is gone', async () => {
    expect(await stage().agent('gone')).toBeUndefined();
    expect(await stage({ current: 'gone' }).agent()).toBeUndefined();
    expect(editor.picked).toEqual([['$(pulse) Fix it'], ['$(pulse) Fix it']]);
  });

  it('is none where nothing is watched, and the person is shown why', async () => {
    expect(await stage({ views: [] }).agent()).toBeUndefined();
    expect(editor.shown.map(({ text }) => text)).toEqual(['No agent is watched here yet.']);
  });
});

describe('an agent on another machine', () => {
  const there = agentView(
    'machine/build-1/x',
    {},
    { title: 'Elsewhere', machine: { name: 'build-1', presence: 'live', lastSeenAt: T0, accepts: [] } },
  );
  const others = [view, { ...view, session: 'second', title: 'Second' }, there];

  it('is refused by name where a command needs its files, and is not listed for such a command', async () => {
    const { parts } = stage({ views: others });
    expect(await pickHere(parts, there.session, 'Which agent?')).toBeUndefined();
    expect(editor.shown.map(({ text }) => text)).toEqual(['This agent runs on build-1. You can only do this there.']);
    await pickHere(parts, undefined, 'Which agent?');
    expect(editor.picked.at(-1)).toHaveLength(2);
    expect((await pickHere(parts, view.session, 'Which agent?'))?.session).toBe(view.session);
  });
});

describe('the folder that a command is for', () => {
  it('is where the agent works, whether it is named or in the panel', async () => {
    expect(await stage({ folders: ['/a', '/b'] }).folder('s')).toBe('/work/calc');
    expect(await stage({ folders: ['/a', '/b'], current: 's' }).folder()).toBe('/work/calc');
  });

  it('is the only open one, or the one that the person picks', async () => {
    expect(await stage({ folders: ['/a'] }).folder()).toBe('/a');
    expect(await stage().folder()).toBeUndefined();
    editor.answers.push('/b');
    expect(await stage({ folders: ['/a', '/b'] }).folder('gone')).toBe('/b');
    expect(editor.questions).toEqual(['Which folder?']);
  });
});
