import * as vscode from 'vscode';
import type { AgentView } from '../../model';
import { signs, signsInLine } from '../../util/showable';
import { BUTTON_NAMES, NUDGE_QUEUED, nudgeQueued } from '../../words';
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
    const answer = await this.queued(view, draft);
    if (answer === BUTTON_NAMES['Connect Agent']) await this.connections.connect(view.agent);
    if (answer !== NUDGE_QUEUED.undo && answer !== NUDGE_QUEUED.edit) return;
    const trouble = await this.nudges.withdraw(view, result.sent.message.id);
    if (trouble) void vscode.window.showWarningMessage(trouble);
    else if (answer === NUDGE_QUEUED.edit) this.panels.show(view.session, { editDraft: true });
  }

  private queued(view: AgentView, draft: string): Thenable<string | undefined> {
    const connected = this.routes.isConnected(view);
    const connect = connected || !this.services.bridges.has(view.agent) ? [] : [BUTTON_NAMES['Connect Agent']];
    const text = nudgeQueued(signsInLine(view.title), signs(draft), connected);
    return vscode.window.showInformationMessage(text, ...connect, NUDGE_QUEUED.undo, NUDGE_QUEUED.edit);
  }
}
