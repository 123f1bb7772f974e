import { beforeEach, expect, it, vi } from 'vitest';
import { statusOf } from '../../../../src/ui/status/status';
import { StatusBar } from '../../../../src/ui/status/status-bar';
import { T0 } from '../../store/support/incidents';
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

it('goes to the window only when something about it is new', () => {
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
    command: { command: 'unstuck.showAgents', arguments: [] },
  });
});
