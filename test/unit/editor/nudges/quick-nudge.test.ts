import { beforeEach, describe, expect, it, vi } from 'vitest';
import { QuickNudge } from '../../../../src/editor/nudges/quick-nudge';
import type { Reach } from '../../../../src/core/words';
import { T0, incident } from '../../history/support/incidents';
import { agentView } from '../support/views';
import { editor, resetEditor } from '../support/vscode';

vi.mock('vscode', () => import('../support/vscode'));
beforeEach(resetEditor);

const view = agentView('s', {}, { incidents: [incident({ id: 'A' }), incident({ id: 'B' })] });

interface Situation {
  readonly draft?: string;
  readonly reach?: Reach;
  readonly hindrance?: string;
  readonly withdrawTrouble?: string | null;
  readonly withdraws?: boolean;
}

/** The button *Nudge* on one agent, and what it did. */
function stage({ draft = 'Print the path.', reach = { kind: 'next_call' }, ...rest }: Situation = {}) {
  const { withdraws = true } = rest;
  const did: string[] = [];
  const quick = new QuickNudge(
    () =>
      ({
        messages: {
          reach: () => reach,
          canWithdraw: () => withdraws,
          draft: () => draft,
          send: (_view: unknown, text: string, about: { id: string }) => {
            did.push(`send ${about.id}: ${text}`);
            return Promise.resolve(
              rest.hindrance === undefined ? { sent: { message: { id: 'M' } } } : { message: rest.hindrance },
            );
          },
          withdraw: (_view: unknown, id: string) => {
            did.push(`withdraw ${id}`);
            return Promise.resolve(rest.withdrawTrouble ?? null);
          },
        },
      }) as never,
    { show: (...args: unknown[]) => void did.push(`panel ${JSON.stringify(args)}`) },
    () => T0,
  );
  return { did, press: () => quick.send(view) };
}

describe('Nudge on a row or in a notification', () => {
  it('sends the draft for the gravest incident at once, and can be taken back', async () => {
    const { did, press } = stage();
    await press();
    expect(did).toEqual(['send A: Print the path.']);
    expect(editor.shown).toEqual([
      { kind: 'information', text: `Nudge queued for “${view.title}”: Print the path.`, buttons: ['Undo', 'Edit'] },
    ]);
  });

  it('opens the panel where there is nothing to send', async () => {
    const { did, press } = stage({ draft: '' });
    await press();
    expect([did, editor.shown]).toEqual([['panel ["s"]'], []]);
  });

  it('is taken back with Undo; Edit also opens the box with the draft', async () => {
    editor.answers.push('Undo');
    const undo = stage();
    await undo.press();
    expect(undo.did.slice(1)).toEqual(['withdraw M']);
    editor.answers.push('Edit');
    const edit = stage();
    await edit.press();
    expect(edit.did.slice(1)).toEqual(['withdraw M', 'panel ["s",{"editDraft":true}]']);
  });

  it('says that it is too late where the agent has it already', async () => {
    editor.answers.push('Edit');
    const { did, press } = stage({ withdrawTrouble: 'It was taken.' });
    await press();
    expect(editor.shown.at(-1)).toEqual({ kind: 'warning', text: 'It was taken.', buttons: [] });
    expect(did.at(-1)).toBe('withdraw M');
  });

  it('says why nothing was sent', async () => {
    const { press } = stage({ hindrance: 'The agent asks a question.' });
    await press();
    expect(editor.shown).toEqual([{ kind: 'warning', text: 'The agent asks a question.', buttons: [] }]);
  });

  it('says how it arrives where that is not the usual way', async () => {
    const { press } = stage({ reach: { kind: 'next_prompt' } });
    await press();
    expect(editor.shown[0]?.text).toBe(
      `Nudge queued for “${view.title}”: Print the path. Its turn has ended. The message arrives with your next prompt.`,
    );
  });
});
