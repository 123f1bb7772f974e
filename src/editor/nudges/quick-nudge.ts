import type { AgentView } from '../../core/model';
import { BUTTON_NAMES, NUDGE_QUEUED, nudgeQueued, nudgeSentTo } from '../../core/words';
import type { Connections } from '../connect/connect';
import type { HandsOf } from '../hands/hands';
import type { Panels } from '../panel/panels';
import { inform, warn } from '../voice';

/** The nudge of a notification or a row: sends the draft at once, and offers to take it back while it is queued. */
export class QuickNudge {
  constructor(
    private readonly hands: HandsOf,
    private readonly connections: Pick<Connections, 'connect'>,
    private readonly panels: Pick<Panels, 'show'>,
  ) {}

  async send(view: AgentView): Promise<void> {
    const draft = this.hands(view).messages.draft(view);
    if (draft === '') {
      this.panels.show(view.session);
      return;
    }
    const result = await this.hands(view).messages.send(view, draft, view.incidents[0]);
    if ('told' in result) return;
    if ('message' in result) {
      void warn(result.message);
      return;
    }
    // It is in the chat by now, before the person's eyes.
    if (result.sent.state === 'taken') return;
    const answer = await this.queued(view, draft);
    if (answer === BUTTON_NAMES['Connect Agent']) await this.connections.connect(view.agent);
    if (answer !== NUDGE_QUEUED.undo && answer !== NUDGE_QUEUED.edit) return;
    const trouble = await this.hands(view).messages.withdraw(view, result.sent.message.id);
    if (trouble) void warn(trouble);
    else if (answer === NUDGE_QUEUED.edit) this.panels.show(view.session, { editDraft: true });
  }

  private queued(view: AgentView, draft: string): Promise<string | undefined> {
    const { messages } = this.hands(view);
    if (!messages.canWithdraw(view)) return inform(nudgeSentTo(view.machine?.name ?? ''));
    const connected = messages.isConnected(view);
    const connect = connected || !messages.canConnect(view) ? [] : [BUTTON_NAMES['Connect Agent']];
    const text = nudgeQueued(view.title, draft, connected);
    return inform(text, ...connect, NUDGE_QUEUED.undo, NUDGE_QUEUED.edit);
  }
}
