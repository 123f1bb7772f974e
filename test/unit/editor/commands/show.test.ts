import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { AgentView } from '../../../../src/core/model';
import type { CommandParts } from '../../../../src/editor/commands/parts';
import { openTranscript, showEvidence, showNextNeedingMe } from '../../../../src/editor/commands/show';
import { incident } from '../../history/support/incidents';
import { agentView } from '../support/views';
import { editor, resetEditor } from '../support/vscode';

vi.mock('vscode', () => import('../support/vscode'));
beforeEach(resetEditor);

describe('Next Agent That Needs Me', () => {
  /** Calls the command this many times, and returns what was shown. */
  function called(views: readonly AgentView[], times = 1) {
    const shown: string[] = [];
    const parts = {
      list: { audible: () => views },
      panels: { current: () => shown.at(-1), show: (session: string) => void shown.push(session) },
    } as unknown as CommandParts;
    for (let time = 0; time < times; time++) showNextNeedingMe(parts);
    return shown;
  }

  it('goes from one to the next in the order of the list, and starts again at the end', () => {
    const views = [
      agentView('asks', { kind: 'waiting', waitingFor: 'permission' }),
      agentView('stuck', { kind: 'stuck' }),
      agentView('silent', { kind: 'stalled' }),
      agentView('works'),
    ];
    expect(called(views, 3)).toEqual(['asks', 'stuck', 'asks']);
  });

  it('says so when no agent needs you', () => {
    expect(called([agentView('works')])).toEqual([]);
    expect(editor.shown.map(({ text }) => text)).toEqual(['No agent needs you.']);
  });
});

describe('a row', () => {
  const about = incident({ id: 'A', session: 's' });
  const views = [agentView('s'), agentView('t')];
  function stage() {
    const did: unknown[] = [];
    const parts = {
      services: {
        agents: { agent: (session: string) => views.find((view) => view.session === session) },
        engine: { session: (session: string) => (session === 's' ? { facts: { lastLine: 7 } } : undefined) },
        now: () => 0,
      },
      list: { views: () => views, placeName: () => '' },
      panels: {
        current: () => undefined,
        show: (session: string) => void did.push(['panel', session]),
        showIncident: ({ id }: { id: string }) => void did.push(['incident', id]),
      },
      transcripts: { show: (...where: unknown[]) => Promise.resolve(void did.push(where)) },
    } as unknown as CommandParts;
    return { did, parts };
  }

  it('opens its agent, its incident if the agent is no longer watched, otherwise the agent that is picked', async () => {
    const { did, parts } = stage();
    await showEvidence(parts, about);
    await showEvidence(parts, { ...about, session: 'gone' });
    await showEvidence(parts, undefined);
    editor.answers.push('$(pulse) Task of t');
    await showEvidence(parts, undefined);
    expect(did).toEqual([
      ['panel', 's'],
      ['incident', 'A'],
      ['panel', 't'],
    ]);
  });

  it('opens a transcript at its last evidence, otherwise at the last line that was read', async () => {
    const { did, parts } = stage();
    await openTranscript(parts, about);
    await openTranscript(parts, 's');
    await openTranscript(parts, 't');
    await openTranscript(parts, undefined);
    const { file } = agentView('s');
    expect(did).toEqual([
      [about.evidence.at(-1)?.source, 's'],
      [{ file, line: 7, offset: 0 }, 's'],
      [{ file, line: 1, offset: 0 }, 't'],
    ]);
  });
});
