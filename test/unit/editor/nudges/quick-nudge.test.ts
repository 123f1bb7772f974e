import { beforeEach, describe, expect, it, vi } from 'vitest';
import { QuickNudge } from '../../../../src/editor/nudges/quick-nudge';
import { Emitter } from '../../../../src/base/util/emitter';
import type { Reach } from '../../../../src/core/words';
import { PATIENCE } from '../../../support/patience';
import { FakeClock } from '../../history/support/fake-clock';
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
  /** The result of sending, if it is not a waiting message. */
  readonly result?: object;
}

/** The *Nudge* button on one agent, and what it did. */
function stage({ draft = 'Print the path.', reach = { kind: 'next_call' }, ...rest }: Situation = {}) {
  const { withdraws = true } = rest;
  const did: string[] = [];
  const changed = new Emitter<readonly string[]>();
  const clock = new FakeClock(T0);
  let deliveries: object[] = [];
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
              rest.hindrance === undefined
                ? (rest.result ?? { sent: { message: { id: 'M' } } })
                : { message: rest.hindrance },
            );
          },
          withdraw: (_view: unknown, id: string) => {
            did.push(`withdraw ${id}`);
            return Promise.resolve(rest.withdrawTrouble ?? null);
          },
        },
      }) as never,
    { show: (...args: unknown[]) => void did.push(`panel ${JSON.stringify(args)}`) },
    { agent: () => ({ ...view, deliveries }) as never, onDidChange: changed.event },
    clock,
  );
  /** Resolves once nothing is shown any more. */
  const press = () => quick.send(view);
  const shown = () => vi.waitFor(() => expect(editor.cancels.size).toBe(1), PATIENCE);
  const becomes = (state: string) => {
    deliveries = [{ message: { id: 'M' }, state }];
    changed.fire(['s']);
  };
  return { did, press, shown, becomes, clock };
}

function cancel(): void {
  for (const press of editor.cancels) press();
}

describe('Nudge on a row or in a notification', () => {
  it('sends the draft for the gravest incident at once, and says so while it is queued', async () => {
    const { did, press, shown, becomes } = stage();
    const over = press();
    await shown();
    becomes('queued');
    expect(editor.cancels.size).toBe(1);
    becomes('taken');
    await over;
    expect(did).toEqual(['send A: Print the path.']);
    expect(editor.passing).toEqual([`Nudge queued for “${view.title}”`, 'Print the path.']);
    // No button to undo it is left.
    expect([editor.shown, editor.cancels.size]).toEqual([[], 0]);
  });

  it('opens the panel if there is nothing to send', async () => {
    const { did, press } = stage({ draft: '' });
    await press();
    expect([did, editor.shown]).toEqual([['panel ["s"]'], []]);
  });

  it('is withdrawn with Cancel', async () => {
    const { did, press, shown } = stage();
    const over = press();
    await shown();
    cancel();
    await over;
    expect([did.slice(1), editor.shown]).toEqual([['withdraw M'], []]);
  });

  it('says that it is too late if the agent has it already', async () => {
    const { did, press, shown } = stage({ withdrawTrouble: 'It was taken.' });
    const over = press();
    await shown();
    cancel();
    await over;
    expect(editor.shown).toEqual([{ kind: 'warning', text: 'It was taken.', buttons: [] }]);
    expect(did.at(-1)).toBe('withdraw M');
  });

  it('is shown for two minutes at most, and stays queued', async () => {
    const { did, press, shown, clock } = stage();
    const over = press();
    await shown();
    clock.pass(2 * 60_000);
    await over;
    expect(did).toEqual(['send A: Print the path.']);
  });

  it('only says that it was sent if it cannot be withdrawn', async () => {
    const { press } = stage({ withdraws: false });
    await press();
    expect(editor.passing).toEqual([]);
    expect(editor.shown).toMatchObject([{ kind: 'information', buttons: [] }]);
  });

  it.each([
    ['the person was told while it was sent', { handled: true }],
    ['it is in the chat already', { sent: { message: { id: 'M' }, state: 'taken' } }],
  ])('says nothing more where %s', async (_, result) => {
    const { did, press } = stage({ result, withdraws: false });
    await press();
    expect([did, editor.shown, editor.passing]).toEqual([['send A: Print the path.'], [], []]);
  });

  it('is shown no longer than it is queued, even if it was taken at once', async () => {
    const { did, press, becomes } = stage();
    becomes('taken');
    await press();
    expect([did, editor.cancels.size]).toEqual([['send A: Print the path.'], 0]);
  });

  it('says why nothing was sent', async () => {
    const { press } = stage({ hindrance: 'The agent asks a question.' });
    await press();
    expect(editor.shown).toEqual([{ kind: 'warning', text: 'The agent asks a question.', buttons: [] }]);
  });

  it('says how it arrives if that is not the usual way', async () => {
    const { press, shown, becomes } = stage({ reach: { kind: 'next_prompt' } });
    const over = press();
    await shown();
    becomes('expired');
    await over;
    expect(editor.passing[1]).toBe('Print the path. Its turn has ended. The message arrives with your next prompt.');
  });
});
