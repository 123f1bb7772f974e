import type { AgentAdapter } from '../../agents/adapter';
import { hashOf } from '../../base/util/hash';
import { redactDeep } from '../../base/util/redact';
import type { Disposable } from '../../base/util/disposable';
import type { EngineParts, EngineSettings } from '../ports';
import { inputsOf } from '../scan-cache';
import type { SessionNote } from '../session/session-note';
import type { KnownEnd } from './last-lines';

/** An agent that wrote nothing for this long after its turn rests, milliseconds. Longer than one clock tick of any file system. */
const RESTS_MS = 5_000;

/** Knowledge of a transcript from when its agents rested, stored as JSON. */
export interface TranscriptNote {
  readonly sessions: readonly (readonly [session: string, note: SessionNote])[];
  /** The records that each session wrote first: keys in base64. */
  readonly records: readonly (readonly [session: string, keys: string])[];
  readonly end: KnownEnd;
}

/** The note of a transcript, found again. */
export interface FoundNote {
  readonly note: TranscriptNote;
  /** True if the file is still what it was when the note was found. */
  readonly holds: () => boolean;
}

interface Kept {
  /** The transcript and its companion files, each by place, size, time and inode. */
  readonly stamp: string;
  readonly note: TranscriptNote;
}

/** A followed transcript, as far as its notes need it. */
export interface Noted {
  readonly file: string;
  readonly adapter: AgentAdapter;
  /** When its last line was read, milliseconds since the epoch. */
  readonly readAt: number;
  /** Returns what was known of it when its agents last rested; undefined while the whole file has not been read. */
  note(): TranscriptNote | undefined;
}

/**
 * Remembers what was known of transcripts when their agents last rested, so that the next window need not read them whole. A note is valid for the
 * rules and the build it was made with, and for the file as it was or with lines appended.
 */
export class TranscriptNotes implements Disposable {
  private readonly changed = new Set<Noted>();
  /** Notes that are in the cache: in the middle of a turn a transcript returns the same note again. */
  private readonly written = new WeakSet<TranscriptNote>();
  private timer: Disposable | null = null;

  constructor(
    private readonly parts: Pick<EngineParts, 'cache' | 'clock'>,
    private readonly settings: () => EngineSettings,
  ) {}

  /** Returns the note of a transcript as it is now, or as it was before more was written; undefined if there is none. */
  async of(file: string, adapter: AgentAdapter): Promise<FoundNote | undefined> {
    const { cache } = this.parts;
    if (!cache) return undefined;
    const { key, stamp } = this.placeOf(file, adapter);
    const text = await cache.read(key);
    // Only this program writes entries, and the checksum of this one was right.
    const kept = text === undefined ? undefined : (JSON.parse(text) as Kept);
    const isGrown = kept !== undefined && hasGrown(kept.stamp, stamp);
    if (!kept || (kept.stamp !== stamp && !isGrown)) return undefined;
    const holds = () => {
      const now = this.placeOf(file, adapter).stamp;
      return now === stamp || (isGrown && hasGrown(stamp, now));
    };
    this.written.add(kept.note);
    return { note: kept.note, holds };
  }

  /** True if the rules can continue from a note. Open matters and budgets of the whole session need everything that came before. */
  canContinue({ sessions }: TranscriptNote, adapter: AgentAdapter): boolean {
    const { budgets } = this.settings().detectors(adapter.id).max_runtime;
    return sessions.every(([, session]) => session.canContinue) && Object.values(budgets).every((budget) => !budget);
  }

  /** Called when more is known of a transcript: it is noted once its agents rest. */
  soon(one: Noted): void {
    if (!this.parts.cache) return;
    this.changed.add(one);
    this.timer ??= this.parts.clock.after(RESTS_MS, () => void this.write());
  }

  forget(one: Noted): void {
    this.changed.delete(one);
  }

  dispose(): void {
    this.timer?.dispose();
    this.changed.clear();
  }

  private async write(): Promise<void> {
    const { cache, clock } = this.parts;
    this.timer = null;
    for (const one of this.changed) {
      // The clock may have been set back.
      if (Math.abs(clock.now() - one.readAt) < RESTS_MS) continue;
      this.changed.delete(one);
      const { key, stamp } = this.placeOf(one.file, one.adapter);
      const note = one.note();
      if (!note || this.written.has(note)) continue;
      this.written.add(note);
      // Names and keys hold no text, and must stay as they are.
      const sessions = note.sessions.map(([session, known]) => [session, redactDeep(known)]);
      await cache?.write(key, JSON.stringify({ stamp, note: { ...note, sessions } }));
    }
    if (this.changed.size > 0) this.timer ??= clock.after(RESTS_MS, () => void this.write());
  }

  private placeOf(file: string, adapter: AgentAdapter): { readonly key: string; readonly stamp: string } {
    const { detectors, raised = [] } = this.settings();
    const { rules, files } = inputsOf(file, { adapter, detectors });
    return { key: `note ${rules} ${hashOf(JSON.stringify(raised))}\n${file}`, stamp: files };
  }
}

/** True if both stamps are of one file that has become longer. */
function hasGrown(before: string, now: string): boolean {
  const [[, size, , inode] = [], ...others] = JSON.parse(before) as string[][];
  const [[, sizeNow, , inodeNow] = []] = JSON.parse(now) as string[][];
  return others.length === 0 && inode === inodeNow && Number(sizeNow) > Number(size);
}
