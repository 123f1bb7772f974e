import type { Clock } from '../../base/clock';
import type { AgentView } from '../../core/model';
import { nudgeQueued, nudgeSentTo, plain, queuedStep, reachSentence } from '../../core/words';
import type { AgentSource } from '../agent-source';
import type { ControlsOf } from '../controls/controls';
import type { Panels } from '../panel/panels';
import { inform, warn, withProgress } from '../voice';

/** Time after which a waiting message is no longer news, milliseconds. The row and the panel still show it and can withdraw it. */
const SHOWN_MS = 2 * 60_000;

/**
 * Sends the nudge of a notification or a row: the draft, at once, after connecting if needed. While the nudge is queued, a notification says so, and
 * its *Cancel* withdraws it.
 */
export class QuickNudge {
  constructor(
    private readonly controls: ControlsOf,
    private readonly panels: Pick<Panels, 'show'>,
    private readonly agents: Pick<AgentSource, 'agent' | 'onDidChange'>,
    private readonly clock: Clock,
  ) {}

  async send(view: AgentView): Promise<void> {
    const { messages } = this.controls(view);
    const draft = messages.draft(view);
    if (draft === '') {
      this.panels.show(view.session);
      return;
    }
    const result = await messages.send(view, draft, view.incidents[0]);
    if ('handled' in result) return;
    if ('message' in result) {
      void warn(result.message);
      return;
    }
    // It is already in the chat, where the person sees it.
    if (result.sent.state === 'taken') return;
    if (!messages.canWithdraw(view)) {
      void inform(nudgeSentTo(view.machine?.name ?? ''));
      return;
    }
    const { id } = result.sent.message;
    if ((await this.whileQueued(view, id, draft)) !== 'cancelled') return;
    const trouble = await messages.withdraw(view, id);
    if (trouble) void warn(trouble);
  }

  /** Resolves when the message is no longer queued, when it is no longer news, or when the person cancels it. */
  private whileQueued(view: AgentView, id: string, draft: string): Thenable<'over' | 'cancelled'> {
    const reach = this.controls(view).messages.reach(view);
    // The usual way needs no explanation.
    const arrival = reach === null || reach.kind === 'next_call' ? '' : plain(reachSentence(reach, this.clock.now()));
    return withProgress(
      nudgeQueued(view.title),
      { location: 'notification', cancellable: true },
      (report, token) =>
        new Promise((done) => {
          report(queuedStep(draft, arrival));
          const end = (how: 'over' | 'cancelled') => {
            for (const one of waits) one.dispose();
            done(how);
          };
          const look = () => {
            if (!this.isQueued(view.session, id)) end('over');
          };
          const waits = [
            token.onCancellationRequested(() => end('cancelled')),
            this.agents.onDidChange((sessions) => {
              if (sessions.includes(view.session)) look();
            }),
            this.clock.after(SHOWN_MS, () => end('over')),
          ];
          look();
        }),
    );
  }

  private isQueued(session: string, id: string): boolean {
    const view = this.agents.agent(session);
    const delivery = view?.deliveries.find(({ message }) => message.id === id);
    // The inbox may not have been read since the message was written.
    return view !== undefined && (delivery === undefined || delivery.state === 'queued');
  }
}
