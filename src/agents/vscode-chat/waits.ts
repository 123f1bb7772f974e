import { asRecord, asText, Recent } from '../shared/decode';
import type { Conversation, RecordPlace } from '../shared/conversation';
import type { CallBook } from './calls';

/** Open permission requests and questions. Each is reported once. */
export class Waits {
  /** The call that the open question belongs to. */
  private open: string | null = null;
  private readonly reported = new Recent<string, true>(500);

  constructor(
    private readonly conversation: Conversation,
    private readonly calls: CallBook,
  ) {}

  /** Notes that the call was answered. */
  answered(id: string): void {
    if (this.open === id) this.open = null;
  }

  /** Closes all questions when a turn begins or ends. */
  clear(): void {
    this.open = null;
  }

  reportIfAsked(id: string, place: RecordPlace): void {
    if (this.calls.knownOf(id).asked) this.report(id, place);
  }

  /** @param isAsking true if the log says that the turn waits for its user */
  settle(isAsking: boolean): void {
    if (isAsking) {
      for (const { id, place } of this.calls.openCalls) this.reportIfAsked(id, place);
    } else if (this.open !== null) {
      this.open = null;
      this.conversation.emit({ type: 'request' });
    }
  }

  private report(id: string, place: RecordPlace): void {
    const call = this.calls.all.get(id);
    if (!call || this.reported.has(id)) return;
    this.reported.set(id, true);
    this.open = id;
    const command = asText(asRecord(call.args)?.['command']);
    const isQuestion = call.name === 'vscode_askQuestions';
    this.conversation.emitFor(
      call.session,
      {
        type: 'waiting',
        for: isQuestion ? 'input' : 'permission',
        ...(command !== undefined && { question: command }),
      },
      place,
    );
  }
}
