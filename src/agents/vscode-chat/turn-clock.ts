import type { Conversation, RecordPlace } from '../shared/conversation';
import type { CallBook } from './calls';
import type { LogSide } from './log-side';
import type { SubAgents } from './sub-agents';
import { TURN_STATE, type TurnLog, type Turn } from './turn-log';
import { isSubAgent, toolName } from './tools';
import type { Waits } from './waits';

/** A call as one of the files describes it. */
export interface NamedCall {
  readonly id: string;
  readonly name: string;
  readonly args: unknown;
  readonly batch?: string | undefined;
}

interface Parts {
  readonly conversation: Conversation;
  readonly calls: CallBook;
  readonly timeline: TurnLog;
  readonly subAgents: SubAgents;
  readonly waits: Waits;
  readonly log: LogSide;
}

/** Begins and ends turns by the times of both files, and reports what only the log knows about them. */
export class TurnClock {
  /** True once the transcript has had a record. Then only the transcript supplies steps while a turn runs. */
  hasTranscript = false;
  /** Time of the newest prompt or answer, in milliseconds since the epoch. */
  newestAt = 0;
  /** Number of the model's rounds without an answer since the prompt. */
  emptyRounds = 0;

  constructor(private readonly parts: Parts) {}

  /** Handles the transcript's progress to this time: ends the turns that are over by then. */
  reached(now: number): void {
    const { timeline } = this.parts;
    this.hasTranscript = true;
    for (const turn of timeline.before(now)) this.endTurn(turn, true);
    const turn = timeline.at(now);
    if (turn) this.learn(turn);
  }

  /** Called once everything that the files hold has been read. */
  settle(): void {
    const { timeline } = this.parts;
    for (const turn of timeline.turns) {
      if (!turn || turn.isClosed) continue;
      this.learn(turn);
      if (!turn.isReported && (!this.hasTranscript || this.newestAt >= turn.at)) this.reportFromLog(turn);
      if (!this.hasTranscript) this.announceFromLog(turn);
      if (timeline.isOver(turn)) this.endTurn(turn, turn !== timeline.last);
    }
    this.endAgain(timeline.last);
  }

  reportPrompt(text: string, place?: RecordPlace): void {
    const { conversation } = this.parts;
    this.emptyRounds = 0;
    this.parts.waits.clear();
    conversation.prompt(text, false, place);
    this.newestAt = place?.at ?? conversation.place.at;
  }

  /** Reports a prompt that only the log has: the transcript may have lost the first one. */
  reportMissingPrompt(): void {
    const turn = this.parts.timeline.at(this.parts.conversation.place.at);
    if (!turn || turn.isReported || turn.isClosed || this.newestAt >= turn.at) return;
    this.reportFromLog(turn);
  }

  /**
   * Returns whether a record of the transcript may open a turn. It may not if the log has ended the turn that the record belongs to: two processes
   * write the two files, and the transcript of a cancelled turn may come last.
   */
  mayOpenTurn(): boolean {
    return this.parts.timeline.at(this.parts.conversation.place.at)?.isClosed !== true;
  }

  announce(call: NamedCall, session: string, place: RecordPlace, opensTurn = true): void {
    const { conversation } = this.parts;
    if (this.parts.calls.all.has(call.id)) return;
    const { id, name, args, batch } = call;
    this.parts.calls.add({ id, name, args, session, batch, place, isOver: false, threw: false });
    if (opensTurn) conversation.startTurn();
    conversation.call({ id, name, args, batch, session });
    if (isSubAgent(name)) this.parts.subAgents.called(id, args);
    this.parts.waits.reportIfAsked(id, place);
  }

  private learn(turn: Turn): void {
    const { conversation } = this.parts;
    // A person no longer approves everything: which calls ask again depends on their settings.
    const asks = conversation.facts.permissionMode === 'nothing' ? 'escalation' : undefined;
    conversation.learn({ model: turn.model, permissionMode: turn.permissionMode ?? asks });
  }

  private reportFromLog(turn: Turn): void {
    const { conversation } = this.parts;
    this.parts.timeline.reportedFromLog(turn);
    if (this.newestAt < turn.at)
      return this.reportPrompt(turn.text, { source: conversation.place.source, at: turn.at });
    // It was answered already: reported now, it would look as if a person had just spoken.
    if (this.parts.log.title === undefined && turn.index === 0)
      conversation.emit({ type: 'session_info', title: turn.text });
  }

  /** Reports calls that only the log has: without a transcript all of them, else those of a turn that is over. */
  private announceFromLog(turn: Turn): void {
    const { conversation } = this.parts;
    const { source } = conversation.place;
    for (const round of turn.result?.rounds ?? []) {
      const place = { source, at: round.at ?? turn.at };
      const isNew =
        round.calls.some(({ id }) => !this.parts.calls.all.has(id)) || (round.calls.length === 0 && !turn.isClosed);
      if (!isNew) continue;
      if (!this.hasTranscript && round.text.trim() !== '' && conversation.turnOpen)
        conversation.emit({ type: 'assistant', text: round.text, chunk: false }, place);
      for (const call of round.calls) {
        this.announce(
          { ...call, batch: `${turn.index} ${round.at ?? ''}` },
          this.parts.subAgents.sessionOf(call.id),
          place,
        );
      }
      if (!this.hasTranscript) {
        this.parts.calls.over(null);
        this.parts.calls.settle(false);
      }
    }
    if (this.hasTranscript) return;
    for (const part of this.parts.log.parts.values()) {
      if (part.index !== turn.index || this.parts.calls.all.has(part.id)) continue;
      const { command } = part.terminal ?? {};
      const args = command === undefined ? {} : { command };
      this.announce(
        { id: part.id, name: toolName(part.tool), args },
        this.parts.subAgents.sessionOf(part.id),
        conversation.place,
      );
    }
  }

  /** Ends a turn that is over according to the log. `isPast`: another one has begun. */
  private endTurn(turn: Turn, isPast: boolean): void {
    const { conversation, timeline } = this.parts;
    const isOver = timeline.isOver(turn);
    if (!isOver && !isPast) return;
    turn.isClosed = true;
    this.learn(turn);
    if (!turn.isReported) this.reportFromLog(turn);
    // The transcript may have ended before the turn did.
    if (this.hasTranscript && (!isPast || this.newestAt >= turn.at)) this.announceFromLog(turn);
    const place = { source: conversation.place.source, at: turn.endedAt ?? conversation.place.at };
    const interrupted = turn.state === TURN_STATE.cancelled;
    this.parts.calls.close(null, interrupted, turn.endedAt);
    const error = turn.result?.error;
    if (error && turn.state === TURN_STATE.failed) {
      // The model was queried again and again before the turn was given up.
      const times = error.kind === 'rate_limit' ? Math.max(1, Math.min(this.emptyRounds, 10)) : 1;
      for (let n = 0; n < times; n++)
        conversation.emit({ type: 'error', kind: error.kind, message: error.message }, place);
    }
    this.emptyRounds = 0;
    this.parts.waits.clear();
    if (!conversation.turnOpen) return;
    conversation.turnOpen = false;
    const reason = turn.state === TURN_STATE.failed ? 'error' : interrupted ? 'interrupted' : 'done';
    conversation.emit({ type: 'turn_end', reason }, place);
  }

  /** Closes calls of a turn that is over: nothing runs them any more. */
  private endAgain(turn: Turn | undefined): void {
    if (!turn?.isClosed || this.parts.conversation.turnOpen) return;
    this.parts.calls.close(null, turn.state === TURN_STATE.cancelled, turn.endedAt);
  }
}
