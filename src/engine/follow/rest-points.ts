import type { TranscriptLine } from '../../base/tail';
import type { Copies } from './copies';
import { LastLines, WARM_BYTES } from './last-lines';
import type { TranscriptNote } from './notes';
import type { Transcript } from './transcript';

/**
 * Notes what is known of a transcript where its agents rest, as its lines are read: between turns a session can be noted as a whole. A session in the
 * middle of a turn, or killed there, is noted up to its last rest; a later reading continues from that.
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
    // A later reading begins this far before the point: a point nearer to the last one would save it little.
    const isFar = line.offset - (this.newest?.end.last[0] ?? 0) >= WARM_BYTES;
    if (isFar && this.rests) this.newest = this.now();
  }

  /** Returns what is known now if all agents rest, otherwise what was known when they last rested; undefined if no such point was seen. */
  note(): TranscriptNote | undefined {
    if (this.rests) this.newest = this.now();
    return this.newest;
  }

  /** True if the last line is the one at which a note ends; null if that line has not been reached. */
  isAt({ end }: TranscriptNote): boolean | null {
    return this.last.isAt(end);
  }

  /** Called when the sessions took over a note at the last line. */
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
