import type { AgentId, Source } from '../../model';
import type { DecodeSink, TranscriptLine } from '../adapter';
import type { EventBody } from './event-body';

/** Where and when a record stands: events that are held back keep the place of their own record. */
export interface Place {
  readonly source: Source;
  readonly at: number;
}

/** Fills in what all events of a record share, so that decoders say only what happened. */
export interface Teller {
  /** Session of the events that follow. */
  session: string;
  begin(source: Source, sink: DecodeSink): void;
  /** Time of the record; where it has none, or an unreadable one, the time of the record before stays. */
  timed(at: number | undefined): void;
  tell(body: EventBody, place?: Place): void;
  /** As `tell`, for another session than the current one. */
  tellOf(session: string, body: EventBody, place?: Place): void;
  problem(why: string): void;
  readonly place: Place;
}

export function createTeller(agent: AgentId, file: string, session: string): Teller {
  let source: Source = { file, line: 0, offset: 0 };
  let at = 0;
  let sink: DecodeSink | null = null;
  const teller: Teller = {
    session,
    begin(next, nextSink) {
      source = next;
      sink = nextSink;
    },
    timed(time) {
      if (time !== undefined && time > 0) at = time;
    },
    tell: (body, place) => teller.tellOf(teller.session, body, place),
    tellOf(owner, body, place) {
      sink?.event({ agent, session: owner, at: place?.at ?? at, source: place?.source ?? source, ...body });
    },
    problem: (why) => sink?.problem({ line: source.line, offset: source.offset, why }),
    get place() {
      return { source, at };
    },
  };
  return teller;
}

export function sourceOf(file: string, line: TranscriptLine): Source {
  return { file, line: line.line, offset: line.offset };
}
