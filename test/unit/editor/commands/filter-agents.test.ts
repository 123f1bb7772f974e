import { beforeEach, expect, it, vi } from 'vitest';
import type { AgentList } from '../../../../src/editor/agent-list';
import { filterAgents } from '../../../../src/editor/commands/filter-agents';
import { editor, resetEditor } from '../support/vscode';

vi.mock('vscode', () => import('../support/vscode'));
beforeEach(resetEditor);

it('Filter Agents… ticks what is shown, and shows what is ticked', async () => {
  const did: string[] = [];
  const list = {
    shown: { finished: true, others: false },
    showFinished: (on: boolean) => void did.push(`finished ${on}`),
    showOtherFolders: (on: boolean) => void did.push(`others ${on}`),
  } as unknown as AgentList;
  editor.answers.push('Agents in Other Folders');
  await filterAgents(list);
  expect(editor.picks[0]).toEqual([
    { label: 'Finished Agents', picked: true },
    { label: 'Agents in Other Folders', picked: false },
  ]);
  expect(did).toEqual(['finished false', 'others true']);
});
