import { Conversation } from '../shared/conversation';
import { at } from '../shared/decode';
import { planItems } from '../shared/decode/plan-items';
import { markOf } from '../inbox/messages/mark';
import { CallBook } from './calls';
import type { LogFact } from './log-facts';
import { LogSide } from './log-side';
import { readResult } from './outcome';
import { SubAgents } from './sub-agents';
import { TURN_STATE, TurnLog } from './turn-log';
import { TOOLS } from './tools';
import { type NamedCall, TurnClock } from './turn-clock';
import { Waits } from './waits';

/**
 * Joins the files of one session: steps from the transcript, outcomes from the first source that has them, prompts and ends of turns from both.
 * Reported in the order of the transcript; without one, in that of the log.
 */
export class Join {
  readonly conversation: Conversation;
  private readonly calls: CallBook;
  private readonly timeline = new TurnLog();
  private readonly subAgents: SubAgents;
  private isRoundEmpty = false;
  private readonly waits: Waits;
  private readonly logSide: LogSide;
  private readonly turns: TurnClock;
  /** Delivered messages that were not answered yet, with the time of their delivery. */
  private readonly taken = new Map<string, number>();
  /** Time of the agent's own last answer. */
  private answeredAt = 0;

  constructor(file: string, session: string, cwd: string | undefined) {
    this.conversation = new Conversation({
      agent: 'vscode-chat',
      file,
      session,
      tools: TOOLS,
      answered: (_call, _result, added) => this.conversation.marks(added),
      plan: ({ name, args }) => (name === 'manage_todo_list' ? planItems(at(args, 'todoList')) : null),
    });
    this.calls = new CallBook((call, result, added) => {
      const { place } = call;
      // A late result is counted, but changes nothing else.
      if (result.outcome === 'late') {
        if (call.session === this.conversation.session)
          this.conversation.emitFor(call.session, { type: 'tool_result', id: call.id, ...result }, place);
        this.conversation.marks(added);
      } else this.conversation.result(call.id, result, added, place);
      this.waits.answered(call.id);
      this.logSide.compacted(call.id, place);
    });
    this.waits = new Waits(this.conversation, this.calls);
    this.subAgents = new SubAgents(this.conversation);
    const { conversation, calls, timeline, subAgents, waits } = this;
    this.logSide = new LogSide(conversation, calls, timeline, subAgents);
    this.turns = new TurnClock({ conversation, calls, timeline, subAgents, waits, log: this.logSide });
    if (cwd !== undefined) conversation.facts.update({ cwd });
  }

  // --- the transcript ---

  /** Begins a record of the transcript. */
  seen(at: number | undefined): void {
    const { conversation } = this;
    conversation.timed(at);
    this.turns.reached(conversation.place.at);
  }

  start(facts: { readonly session?: string; readonly version?: string }): void {
    const { conversation } = this;
    if (facts.session !== undefined) conversation.session = facts.session;
    const { cwd } = conversation.facts;
    const { version } = facts;
    conversation.emit({
      type: 'session_info',
      ...(cwd !== undefined && { cwd }),
      ...(version !== undefined && { version }),
    });
  }

  prompt(text: string): void {
    const { conversation } = this;
    const child = this.subAgents.began(text);
    if (child !== null) return conversation.emitFor(child, { type: 'user', text, automated: true });
    this.calls.over(null);
    this.calls.settle(false);
    if (this.timeline.prompt(text)) this.turns.reportPrompt(text);
    else conversation.emit({ type: 'other', name: 'user.message' });
  }

  /** Begins a request to the model. */
  round(): void {
    this.turns.reportMissingPrompt();
    this.isRoundEmpty = true;
    const { conversation } = this;
    const session = this.subAgents.current;
    if (session === conversation.session && this.turns.mayOpenTurn()) conversation.startTurn();
    conversation.emitFor(session, { type: 'request' });
  }

  roundEnds(): void {
    if (this.isRoundEmpty) this.turns.emptyRounds++;
    this.isRoundEmpty = false;
    this.conversation.emitFor(this.subAgents.current, { type: 'other', name: 'assistant.turn_end' });
  }

  message(text: string, requests: readonly NamedCall[], batch: string | undefined): void {
    this.turns.reportMissingPrompt();
    const { conversation } = this;
    const session = this.subAgents.sessionOf(requests[0]?.id);
    this.isRoundEmpty = false;
    this.turns.emptyRounds = 0;
    if (session === conversation.session) {
      this.answeredAt = conversation.place.at;
      this.reportTaken(this.answeredAt);
    }
    // The model continues: its earlier calls have been answered.
    this.calls.over(session);
    this.calls.settle(false);
    if (text.trim() !== '') conversation.emitFor(session, { type: 'assistant', text, chunk: false });
    else conversation.emitFor(session, { type: 'other', name: 'calls' });
    const opensTurn = this.turns.mayOpenTurn();
    for (const call of requests)
      this.turns.announce({ ...call, batch }, this.subAgents.sessionOf(call.id), conversation.place, opensTurn);
    this.turns.newestAt = conversation.place.at;
    if (requests.length === 0 && session === conversation.session && !conversation.endTurn('done'))
      conversation.emit({ type: 'other', name: 'answer' });
  }

  completed(id: string, success: boolean): void {
    const { conversation } = this;
    const call = this.calls.all.get(id);
    if (!call) return conversation.emit({ type: 'other', name: 'tool.execution_complete' });
    call.place = conversation.place;
    call.isOver = true;
    call.threw = !success;
    const child = this.subAgents.ended(id);
    if (child !== null) {
      this.calls.close(child, false);
      conversation.emitFor(child, { type: 'session_end', reason: 'clean' });
    }
    this.calls.settle(false);
    conversation.emitFor(call.session, { type: 'other', name: 'tool.execution_complete' });
  }

  other(name: string): void {
    this.conversation.emitFor(this.subAgents.current, { type: 'other', name });
  }

  // --- outcomes known from elsewhere ---

  /**
   * Notes that a hook has delivered a message. Text that the hook adds to a call, or passes when the turn ends, is in the next request to the model,
   * which the next answer answers. Nothing else shows the message before the turn ends.
   */
  took(message: string, at: number): void {
    this.taken.set(message, at);
  }

  private reportTaken(answeredAt: number): void {
    for (const [message, at] of this.taken) {
      if (at >= answeredAt) continue;
      this.taken.delete(message);
      this.conversation.marks(markOf(message));
    }
  }

  /** Takes the text that the model received for a call, from a hook or the debug log. */
  learnText(id: string, text: string, at: number | undefined): void {
    const known = this.calls.knownOf(id);
    // Without the hook's addition: only the next answer shows that the model received it.
    known.text ??= readResult(text).result.output;
    known.at ??= at;
  }

  /** Returns the first call with this name and these arguments whose text is still unknown. */
  unansweredLike(name: string, args: string): string | undefined {
    const same = this.calls.openCalls.find(
      (call) =>
        call.name === name && this.calls.knownOf(call.id).text === undefined && JSON.stringify(call.args) === args,
    );
    return same?.id;
  }

  /** Takes a fact from the chat view's log. */
  log(fact: LogFact): void {
    this.logSide.take(fact, this.turns.hasTranscript);
  }

  /** Marks the calls that wait for permission, as a part of the response came while the log says that the user is being asked. */
  markAsked(index: number): void {
    this.logSide.markAsked(index);
  }

  /** Called once everything that the files hold has been read. */
  settle(): void {
    this.logSide.reportTitle();
    this.turns.settle();
    this.calls.settle(true);
    this.waits.settle(this.timeline.last?.state === TURN_STATE.asks);
    this.logSide.settle();
    this.reportTaken(this.answeredAt);
    this.logSide.reportUsage();
  }
}
