import type { AgentView } from '../../core/model';
import { NUDGE_QUEUED, nudgeQueued, nudgeSentTo, plain, reachSentence } from '../../core/words';
import type { HandsOf } from '../hands/hands';
import type { Panels } from '../panel/panels';
import { inform, warn } from '../voice';

/** The nudge of a notification or a row: sends the draft at once, after connecting where that is needed, and offers to take it back while it is queued. */
export class QuickNudge {
  constructor(
    private readonly hands: HandsOf,
    private readonly panels: Pick<Panels, 'show'>,
    private readonly now: () => number,
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
    if (answer !== NUDGE_QUEUED.undo && answer !== NUDGE_QUEUED.edit) return;
    const trouble = await this.hands(view).messages.withdraw(view, result.sent.message.id);
    if (trouble) void warn(trouble);
    else if (answer === NUDGE_QUEUED.edit) this.panels.show(view.session, { editDraft: true });
  }

  private queued(view: AgentView, draft: string): Promise<string | undefined> {
    const { messages } = this.hands(view);
    if (!messages.canWithdraw(view)) return inform(nudgeSentTo(view.machine?.name ?? ''));
    const reach = messages.reach(view);
    // The usual way needs no words.
    const arrival = reach === null || reach.kind === 'next_call' ? '' : plain(reachSentence(reach, this.now()));
    return inform(nudgeQueued(view.title, draft, arrival), NUDGE_QUEUED.undo, NUDGE_QUEUED.edit);
  }
}
