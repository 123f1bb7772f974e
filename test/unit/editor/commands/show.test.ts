import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { AgentView } from '../../../../src/core/model';
import type { CommandParts } from '../../../../src/editor/commands/parts';
import { showNextNeedingMe } from '../../../../src/editor/commands/show';
import { agentView } from '../support/views';
import { editor, resetEditor } from '../support/vscode';

vi.mock('vscode', () => import('../support/vscode'));
beforeEach(resetEditor);

describe('Next Agent That Needs Me', () => {
  /** Calls the command so many times, and gives what was shown. */
  function called(views: readonly AgentView[], times = 1) {
    const shown: string[] = [];
    const parts = {
      list: { audible: () => views },
      panels: { current: () => shown.at(-1), show: (session: string) => void shown.push(session) },
    } as unknown as CommandParts;
    for (let time = 0; time < times; time++) showNextNeedingMe(parts);
    return shown;
  }

  it('goes from one to the next, in the order of the list, and round again', () => {
    const views = [
      agentView('asks', { kind: 'waiting', waitingFor: 'permission' }),
      agentView('stuck', { kind: 'stuck' }),
      agentView('silent', { kind: 'stalled' }),
      agentView('works'),
    ];
    expect(called(views, 3)).toEqual(['asks', 'stuck', 'asks']);
  });

  it('says so where nobody is needed', () => {
    expect(called([agentView('works')])).toEqual([]);
    expect(editor.shown.map(({ text }) => text)).toEqual(['No agent needs you.']);
  });
});
