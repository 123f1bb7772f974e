import type { LocateEnvironment, TranscriptRoot, SessionFiles, Peek, Liveness, LivenessProbe } from './transcripts';
import type { AgentId, TurnEnds } from '../core/model';
import type { Decoder, DecoderContext } from './decoder';
import type { DecoderName } from './decoders';
import type { PrintSession } from './sqlite/reader';

/** Everything Unstuck knows about one kind of agent. The README.md of this folder says what a new agent needs. */
export interface AgentAdapter {
  readonly id: AgentId;
  /** Name for people: `Claude Code`. */
  readonly name: string;
  readonly unit: Decoder['unit'];
  locate(environment: LocateEnvironment): readonly TranscriptRoot[];
  /**
   * Returns whether a file with this head (its first 64 KB at most, cut at a line break where possible) is a transcript of this agent. Unambiguous
   * forms return `yes`; `maybe` loses to a `yes` of another adapter.
   */
  recognises(head: string, file: string): 'yes' | 'maybe' | 'no';
  /** `readSmall`: text of a small file next to the transcript, for when the transcript alone does not say enough. */
  peek(head: string, file: string, readSmall?: DecoderContext['readSmall']): Peek;
  /** For agents that write one session into several files. `cwd`: the session's working directory, as far as it is known. */
  files?(file: string, cwd: string | undefined): SessionFiles;
  /** Longest delay between a call and its result in the transcript, in milliseconds. Absent: the result comes with the next call at the latest. */
  readonly outcomesLateMs?: number;
  /** Name of its decoder, as `createDecoder` of decoders.ts takes it. */
  readonly decoder: DecoderName;
  /**
   * The vendor's own call markers: byte sequences that appear exactly once per step in the raw bytes. Counted independently of the decoder, so that a
   * decoder that misses calls is noticed. Empty: this format has none, and docs/agents.md says so.
   */
  readonly callMarkers: readonly string[];
  /**
   * Returns how many of the `found` markers of a line are steps of this transcript, for formats that copy calls into other kinds of records
   * (requests, progress, forked history). Read from the line's envelope, never from the decoder; absent if all of them are.
   */
  ownCalls?(text: string, found: number): number;
  /** The same for formats in which an earlier line determines what a line is: a new function for each reading from the start. */
  createOwnCalls?(): (text: string, found: number) => number;
  /** Absent for transcripts that are text files. */
  readonly print?: PrintSession;
  /** One sentence of advice for a file that is too large to be read. */
  readonly tooLarge?: string;
  /** Returns the live sessions by id; absent if the agent leaves no trace of its process. */
  liveness?(environment: LocateEnvironment, probe: LivenessProbe): ReadonlyMap<string, Liveness>;
  /** Endings of transcript names in the workspace. A file whose head identifies its agent beyond doubt is followed without a setting. */
  readonly workspaceFiles?: readonly string[];
  /** False if records carry no time; the modification time of the followed file is used instead. */
  readonly writesTimes?: false;
  /** False if a running tool is not visible in the transcript: silence then needs more patience (docs/detectors.md, `stall`). */
  readonly showsRunningTool: boolean;
  /** `yes` if a record of its own ends each turn. */
  readonly turnEnds: TurnEnds;
  /** False if the format records what was said but not what was called: the absence of calls then means nothing. */
  readonly holdsCalls?: false;
}
