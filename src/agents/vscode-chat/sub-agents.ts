import type { Conversation } from '../shared/conversation';
import { asRecord, asText, Recent } from '../shared/decode';

interface Running {
  readonly call: string;
  readonly session: string;
  readonly prompt: string;
}

/**
 * Sub-agents of a session. Their records are among those of the agent that started them: with the log, each call names the call that started its
 * agent; without it, everything after the sub-agent's prompt belongs to the sub-agent until it ends.
 */
export class SubAgents {
  private running: Running[] = [];
  /** The sub-agent whose prompt came last. */
  private speaking: Running | null = null;
  private readonly parents = new Recent<string, string>(2_000);
  private readonly introduced = new Recent<string, true>(500);

  constructor(private readonly conversation: Conversation) {}

  /** Returns the session of the current records, as far as their order shows it. */
  get current(): string {
    return this.speaking?.session ?? this.conversation.session;
  }

  /** Returns the session of a call. */
  sessionOf(call: string | undefined): string {
    const parent = call === undefined ? undefined : this.parents.get(call);
    const of = parent === undefined ? undefined : this.running.find((one) => one.call === parent);
    if (of) return this.introduce(of.session);
    if (call !== undefined && this.running.some((one) => one.call === call)) return this.conversation.session;
    return this.current;
  }

  /** Notes the call that started the agent of another one, from the log. */
  learn(call: string, parent: string): void {
    this.parents.set(call, parent);
  }

  called(call: string, args: unknown): void {
    const prompt = asText(asRecord(args)?.['prompt']) ?? '';
    const role = asText(asRecord(args)?.['agentName']);
    const title = asText(asRecord(args)?.['description']);
    const session = `${this.conversation.session}_${call}`;
    this.running.push({ call, session, prompt });
    if (this.running.length > 50) this.running.shift();
    this.facts.set(session, { ...(role !== undefined && { role }), ...(title !== undefined && { title }) });
  }

  /** Handles a prompt: returns the session of the sub-agent that begins with it, null if a person wrote it. */
  began(text: string): string | null {
    const of = this.running.find(
      (one) => one.prompt !== '' && one.prompt.trim() === text.trim() && one !== this.speaking,
    );
    if (!of) return null;
    this.speaking = of;
    return this.introduce(of.session);
  }

  /** Handles the end of a call: returns the session of the sub-agent that ended with it, if the call started one that was seen. */
  ended(call: string): string | null {
    const of = this.running.find((one) => one.call === call);
    if (!of) return null;
    this.running = this.running.filter((one) => one !== of);
    if (this.speaking === of) this.speaking = null;
    return this.introduced.has(of.session) ? of.session : null;
  }

  private readonly facts = new Recent<string, { role?: string; title?: string }>(100);

  private introduce(session: string): string {
    if (this.introduced.has(session)) return session;
    this.introduced.set(session, true);
    const { cwd } = this.conversation.facts;
    this.conversation.emitFor(session, {
      type: 'session_info',
      parent: this.conversation.session,
      ...this.facts.get(session),
      ...(cwd !== undefined && { cwd }),
    });
    return session;
  }
}
