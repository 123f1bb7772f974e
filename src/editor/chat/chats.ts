import * as vscode from 'vscode';
import { contains } from '../../agents/inbox';
import type { AgentView } from '../../core/model';
import { editorStorage } from './editor-storage';
import type { Services } from '../services';

/** The sessions of VS Code's own chat that belong to this window. */
export class Chats {
  constructor(private readonly services: Pick<Services, 'context'>) {}

  /** Returns true if this window's chat can show the agent. A sub-agent has no session of its own there. */
  isHere({ agent, file, parent }: AgentView): boolean {
    if (agent !== 'vscode-chat' || parent !== undefined) return false;
    const { editor } = editorStorage(this.services.context);
    return editor !== undefined && contains(editor.storage, file);
  }

  /** Brings exactly this session to the front and gives it the focus. */
  async show(view: AgentView): Promise<void> {
    await vscode.commands.executeCommand('vscode.open', sessionUri(view.session));
  }

  /** Cancels the turn of the session in front, if one runs. */
  async cancel(): Promise<void> {
    await vscode.commands.executeCommand('workbench.action.chat.cancel');
  }

  /**
   * Begins a new chat with a prompt, in agent mode. Text that a person has typed in the chat's box stays there.
   *
   * @param model id of the model that answers. Returns false if this window has no model of that id; the model that was chosen last then answers.
   */
  async begin(prompt: string, model?: string): Promise<boolean> {
    const [chosen] = model === undefined ? [] : await vscode.lm.selectChatModels({ id: model });
    const modelSelector = chosen && { vendor: chosen.vendor, id: chosen.id };
    await vscode.commands.executeCommand('workbench.action.chat.newChat');
    await vscode.commands.executeCommand('workbench.action.chat.open', {
      query: prompt,
      mode: 'agent',
      ...(modelSelector && { modelSelector }),
    });
    return model === undefined || chosen !== undefined;
  }

  /** Sends a prompt in the session in front. Text that a person has typed in its box stays there. */
  async ask(query: string): Promise<void> {
    await vscode.commands.executeCommand('workbench.action.chat.open', { query, preserveInput: true });
  }
}

/** Returns the address of a session, as VS Code itself writes it. */
function sessionUri(session: string): vscode.Uri {
  return vscode.Uri.from({
    scheme: 'vscode-chat-session',
    authority: 'local',
    path: `/${Buffer.from(session, 'utf8').toString('base64url')}`,
  });
}
