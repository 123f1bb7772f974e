import type { TranscriptLine } from '../../base/tail';
import type { Copies } from './copies';
import { LastLines, WARM_BYTES } from './last-lines';
import type { TranscriptNote } from './notes';
import type { Transcript } from './transcript';

/**
 * Notes what is known of a transcript where its agents rest, as its lines are read: between turns a session can be noted as a whole. Who is in
 * the middle of a turn, or was killed there, is known up to its last rest; a later reading continues from that.
 */
export class RestPoints {
  private readonly last = new LastLines();
  private newest: TranscriptNote | undefined;

  constructor(
    private readonly transcript: Transcript,
    private readonly copies: Copies,
  ) {}

  line(line: TranscriptLine, calls: number): void {
    this.last.take(line);
    this.transcript.line(line, calls);
    // A later reading begins so far before the point: one nearer to the last would spare it little.
    const isFar = line.offset - (this.newest?.end.last[0] ?? 0) >= WARM_BYTES;
    if (isFar && this.rests) this.newest = this.now();
  }

  /** What is known now, where all rest; else what was known when they rested last. Undefined: no such point was seen. */
  note(): TranscriptNote | undefined {
    if (this.rests) this.newest = this.now();
    return this.newest;
  }

  /** Was the last line the one at which a note ends? Null before it. */
  isAt({ end }: TranscriptNote): boolean | null {
    return this.last.isAt(end);
  }

  /** The sessions learnt what was noted at the last line. */
  adopt(note: TranscriptNote): void {
    this.copies.adopt(note.records);
    this.last.adopt(note.end);
    this.newest = note;
  }

  private get rests(): boolean {
    for (const { facts } of this.transcript.sessions) if (facts.turnOpen || facts.hasOpenCall) return false;
    return this.transcript.sessions.size > 0;
  }

  private now(): TranscriptNote | undefined {
    const end = this.last.note();
    if (!end) return undefined;
    const sessions = [...this.transcript.sessions].map((one) => [one.options.session, one.note()] as const);
    return { sessions, records: this.copies.note(), end };
  }
}
