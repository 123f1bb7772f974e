import { beforeEach, expect, it, vi } from 'vitest';
import { mute, unmute } from '../../../../src/editor/commands/mute';
import type { CommandParts } from '../../../../src/editor/commands/parts';
import { T0, incident } from '../../history/support/incidents';
import { agentView } from '../support/views';
import { editor, resetEditor } from '../support/vscode';

vi.mock('vscode', () => import('../support/vscode'));
beforeEach(resetEditor);

const view = agentView('s', {}, { title: 'Fix it', incidents: [incident({ id: 'A', session: 's' })] });

function stage() {
  const did: string[] = [];
  const parts = {
    services: {
      engine: { changeIncident: (id: string, input: { type: string }) => void did.push(`${input.type} ${id}`) },
      now: () => T0,
    },
    list: { mute: (session: string, until: number) => void did.push(`mute ${session} for ${until - T0}`) },
  } as unknown as CommandParts;
  return { did, parts };
}

it('Mute for 1 Hour mutes at once, and says until when', async () => {
  const { did, parts } = stage();
  await mute(parts, view);
  expect(did).toEqual(['mute s for 3600000']);
  expect(editor.shown).toMatchObject([
    { text: expect.stringMatching(/^“Fix it” is muted until \d\d:\d\d\.$/), buttons: ['Unmute'] },
  ]);
});

it('Unmute, in its message or later, also frees what an earlier version muted', async () => {
  const { did, parts } = stage();
  editor.answers.push('Unmute');
  await mute(parts, view);
  expect(did).toEqual(['mute s for 3600000', 'mute s for 0', 'unmute A']);
  unmute(parts, view);
  expect(did.slice(3)).toEqual(['mute s for 0', 'unmute A']);
});
