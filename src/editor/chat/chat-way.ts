import * as vscode from 'vscode';
import { inboxRoot, takeMessages } from '../../agents/inbox';
import type { AgentView } from '../../core/model';
import { chatHindrance } from '../../recover/decisions/chat-way';
import type { MessageSituation, Route } from '../../recover/decisions/reach';
import { presentable } from '../../base/util/redact';
import { CHAT_HINDRANCE_TEXTS, type ChatHindrance, chatFailed, steerQuestion } from '../../core/words';
import type { DirectWay } from '../nudges/nudges';
import type { SendResult } from '../controls/controls';
import { reachNow } from '../nudges/reach-now';
import type { Services } from '../services';
import type { Chats } from './chats';
import { askFirst, warn } from '../voice';

export interface ChatWayParts {
  readonly services: Pick<Services, 'engine' | 'folders' | 'settings' | 'now' | 'log'>;
  readonly chats: Chats;
  readonly routeOf: (view: AgentView) => Route;
  readonly situation: (view: AgentView) => MessageSituation;
}

/** Puts a message into this window's chat for an agent that gets messages from no hook: only after a click, and never over a person's draft. */
export class ChatWay implements DirectWay {
  constructor(private readonly parts: ChatWayParts) {}

  leadsTo(view: AgentView): boolean {
    return this.reach(view).kind === 'chat';
  }

  async send(view: AgentView, text: string, write: () => Promise<SendResult>): Promise<SendResult> {
    const { engine, log } = this.parts.services;
    const hindered = this.hindrance(view);
    if (hindered) return this.refuse(hindered, text);
    const reach = this.reach(view);
    const { message, detail, button } = steerQuestion(reach.kind === 'chat' && reach.runs);
    if ((await askFirst({ level: 'information', message, detail }, button)) !== button) return { handled: true };
    await this.parts.chats.show(view);
    // The person may have spent a while reading the question.
    const now = engine.agent(view.session) ?? view;
    const since = this.hindrance(now);
    if (since) return this.refuse(since, text);
    const written = await write();
    if (!('sent' in written)) return written;
    const taken = await this.take(now, written.sent.message.id);
    // A hook was faster: the agent already has the message.
    if (taken === null) return written;
    try {
      const before = this.reach(now);
      if (before.kind !== 'chat' || before.runs) await this.parts.chats.cancel();
      await this.parts.chats.ask(taken);
    } catch (error) {
      log.error(`the chat did not take a message: ${String(error)}`);
      return this.offer(chatFailed(), text);
    }
    return { sent: { ...written.sent, state: 'taken' } };
  }

  private reach(view: AgentView) {
    const { routeOf, situation, services } = this.parts;
    return reachNow(view, routeOf(view), situation(view), services);
  }

  private hindrance(view: AgentView): ChatHindrance | null {
    const { chats, services, situation } = this.parts;
    return chatHindrance({
      agent: situation(view),
      inThisWindow: chats.isHere(view),
      isSubAgent: view.parent !== undefined,
      version: vscode.version,
      hasOpenCall: view.doing?.kind === 'tool',
      asksNoPermission: services.engine.session(view.session)?.asksNoPermission ?? false,
    });
  }

  /** Takes the words of a message, unless it has been taken in the meantime. */
  private async take(view: AgentView, id: string): Promise<string | null> {
    const { folders, now, engine } = this.parts.services;
    const root = view.cwd === undefined ? null : inboxRoot(folders(), view.cwd);
    if (root === null) return null;
    const taken = await takeMessages({
      root,
      session: view.session,
      by: 'chat',
      now: now(),
      choose: (waiting) => waiting.filter((one) => one.id === id),
    });
    engine.mailChanged(view.session);
    return taken.ok ? (taken.value.messages[0]?.text ?? null) : null;
  }

  private refuse(why: ChatHindrance, text: string): Promise<SendResult> {
    return this.offer(CHAT_HINDRANCE_TEXTS[why], text);
  }

  private async offer(message: string, text: string): Promise<SendResult> {
    if ((await warn(message, 'Copy')) === 'Copy') await vscode.env.clipboard.writeText(presentable(text));
    return { handled: true };
  }
}
