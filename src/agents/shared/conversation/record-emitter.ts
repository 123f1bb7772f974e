import type { AgentId, Problem, Source } from '../../../core/model';
import type { DecodeSink } from '../../decoder';
import type { TranscriptLine } from '../../../base/tail';
import { type JsonRecord, parseRecord } from '../decode';
import type { EventBody } from './event-body';

/** Place and time of a record: held events keep the place of their own record. */
export interface RecordPlace {
  readonly source: Source;
  readonly at: number;
}

/** Fills in what all events of a record share, so that decoders report only what happened. */
export class RecordEmitter {
  private source: Source;
  private at = 0;
  private sink: DecodeSink | null = null;

  /** @param session that of the events that follow */
  constructor(
    private readonly agent: AgentId,
    file: string,
    public session: string,
  ) {
    this.source = { file, line: 0, offset: 0 };
  }

  get place(): RecordPlace {
    return { source: this.source, at: this.at };
  }

  begin(source: Source, sink: DecodeSink): void {
    this.source = source;
    this.sink = sink;
  }

  /** Begins the record of a line that holds one JSON record; undefined if the line is empty, or holds no record, which is reported as a problem. */
  record(file: string, line: TranscriptLine, sink: DecodeSink): JsonRecord | undefined {
    this.begin(sourceOf(file, line), sink);
    if (line.text.trim() === '') return undefined;
    const record = parseRecord(line.text);
    if (!record) this.problem('not a JSON record');
    return record;
  }

  /** Sets the time of the record; if it has none, or an unreadable one, the time of the previous record stays. */
  timed(at: number | undefined): void {
    if (at !== undefined && at > 0) this.at = at;
  }

  emit(body: EventBody, place?: RecordPlace): void {
    this.emitFor(this.session, body, place);
  }

  /** Same as `emit`, for another session than the current one. */
  emitFor(session: string, body: EventBody, place?: RecordPlace): void {
    const { agent } = this;
    this.sink?.event({ agent, session, at: place?.at ?? this.at, source: place?.source ?? this.source, ...body });
  }

  problem(why: string): void {
    this.unread({ why });
  }

  /** Same as `problem`, if the record may be a call. */
  unread(what: Pick<Problem, 'why' | 'call'>): void {
    this.sink?.problem({ line: this.source.line, offset: this.source.offset, ...what });
  }
}

export function sourceOf(file: string, line: TranscriptLine): Source {
  return { file, line: line.line, offset: line.offset };
}
