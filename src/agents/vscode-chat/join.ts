import { Conversation, type Place } from '../shared/conversation';
import { markOf } from '../inbox/messages/mark';
import { Recent } from '../shared/decode';
import { CallBook } from './calls';
import type { CallPart, LogFact } from './log-facts';
import { readResult } from './outcome';
import { SubAgents } from './sub-agents';
import { TURN_STATE, Timeline, type Turn } from './timeline';
import { TOOLS, isSubAgent, planOf, toolName } from './tools';
import { Waits } from './waits';

/** A call as one of the files names it. */
export interface NamedCall {
  readonly id: string;
  readonly name: string;
  readonly args: unknown;
  readonly batch?: string | undefined;
}

/**
 * Joins what the files of one session say: steps from the transcript, outcomes from wherever they are known first, prompts and ends of
 * turns from both. Told in the order of the transcript; without one, in that of the log.
 */
export class Join {
  readonly conversation: Conversation;
  private readonly calls: CallBook;
  private readonly timeline = new Timeline();
  private readonly subAgents: SubAgents;
  /** Has the transcript said anything? Then steps come from it alone while a turn runs. */
  private hasTranscript = false;
  private newestAt = 0;
  /** Rounds of the model without an answer since the prompt. */
  private emptyRounds = 0;
  private isRoundEmpty = false;
  private readonly waits: Waits;
  private readonly compactions = new Map<string, string | undefined>();
  private readonly parts = new Recent<string, CallPart & { readonly index: number }>(20_000);
  private texts: string[] = [];
  /** Messages that were handed over and not answered yet, with when. */
  private readonly taken = new Map<string, number>();
  /** When the agent itself last answered. */
  private answeredAt = 0;
  private usage: Extract<LogFact, { kind: 'usage' }> | undefined;
  private toldUsage = '';
  private window: number | undefined;

  constructor(file: string, session: string, cwd: string | undefined) {
    this.conversation = new Conversation({
      agent: 'vscode-chat',
      file,
      session,
      tools: TOOLS,
      answered: (call, result, added, place) => {
        this.conversation.marks(added);
        const items = result.isError || result.outcome === 'late' ? null : planOf(call.name, call.args);
        if (items) this.conversation.emitFor(call.session, { type: 'plan', items }, place);
      },
    });
    this.calls = new CallBook((call, result, added) => {
      const { place } = call;
      // What came late is counted, and changes nothing else.
      if (result.outcome === 'late') {
        if (call.session === this.conversation.session)
          this.conversation.emitFor(call.session, { type: 'tool_result', id: call.id, ...result }, place);
        this.conversation.marks(added);
      } else this.conversation.result(call.id, result, added, place);
      this.waits.answered(call.id);
      this.compacted(call.id, place);
    });
    this.waits = new Waits(this.conversation, this.calls);
    this.subAgents = new SubAgents(this.conversation);
    if (cwd !== undefined) this.conversation.facts.update({ cwd });
  }

  // --- the transcript ---

  /** A record of the transcript begins. */
  seen(at: number | undefined): void {
    const { conversation, timeline } = this;
    this.hasTranscript = true;
    conversation.timed(at);
    const now = conversation.place.at;
    for (const turn of timeline.before(now)) this.endTurn(turn, true);
    const turn = timeline.at(now);
    if (turn) this.learn(turn);
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
    if (this.timeline.prompt(text)) this.tellPrompt(text);
    else conversation.emit({ type: 'other', name: 'user.message' });
  }

  /** A request to the model begins. */
  round(): void {
    this.mayTellPrompt();
    this.isRoundEmpty = true;
    const { conversation } = this;
    const session = this.subAgents.current;
    if (session === conversation.session && this.mayOpenTurn()) conversation.startTurn();
    conversation.emitFor(session, { type: 'request' });
  }

  roundEnds(): void {
    if (this.isRoundEmpty) this.emptyRounds++;
    this.isRoundEmpty = false;
    this.conversation.emitFor(this.subAgents.current, { type: 'other', name: 'assistant.turn_end' });
  }

  message(text: string, requests: readonly NamedCall[], batch: string | undefined): void {
    this.mayTellPrompt();
    const { conversation } = this;
    const session = this.subAgents.sessionOf(requests[0]?.id);
    this.isRoundEmpty = false;
    this.emptyRounds = 0;
    if (session === conversation.session) {
      this.answeredAt = conversation.place.at;
      this.tellTaken(this.answeredAt);
    }
    // The model goes on: what it called before is answered.
    this.calls.over(session);
    this.calls.settle(false);
    if (text.trim() !== '') conversation.emitFor(session, { type: 'assistant', text, chunk: false });
    else conversation.emitFor(session, { type: 'other', name: 'calls' });
    const opensTurn = this.mayOpenTurn();
    for (const call of requests)
      this.announce({ ...call, batch }, this.subAgents.sessionOf(call.id), conversation.place, opensTurn);
    this.newestAt = conversation.place.at;
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

  // --- what is known of outcomes elsewhere ---

  /**
   * A hook has handed a message over. What it adds to a call, or says when the turn ends, is in the next request to the model: the next
   * answer is one to it. Nothing else shows it before the turn ends.
   */
  took(message: string, at: number): void {
    this.taken.set(message, at);
  }

  private tellTaken(answeredAt: number): void {
    for (const [message, at] of this.taken) {
      if (at >= answeredAt) continue;
      this.taken.delete(message);
      this.conversation.marks(markOf(message));
    }
  }

  /** A hook, or the debug log, has what the model was told of a call. */
  told(id: string, text: string, at: number | undefined): void {
    const known = this.calls.knownOf(id);
    // What a hook added to it shows that the model has it only with the next answer.
    known.text ??= readResult(text).result.output;
    known.at ??= at;
  }

  /** The first call of this name and these arguments of which nothing is known. */
  unansweredLike(name: string, args: string): string | undefined {
    const same = this.calls.openCalls.find(
      (call) =>
        call.name === name && this.calls.knownOf(call.id).text === undefined && JSON.stringify(call.args) === args,
    );
    return same?.id;
  }

  /** What the log of the chat view says. Nothing is told before `settle`, or before the transcript has come so far. */
  log(fact: LogFact): void {
    const { conversation, timeline } = this;
    switch (fact.kind) {
      case 'session':
        if (fact.id !== undefined && !this.hasTranscript) conversation.session = fact.id;
        this.window = fact.window ?? this.window;
        if (fact.title !== undefined && fact.title !== this.title) {
          this.title = fact.title;
          this.isTitleNew = true;
        }
        return;
      case 'request':
        return timeline.turn(fact);
      case 'call': {
        const { call, index } = fact;
        this.parts.set(call.id, { ...call, index });
        const known = this.calls.knownOf(call.id);
        if (call.terminal) {
          known.terminal = call.terminal;
          this.calls.learn(call.terminal);
          known.at ??= call.terminal.at;
        }
        known.isPassed ||= call.isPassed;
        known.refused ||= call.refused;
        if (call.parent !== undefined) this.subAgents.learn(call.id, call.parent);
        return;
      }
      case 'compaction': {
        const key = `${fact.index} ${fact.position}`;
        if (!this.compactions.has(key)) this.compactions.set(key, fact.after ?? '');
        return;
      }
      case 'hook':
        this.texts.push(fact.text);
        return;
      case 'usage':
        this.usage = fact;
        return;
      case 'state':
        timeline.ended(fact.index, { value: fact.value, at: fact.at });
        if (fact.value === TURN_STATE.asks) this.asks(fact.index);
        return;
      case 'result': {
        const turn = timeline.turns[fact.index];
        if (turn) turn.result = fact;
        for (const [id, text] of fact.results) this.calls.knownOf(id).text = text;
      }
    }
  }

  /** A part of the response came while the log says that the user is asked. */
  asks(index: number): void {
    for (const part of this.parts.values()) {
      if (part.index !== index || !part.asks) continue;
      this.calls.knownOf(part.id).asked = true;
    }
  }

  /** All that the files hold was read. */
  settle(): void {
    const { conversation, timeline } = this;
    this.tellTitle();
    for (const turn of timeline.turns) {
      if (!turn || turn.isClosed) continue;
      this.learn(turn);
      if (!turn.isTold && (!this.hasTranscript || this.newestAt >= turn.at)) this.tellFromLog(turn);
      if (!this.hasTranscript) this.announceFromLog(turn);
      if (timeline.isOver(turn)) this.endTurn(turn, turn !== timeline.last);
    }
    this.endAgain(timeline.last);
    this.calls.settle(true);
    this.waits.settle(timeline.last?.state === TURN_STATE.asks);
    for (const [key, after] of this.compactions) {
      if (after !== undefined && !this.calls.all.has(after)) this.compacted(after, conversation.place, key);
    }
    for (const text of this.texts) conversation.marks(text);
    this.texts = [];
    this.tellTaken(this.answeredAt);
    this.tellUsage();
  }

  // --- what is told ---

  private title: string | undefined;
  private isTitleNew = false;

  private tellTitle(): void {
    if (!this.isTitleNew || this.title === undefined) return;
    this.isTitleNew = false;
    this.conversation.emit({ type: 'session_info', title: this.title });
  }

  private learn(turn: Turn): void {
    this.conversation.learn({ model: turn.model, leave: turn.leave });
  }

  private tellPrompt(text: string, place?: Place): void {
    const { conversation } = this;
    this.emptyRounds = 0;
    this.waits.clear();
    conversation.prompt(text, false, place);
    this.newestAt = place?.at ?? conversation.place.at;
  }

  /** The transcript may have lost the first prompt, which the log then has. */
  private mayTellPrompt(): void {
    const turn = this.timeline.at(this.conversation.place.at);
    if (!turn || turn.isTold || turn.isClosed || this.newestAt >= turn.at) return;
    this.tellFromLog(turn);
  }

  private tellFromLog(turn: Turn): void {
    const { conversation } = this;
    this.timeline.told(turn);
    if (this.newestAt < turn.at) return this.tellPrompt(turn.text, { source: conversation.place.source, at: turn.at });
    // It was answered already: told now, it would say that a person has just spoken.
    if (this.title === undefined && turn.index === 0) conversation.emit({ type: 'session_info', title: turn.text });
  }

  /**
   * May a record of the transcript open a turn? Not where the log has ended the one that the record belongs to: the two files are written by
   * two processes, and of a turn that was cancelled the transcript may come last.
   */
  private mayOpenTurn(): boolean {
    return this.timeline.at(this.conversation.place.at)?.isClosed !== true;
  }

  private announce(call: NamedCall, session: string, place: Place, opensTurn = true): void {
    const { conversation } = this;
    if (this.calls.all.has(call.id)) return;
    const { id, name, args, batch } = call;
    this.calls.add({ id, name, args, session, batch, place, isOver: false, threw: false });
    if (opensTurn) conversation.startTurn();
    conversation.call({ id, name, args, batch, session });
    if (isSubAgent(name)) this.subAgents.called(id, args);
    this.waits.tellIfAsked(id, place);
  }

  /** Calls that only the log has: without a transcript all of them, else those of a turn that is over. */
  private announceFromLog(turn: Turn): void {
    const { conversation } = this;
    const { source } = conversation.place;
    for (const round of turn.result?.rounds ?? []) {
      const place = { source, at: round.at ?? turn.at };
      const isNew =
        round.calls.some(({ id }) => !this.calls.all.has(id)) || (round.calls.length === 0 && !turn.isClosed);
      if (!isNew) continue;
      if (!this.hasTranscript && round.text.trim() !== '' && conversation.turnOpen)
        conversation.emit({ type: 'assistant', text: round.text, chunk: false }, place);
      for (const call of round.calls) {
        this.announce({ ...call, batch: `${turn.index} ${round.at ?? ''}` }, this.subAgents.sessionOf(call.id), place);
      }
      if (!this.hasTranscript) {
        this.calls.over(null);
        this.calls.settle(false);
      }
    }
    if (this.hasTranscript) return;
    for (const part of this.parts.values()) {
      if (part.index !== turn.index || this.calls.all.has(part.id)) continue;
      const { command } = part.terminal ?? {};
      const args = command === undefined ? {} : { command };
      this.announce(
        { id: part.id, name: toolName(part.tool), args },
        this.subAgents.sessionOf(part.id),
        conversation.place,
      );
    }
  }

  /** A turn is over, as the log says. `isPast`: another one has begun. */
  private endTurn(turn: Turn, isPast: boolean): void {
    const { conversation, timeline } = this;
    const isOver = timeline.isOver(turn);
    if (!isOver && !isPast) return;
    turn.isClosed = true;
    this.learn(turn);
    if (!turn.isTold) this.tellFromLog(turn);
    // The transcript may have ended before the turn did.
    if (this.hasTranscript && (!isPast || this.newestAt >= turn.at)) this.announceFromLog(turn);
    const place = { source: conversation.place.source, at: turn.endedAt ?? conversation.place.at };
    const interrupted = turn.state === TURN_STATE.cancelled;
    this.calls.close(null, interrupted, turn.endedAt);
    const error = turn.result?.error;
    if (error && turn.state === TURN_STATE.failed) {
      // The model was asked again and again before the turn was given up.
      const times = error.isRateLimit ? Math.max(1, Math.min(this.emptyRounds, 10)) : 1;
      for (let n = 0; n < times; n++)
        conversation.emit(
          { type: 'error', kind: error.isRateLimit ? 'rate_limit' : 'api', message: error.message },
          place,
        );
    }
    this.emptyRounds = 0;
    this.waits.clear();
    if (!conversation.turnOpen) return;
    conversation.turnOpen = false;
    const reason = turn.state === TURN_STATE.failed ? 'error' : interrupted ? 'interrupted' : 'done';
    conversation.emit({ type: 'turn_end', reason }, place);
    // Cancelled without a result: the window was reloaded or closed while the model answered.
    turn.endedSession = interrupted && turn.result === undefined;
    if (turn.endedSession) conversation.emit({ type: 'session_end', reason: 'interrupted' }, place);
  }

  /** What came of a turn that is over, after its end: calls that nobody runs any more, and a result that was saved later than the end. */
  private endAgain(turn: Turn | undefined): void {
    const { conversation } = this;
    if (!turn?.isClosed || conversation.turnOpen) return;
    this.calls.close(null, turn.state === TURN_STATE.cancelled, turn.endedAt);
    if (!turn.endedSession || turn.result === undefined) return;
    // Its window lives: a person cancelled it.
    turn.endedSession = false;
    const place = { source: conversation.place.source, at: turn.endedAt ?? conversation.place.at };
    conversation.emit({ type: 'turn_start' }, place);
    conversation.emit({ type: 'turn_end', reason: 'interrupted' }, place);
  }

  private compacted(after: string, place: Place, only?: string): void {
    for (const [key, id] of this.compactions) {
      if (id !== after || (only !== undefined && only !== key)) continue;
      this.compactions.set(key, undefined);
      this.conversation.emit({ type: 'compaction', trigger: 'auto' }, place);
    }
  }

  private tellUsage(): void {
    const { usage, window } = this;
    if (!usage?.prompt) return;
    const now = `${usage.index} ${usage.prompt} ${usage.completion ?? 0}`;
    if (now === this.toldUsage) return;
    this.toldUsage = now;
    this.conversation.usage({
      input: usage.prompt,
      output: usage.completion,
      ...(window !== undefined && { contextWindow: window }),
    });
  }
}
