import { beforeEach, expect, it, vi } from 'vitest';
import { statusOf } from '../../../../src/editor/status/status';
import { StatusBar } from '../../../../src/editor/status/status-bar';
import { T0 } from '../../history/support/incidents';
import { agentView } from '../support/views';
import { editor, resetEditor } from '../support/vscode';

vi.mock('vscode', () => import('../support/vscode'));

const of = (...views: Parameters<typeof statusOf>[0]['views']) =>
  statusOf({ views, isSeen: () => false, paused: false, trusted: true });
const stuck = agentView('s', { kind: 'stuck' });

beforeEach(resetEditor);

it('leads to the agent that needs a person', () => {
  new StatusBar().show(of(stuck), T0);
  expect(editor.item).toMatchObject({
    text: '$(warning) 1 stuck',
    backgroundColor: { id: 'statusBarItem.warningBackground' },
    command: { command: 'unstuck.showEvidence', arguments: ['s'] },
  });
});

it('is updated only when something about it is new', () => {
  const bar = new StatusBar();
  bar.show(of(stuck), T0);
  bar.show(of(stuck), T0);
  expect(editor.item.show).toHaveBeenCalledTimes(1);
  bar.show(of(stuck, agentView('t')), T0);
  expect(editor.item.show).toHaveBeenCalledTimes(2);
});

it('is hidden while no agent runs, and comes back as it was', () => {
  const bar = new StatusBar();
  bar.show(of(agentView('s')), T0);
  bar.show(of(), T0);
  expect(editor.item.hide).toHaveBeenCalledTimes(1);
  bar.show(of(agentView('s')), T0);
  expect(editor.item.show).toHaveBeenCalledTimes(2);
  expect(editor.item).toMatchObject({
    backgroundColor: undefined,
    command: { command: 'unstuck.agents.focus', arguments: [] },
  });
});

it('lists the first eight agents in its tooltip, and says how many more there are', () => {
  const views = Array.from({ length: 9 }, (_, i) => agentView(`${i}`, {}, { title: `Task ${i}\u202e` }));
  new StatusBar().show(of(agentView('s', { kind: 'stuck', since: T0 }), ...views), T0 + 60_000);
  const lines = (editor.item.tooltip as { value: string }).value.split('\n\n');
  expect(lines).toHaveLength(10);
  expect(lines.slice(0, 3)).toEqual([
    '1 agent is stuck',
    '$(warning) Task of s\\: stuck for 1 min',
    '$(pulse) Task 0\ufffd\\: working\\, thinking',
  ]);
  expect(lines.at(-1)).toBe('and 2 more');
  expect(editor.item).toMatchObject({
    name: 'Unstuck',
    accessibilityInformation: { label: 'Unstuck, 1 agent is stuck, 10 watched' },
  });
});

it('leads to what removes a hindrance, and is disposed of with its window', () => {
  const bar = new StatusBar();
  const commands = [
    { paused: true, trusted: true },
    { paused: false, trusted: false },
  ].map((now) => {
    bar.show(statusOf({ views: now.paused ? [] : [agentView('a')], isSeen: () => false, ...now }), T0);
    return (editor.item.command as { command: string }).command;
  });
  expect(commands).toEqual(['unstuck.resume', 'workbench.trust.manage']);
  bar.dispose();
  expect(editor.item.dispose).toHaveBeenCalledTimes(1);
});

it.each([
  [{ kind: 'waiting', waitingFor: 'question' }, 'unstuck.showEvidence'],
  [{ kind: 'recovering' }, 'unstuck.showEvidence'],
] as const)('of an agent that is %j opens it', (state, command) => {
  new StatusBar().show(of(agentView('s', state)), T0);
  expect(editor.item.command).toMatchObject({ command, arguments: ['s'] });
});
