import type { RecordPlace, Conversation } from '../shared/conversation';
import { Recent } from '../shared/decode';
import type { CallBook } from './calls';
import type { CallPart, LogFact } from './log-facts';
import type { SubAgents } from './sub-agents';
import { TURN_STATE, type TurnLog } from './turn-log';

/** Facts from the log of the chat view, and those that are still to be reported. */
export class LogSide {
  title: string | undefined;
  private isTitleNew = false;
  readonly parts = new Recent<string, CallPart & { readonly index: number }>(20_000);
  private readonly compactions = new Map<string, string | undefined>();
  private texts: string[] = [];
  private usage: Extract<LogFact, { kind: 'usage' }> | undefined;
  private reportedUsage = '';
  private window: number | undefined;

  constructor(
    private readonly conversation: Conversation,
    private readonly calls: CallBook,
    private readonly timeline: TurnLog,
    private readonly subAgents: SubAgents,
  ) {}

  /** Takes in one fact. Nothing is reported before `settle`, or before the transcript has come that far. */
  take(fact: LogFact, hasTranscript: boolean): void {
    const { conversation, timeline } = this;
    switch (fact.kind) {
      case 'session':
        if (fact.id !== undefined && !hasTranscript) conversation.session = fact.id;
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
        if (fact.value === TURN_STATE.asks) this.markAsked(fact.index);
        return;
      case 'result': {
        const turn = timeline.turns[fact.index];
        if (turn) turn.result = fact;
        for (const [id, text] of fact.results) this.calls.knownOf(id).text = text;
      }
    }
  }

  /** Marks the calls that wait for permission, as a part of the response came while the log says that the user is being asked. */
  markAsked(index: number): void {
    for (const part of this.parts.values()) {
      if (part.index !== index || !part.asks) continue;
      this.calls.knownOf(part.id).asked = true;
    }
  }

  /** Reports the title if it is new. */
  reportTitle(): void {
    if (!this.isTitleNew || this.title === undefined) return;
    this.isTitleNew = false;
    this.conversation.emit({ type: 'session_info', title: this.title });
  }

  /** Reports the compactions after this call, or only the one with that key. */
  compacted(after: string, place: RecordPlace, only?: string): void {
    for (const [key, id] of this.compactions) {
      if (id !== after || (only !== undefined && only !== key)) continue;
      this.compactions.set(key, undefined);
      this.conversation.emit({ type: 'compaction', trigger: 'auto' }, place);
    }
  }

  /** Reports everything that belongs to no call of the transcript. */
  settle(): void {
    const { conversation } = this;
    for (const [key, after] of this.compactions) {
      if (after !== undefined && !this.calls.all.has(after)) this.compacted(after, conversation.place, key);
    }
    for (const text of this.texts) conversation.marks(text);
    this.texts = [];
  }

  reportUsage(): void {
    const { usage, window } = this;
    if (!usage?.prompt) return;
    const now = `${usage.index} ${usage.prompt} ${usage.completion ?? 0}`;
    if (now === this.reportedUsage) return;
    this.reportedUsage = now;
    this.conversation.usage({
      input: usage.prompt,
      output: usage.completion,
      ...(window !== undefined && { contextWindow: window }),
    });
  }
}
