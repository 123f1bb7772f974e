import type { AgentId, VersionRange } from '../core/model';
import type { LaunchTemplate } from './launch-template';

/**
 * Description of one kind of agent: data only. From all descriptors, `npm run generate` makes the agent ids (model/agent-id.ts), the enums and the
 * welcome text in package.json, and the tables of README.md and docs/agents.md.
 */
export interface AgentDescriptor {
  /** Name in records and settings. Never changes. */
  readonly id: AgentId;
  /** Name that people see in a list. */
  readonly name: string;
  /** Name in docs/agents.md, if it differs from `name`. */
  readonly fullName?: string;
  /** Name in README.md, if it differs from `fullName`. */
  readonly summaryName?: string;
  /** Written from documentation, or from too few transcripts to be sure. */
  readonly experimental?: true;
  /** Versions whose files were read, and what else was tested; in the documents, after `tested`. It begins with `not tried` if none was. */
  readonly testedWith: string;
  /** Versions that ran alongside Unstuck and received messages. */
  readonly tested?: VersionRange;
  /** Variables that move its folders. */
  readonly folders?: readonly FolderVariable[];
  /** The npm packages that install its program: their version is the agent's. */
  readonly packages?: readonly string[];
  /** Places of its transcripts, in Markdown. */
  readonly transcripts: string;
  /** Content of its transcripts, each in a few words of Markdown. */
  readonly shows: {
    readonly runningTool: string;
    /** Absent: no. */
    readonly waiting?: string;
    readonly turnEnd: string;
    /** Effect of the agent's own check for loops. Absent: none. */
    readonly loopCheck?: string;
    /** Absent: none. */
    readonly liveness?: string;
  };
  /** Its row in README.md, in Markdown. Agents with equal rows share one. Absent: no, and restarted with a user's template. */
  readonly summary: {
    readonly read: string;
    readonly nudged?: string;
    readonly stopped?: string;
    readonly refused?: string;
    readonly restarted?: string;
  };
  /** Abilities of messages, in Markdown; absent if no bridge reaches the agent. */
  readonly messages?: {
    readonly whileWorking: string;
    readonly atEnd: string;
    readonly heldByGate: string;
    readonly wakesIdle: string;
    readonly stop: string;
    readonly blockCall: string;
    readonly runningSessions: string;
    /** Absent: none. */
    readonly ownStep?: string;
  };
  /** At the end of a run without a person, its hook waits for the verdict of the quality gates. */
  readonly holdsForGates?: true;
  /** Template for a restart; absent if a restart needs a user's template. */
  readonly launch?: LaunchTemplate;
}

/** An environment variable that names a folder. */
export interface FolderVariable {
  readonly variable: string;
  /** Default folder, relative to the home folder. */
  readonly usual: string;
  /** Other programs use it, too. */
  readonly shared?: true;
}
