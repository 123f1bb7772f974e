import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { AgentView } from '../../../../src/core/model';
import type { CommandParts } from '../../../../src/editor/commands/parts';
import { share } from '../../../../src/editor/commands/share';
import { T0, incident } from '../../history/support/incidents';
import { agentView } from '../support/views';
import { editor, env, opened, resetEditor } from '../support/vscode';

vi.mock('vscode', () => import('../support/vscode'));
beforeEach(resetEditor);

const about = incident({ id: 'A', session: 's' });
const stuck = agentView('s', { kind: 'stuck' }, { title: 'Fix it', incidents: [about] });
const OF_AGENT = ['Copy Summary', 'Copy Card'];
const OF_INCIDENT = ['Report Alarm…', 'Save Incident…'];

function parts(...views: readonly AgentView[]): CommandParts {
  return {
    services: {
      agents: {
        agent: (session: string) => views.find((view) => view.session === session),
        incidentsOf: () => [],
        timeline: () => undefined,
      },
      now: () => T0,
    },
    list: { views: () => views, placeName: () => '' },
    panels: { current: () => undefined },
    fixture: () => Promise.resolve({ ok: false, failure: { reason: 'several_sessions' } }),
  } as unknown as CommandParts;
}

describe('Share…', () => {
  it('offers the summary, the card and the alarm of a stuck agent', async () => {
    await share(parts(stuck), 's');
    expect(editor.picked).toEqual([[...OF_AGENT, ...OF_INCIDENT]]);
    expect([env.copied, opened]).toEqual([[], []]);
  });

  it('offers only what there is of an agent that is well', async () => {
    await share(parts(agentView('s')), undefined);
    expect(editor.picked).toEqual([OF_AGENT]);
  });

  it('offers what is kept of an incident of the history', async () => {
    await share(parts(), about);
    expect(editor.picked).toEqual([OF_INCIDENT]);
  });

  it('offers no incident of an agent on another machine: they are kept there', async () => {
    const machine = { name: 'build-1', presence: 'live', lastSeenAt: T0, accepts: [] } as const;
    await share(parts({ ...stuck, machine }), 's');
    expect(editor.picked).toEqual([OF_AGENT]);
  });

  it('copies no secret from a title', async () => {
    const title = `Fix it with sk-ant-api03-${'aB3'.repeat(20)}`;
    editor.answers.push('Copy Summary', 'Copy Card');
    for (let way = 0; way < 2; way++) await share(parts({ ...stuck, title }), 's');
    expect(env.copied).toHaveLength(2);
    for (const text of env.copied) expect(text).not.toContain('aB3aB3');
  });

  it('does what was chosen', async () => {
    editor.answers.push('Copy Summary', 'Report Alarm…');
    await share(parts(stuck), 's');
    expect(env.copied[0]).toContain('Fix it');
    await share(parts(stuck), 's');
    expect(opened.map(({ language }) => language)).toEqual(['markdown']);
  });
});
