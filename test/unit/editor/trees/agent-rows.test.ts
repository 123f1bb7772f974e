import { describe, expect, it, vi } from 'vitest';
import type { AgentView } from '../../../../src/core/model';
import { incidentTreeRow, noteRow, sessionHover, sessionTreeRow } from '../../../../src/editor/trees/agent-rows';
import { MINUTE, T0, incident } from '../../history/support/incidents';
import { agentView } from '../support/views';

vi.mock('vscode', () => import('../support/vscode'));
vi.mock('../../../../src/editor/trees/theme-icon', () => ({ themeIcon: () => undefined }));

const NOW = T0 + 10 * MINUTE;
const ALONE = { place: '', context: '', surface: null, hasChildren: false, isMuted: false };
const machine = { name: 'build-1', presence: 'live', accepts: ['nudge', 'stop'] } as unknown as NonNullable<
  AgentView['machine']
>;

describe('the menus of a session', () => {
  const context = (view: AgentView, more = {}) => sessionTreeRow(view, { ...ALONE, ...more }, NOW).context;

  it.each([
    ['a working agent', agentView('s'), 'agent:working'],
    ['one that waits', agentView('s', { kind: 'waiting', waitingFor: 'permission' }), 'agent:waiting:permission'],
    ['one that probably waits', agentView('s', { kind: 'waiting', probable: true }), 'agent:waiting:probable'],
    ['one with an incident', agentView('s', {}, { incidents: [incident()] }), 'agent:working:incident'],
    [
      'one whose incident is muted',
      agentView('s', {}, { incidents: [incident({ state: 'muted' })] }),
      'agent:working:incident:muted',
    ],
    ['one on another machine', agentView('s', {}, { machine, incidents: [incident()] }), 'remote:working:nudge:stop'],
  ])('of %s', (_name, view, expected) => {
    expect(context(view)).toBe(expected);
  });

  it('offer Unmute for an agent that is muted, and its row says so', () => {
    const row = sessionTreeRow(agentView('s'), { ...ALONE, isMuted: true }, NOW);
    expect(row.context).toBe('agent:working:muted');
    expect(row.description).toMatch(/, muted$/);
  });

  it('depend on where it runs in this window', () => {
    expect(context(agentView('s'), { surface: 'terminal' })).toBe('agent:working:terminal');
  });
});

it('a row can be unfolded only if something is below it', () => {
  expect(sessionTreeRow(agentView('s'), ALONE, NOW)).not.toHaveProperty('children');
  expect(sessionTreeRow(agentView('s'), { ...ALONE, hasChildren: true }, NOW).children).toBe('closed');
});

it('a sub-agent is labelled as one', () => {
  expect(sessionTreeRow(agentView('s', {}, { parent: 'p' }), ALONE, NOW).description).toMatch(/^sub-agent, /);
});

it('a muted incident says that it is muted', () => {
  const row = incidentTreeRow(agentView('s'), incident({ state: 'muted' }), NOW);
  expect(row.description).toMatch(/, muted$/);
  expect(row.context).toBe('agent-incident');
  expect(incidentTreeRow(agentView('s', {}, { machine }), incident(), NOW).context).toBe('remote-incident');
});

it('the tooltip names the agent, its machine and its whole place', () => {
  const place = { folder: '/work/calc', worktree: 'fix', branch: 'main' } as never;
  const view = agentView('s', { kind: 'stuck' }, { machine });
  const lines = sessionHover(view, 'It is stuck.', place, NOW).map(({ text }) => text);
  expect(lines.slice(0, 5)).toEqual([
    'Task of s',
    'Claude Code, sonnet',
    'build-1',
    '/work/calc, worktree fix, main',
    'It is stuck.',
  ]);
  expect(lines).toHaveLength(6);
});

it('a note runs its command on a click', () => {
  const row = noteRow({ id: 'more', text: 'Show 3 More', command: 'unstuck.showMoreAgents' });
  expect(row.command).toEqual({ command: 'unstuck.showMoreAgents', title: 'Show 3 More' });
  expect(noteRow({ id: 'n', text: 'Nothing' })).not.toHaveProperty('command');
});
