import * as vscode from 'vscode';
import { t } from '../../util/l10n';
import type { AgentView } from '../../model';
import { BUTTON_NAMES, NUDGE_QUEUED } from '../../words';
import type { Connections } from '../connect';
import type { Nudges } from './nudges';
import type { Panels } from '../panel/panels';
import type { Routes } from './routes';
import type { Services } from '../services';

/** The nudge of a notification or a row: sends the draft at once, and offers to take it back while it is queued. */
export class QuickNudge {
  constructor(
    private readonly services: Services,
    private readonly nudges: Nudges,
    private readonly routes: Routes,
    private readonly connections: Connections,
    private readonly panels: Panels,
  ) {}

  async send(view: AgentView): Promise<void> {
    const draft = this.nudges.draft(view);
    if (draft === '') {
      this.panels.show(view.session);
      return;
    }
    const result = await this.nudges.send(view, draft, view.incidents[0]);
    if ('told' in result) return;
    if ('message' in result) {
      void vscode.window.showWarningMessage(result.message);
      return;
    }
    // It is in the chat by now, before the person's eyes.
    if (result.sent.state === 'taken') return;
    const answer = await this.queued(view);
    if (answer === BUTTON_NAMES['Connect Agent']) await this.connections.connect(view.agent);
    if (answer !== NUDGE_QUEUED.undo && answer !== NUDGE_QUEUED.edit) return;
    const trouble = await this.nudges.withdraw(view, result.sent.message.id);
    if (trouble) void vscode.window.showWarningMessage(trouble);
    else if (answer === NUDGE_QUEUED.edit) this.panels.show(view.session, { editDraft: true });
  }

  private queued(view: AgentView): Thenable<string | undefined> {
    const connected = this.routes.isConnected(view);
    const connect = connected || !this.services.bridges.has(view.agent) ? [] : [BUTTON_NAMES['Connect Agent']];
    const text = connected
      ? `${NUDGE_QUEUED.text}.`
      : `${NUDGE_QUEUED.text}. ${t`Nothing delivers it yet: the agent is not connected.`}`;
    return vscode.window.showInformationMessage(text, ...connect, NUDGE_QUEUED.undo, NUDGE_QUEUED.edit);
  }
}
