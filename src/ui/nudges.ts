import * as vscode from 'vscode';
import { withdrawMessage } from '../inbox/waiting';
import { draftOf, sendMessage } from '../inbox/send';
import { waitingOf } from '../engine/agent-state';
import { inboxRoot } from '../inbox/root';
import type { AgentView, Delivery, Incident } from '../model';
import { draftNudge } from '../recover/draft';
import { redact } from '../util/redact';
import type { Services } from './services';

/** Why a nudge was not written, in one clear sentence for the person. */
export interface NotSent {
  readonly reason: 'untrusted' | 'no_folder' | 'waits_for_user' | 'finished' | 'queued' | 'other_window' | 'inbox';
  readonly message: string;
}

export type SendResult = { readonly sent: Delivery } | NotSent;

/** Writes nudges into agents' inboxes, takes them back, sends them again. */
export class Nudges {
  constructor(private readonly services: Services) {}

  /** The text that would be sent for an agent's gravest incident; empty where nothing is wrong. */
  draft(view: AgentView): string {
    const incident = view.incidents[0];
    return incident ? draftNudge(incident, { automatic: false, now: this.services.now() }) : '';
  }

  /** Why a nudge cannot be written for this agent now; null when it can. */
  hindrance(view: AgentView): NotSent | null {
    if (!vscode.workspace.isTrusted)
      return { reason: 'untrusted', message: 'Nudges are off until you trust this folder.' };
    if (view.state.kind === 'finished')
      return { reason: 'finished', message: 'This agent has finished. Nothing would read the message.' };
    const session = this.services.engine.session(view.session);
    // A stuck agent may wait as well, which its state does not show.
    const waits = session ? waitingOf(session.facts, session.liveness) : view.state;
    if (waits?.waitingFor === 'permission') {
      return {
        reason: 'waits_for_user',
        message: 'The agent asks for permission. Answer it first; a nudge could be read as consent.',
      };
    }
    if (this.rootOf(view) === null) {
      return {
        reason: 'no_folder',
        message: 'This agent works in a folder that is not open here. Open its folder to nudge it.',
      };
    }
    return null;
  }

  async send(view: AgentView, text: string, incident: Incident | undefined): Promise<SendResult> {
    const hindrance = this.hindrance(view);
    const root = this.rootOf(view);
    if (hindrance || root === null)
      return hindrance ?? { reason: 'no_folder', message: 'This agent works in no open folder.' };
    const { store, settings, now } = this.services;
    const waits = incident?.attempts.some(
      ({ kind, state, at }) => kind === 'nudge' && state === 'queued' && now() - at < settings().nudgeExpiryMs,
    );
    // Also where it was sent from another window: a second one would say the same.
    if (waits) return { reason: 'queued', message: 'A nudge for this is queued already. Undo it to send another one.' };
    const attempt = (incident?.attempts.length ?? 0) + 1;
    // Two windows on one folder: one of them sends.
    const claim = incident ? await store.claim(incident, `send:${attempt}`) : null;
    if (incident && !claim)
      return { reason: 'other_window', message: 'Another window has just sent a nudge for this.' };
    const sent = await sendMessage(
      root,
      {
        session: view.session,
        agent: view.agent,
        kind: 'nudge',
        text: redact(text),
        automated: false,
        expiresIn: settings().nudgeExpiryMs,
        ...(incident && { incident: incident.id, attempt }),
      },
      now(),
    );
    if (!sent.ok) {
      await claim?.release();
      return { reason: 'inbox', message: sent.error.message };
    }
    await claim?.done();
    this.note(view, sent.value, incident, attempt);
    return { sent: sent.value };
  }

  /** Takes a message back while it waits; says whether it could. */
  async withdraw(view: AgentView, id: string): Promise<string | null> {
    const root = this.rootOf(view);
    if (root === null) return 'This agent works in no open folder.';
    const withdrawn = await withdrawMessage(root, view.session, id, this.services.now());
    this.services.engine.mailChanged(view.session);
    return withdrawn.ok ? null : withdrawn.error.message;
  }

  /** The same words once more, for a message that expired or failed. */
  async sendAgain(view: AgentView, delivery: Delivery): Promise<SendResult> {
    const incident = view.incidents.find((one) => one.id === delivery.message.incident);
    return this.send(view, draftOf(delivery.message).text, incident);
  }

  private rootOf(view: AgentView): string | null {
    return view.cwd === undefined ? null : inboxRoot(this.services.folders(), view.cwd);
  }

  private note(view: AgentView, delivery: Delivery, incident: Incident | undefined, attempt: number): void {
    const { engine, store, now, log } = this.services;
    if (incident) {
      engine.changeIncident(incident.id, {
        type: 'attempt',
        attempt: { attempt, kind: 'nudge', message: delivery.message.id, at: now(), automated: false, state: 'queued' },
      });
    }
    engine.mailChanged(view.session);
    store
      .appendEvent({
        t: now(),
        type: 'Recovery',
        session: view.session,
        agent: view.agent,
        data: { action: 'nudge', message: delivery.message.id, attempt, automated: false },
        ...(incident && { incident: incident.id }),
      })
      .catch((error: unknown) => log.warn(`the event log could not be written: ${String(error)}`));
  }
}
