import type { LocateEnvironment, TranscriptRoot, SessionFiles, Peek, Liveness, LivenessProbe } from './transcripts';
import type { AgentId, TurnEnds } from '../core/model';
import type { Decoder, DecoderContext } from './decoder';
import type { DecoderName } from './decoders';
import type { PrintSession } from './sqlite/reader';

/** Everything Unstuck knows about one kind of agent. README.md of this folder says what a new agent takes. */
export interface AgentAdapter {
  readonly id: AgentId;
  /** Readable name: `Claude Code`. */
  readonly name: string;
  readonly unit: Decoder['unit'];
  locate(environment: LocateEnvironment): readonly TranscriptRoot[];
  /**
   * Returns whether a file with this head (its first 64 KB at most, cut at a line break where possible) is a transcript of this
   * agent. Unambiguous forms return `yes`; `maybe` loses against a `yes` of another adapter.
   */
  recognises(head: string, file: string): 'yes' | 'maybe' | 'no';
  /** `readSmall`: text of a small file beside the transcript, where the transcript itself does not say enough. */
  peek(head: string, file: string, readSmall?: DecoderContext['readSmall']): Peek;
  /** For agents that write one session into several files. `cwd`: where the session works, as far as it is known. */
  files?(file: string, cwd: string | undefined): SessionFiles;
  /** Longest delay between a call and its result in the transcript, milliseconds. Absent: with the next call at the latest. */
  readonly outcomesLateMs?: number;
  /** Name of its decoder for `createDecoder` of decoders.ts. */
  readonly decoder: DecoderName;
  /**
   * Byte sequences of which each step has exactly one in the raw bytes: the vendor's own call marker. Counted apart from the
   * decoder, so that a decoder that misses calls is noticed. Empty: this format has none, and docs/agents.md says so.
   */
  readonly callMarkers: readonly string[];
  /**
   * Returns how many of the `found` markers of a line are steps of this transcript, for formats that copy calls into records of
   * other kinds (requests, progress, forked history). Read from the line's envelope, never from the decoder; absent where all
   * are.
   */
  ownCalls?(text: string, found: number): number;
  /** The same for formats in which an earlier line says what a line is: one such function for each reading from the start. */
  createOwnCalls?(): (text: string, found: number) => number;
  /** Absent for transcripts that are files of text. */
  readonly print?: PrintSession;
  /** Advice where a file is too large to be read: one sentence. */
  readonly tooLarge?: string;
  /** Live sessions by id; absent where the agent leaves no trace of its process. */
  liveness?(environment: LocateEnvironment, probe: LivenessProbe): ReadonlyMap<string, Liveness>;
  /**
   * Endings of transcript names in the workspace. Files whose head says for sure whose they are need no setting to be followed.
   */
  readonly workspaceFiles?: readonly string[];
  /** False where records have no time of their own; the time at which the followed file changed stands for it. */
  readonly writesTimes?: false;
  /** False where a tool that runs is not visible in the transcript: silence then needs more patience (docs/detectors.md, `stall`). */
  readonly showsRunningTool: boolean;
  /** Whether its turns end with a record of their own. */
  readonly turnEnds: TurnEnds;
  /** False where the format holds what was said and not what was called: that nothing was called then means nothing. */
  readonly holdsCalls?: false;
}
