import type {
  AgentEvent,
  Doing,
  PlanItem,
  SessionEndReason,
  SessionMode,
  ToolCallEvent,
  TurnEndReason,
  TurnEnds,
  UsageLimit,
} from '../../core/model';
import { headOf } from '../../agents/shared/decode/copy';
import { Jobs, type JobsNote } from './jobs';
import { KeptCalls } from './kept-calls';
import { SENDER, handedTask } from '../../core/words/messages/handed-task';
import { titleOf } from './title';
import { LastAnswer } from '../../detect/session/last-answer';
import { countTokens } from '../../detect/session/tokens';
import { questionAtEnd } from './question-at-end';
import { usageLimitOf } from './usage-limit';

/** Silence after which a session without turn lines counts as finished (docs/transcript.md). */
export const SILENCE_WITHOUT_TURNS_MS = 30 * 60_000;

/** Characters of the first prompt that are kept: they describe the task to an agent that takes over. */
const TASK_LENGTH = 4_000;
/** Number of tools whose calls are counted by name, in order of appearance: servers bring dozens, and a transcript may name any. */
const MOST_TOOLS = 255;
/** Characters of an error that are kept. */
const FAILURE_LENGTH = 300;

/** Facts that the last lines of a session alone do not show. */
const NOTED = [
  'agentName',
  'title',
  'task',
  'cwd',
  'branch',
  'model',
  'role',
  'version',
  'mode',
  'pid',
  'parent',
  'forkedFrom',
  'startedAt',
  'lastEventAt',
  'lastLine',
  'turnOpenedAt',
  'turnOpen',
  'turnEnd',
  'asks',
  'failure',
  'waiting',
  'ended',
  'promptedAt',
  'hasTurnLines',
  'usageLimit',
  'limitOpenedAt',
  'plan',
  'contextTokens',
  'contextWindow',
  'totalTokens',
  'calls',
] as const satisfies readonly (keyof SessionFacts)[];

/** The facts, stored as JSON. */
export interface FactsNote extends Pick<SessionFacts, (typeof NOTED)[number]> {
  readonly byTool: readonly (readonly [tool: string, calls: number])[];
  readonly jobs: JobsNote;
}

/** Facts of a session's conversation: which session it is, whose turn it is, what it is doing. Updated in place by each event. */
export class SessionFacts {
  agentName: string;
  title = '';
  /** A person's first request, at most 4,000 characters. */
  task = '';
  cwd: string | undefined;
  branch: string | undefined;
  model: string | undefined;
  role: string | undefined;
  version: string | undefined;
  mode: SessionMode | undefined;
  pid: number | undefined;
  parent: string | undefined;
  forkedFrom: string | undefined;

  startedAt = 0;
  lastEventAt = 0;
  lastLine = 0;
  turnOpenedAt = 0;
  /** When a person last wrote to it, milliseconds since the epoch. */
  promptedAt: number | undefined;
  hasTurnLines = false;
  turnOpen = false;
  turnEnd: { readonly reason: TurnEndReason; readonly at: number } | null = null;
  /** The question with which the newest message ended. */
  asks: string | undefined;
  /** Message of the service or the agent about its newest failure in this turn. */
  failure: string | undefined;
  waiting: {
    readonly for: 'permission' | 'question' | 'plan';
    readonly question?: string;
    readonly since: number;
  } | null = null;
  /** Message of its service when a usage limit was reached; null once the service answers again. */
  usageLimit: UsageLimit | null = null;
  /** When the limit that stopped it opened, milliseconds since the epoch; null if none did, or if it has continued since. */
  limitOpenedAt: number | null = null;
  ended: { readonly reason: SessionEndReason; readonly at: number } | null = null;
  plan: readonly PlanItem[] = [];
  contextTokens = 0;
  contextWindow = 0;
  totalTokens = 0;
  calls = 0;
  /** At most `MOST_TOOLS`. */
  readonly callsByTool = new Map<string, number>();

  readonly keptCalls = new KeptCalls();
  readonly jobs = new Jobs();

  private requestSince = 0;
  /** Calls without a result. */
  private openCalls = 0;
  private readonly answer: LastAnswer;

  constructor(agentName: string, turnEnds: TurnEnds = 'some') {
    this.agentName = agentName;
    this.answer = new LastAnswer(turnEnds);
  }

  /** Returns the complete answer that the open turn has reached, with no call after it; null while the agent works. */
  get answered(): { readonly at: number; readonly isEnd: boolean } | null {
    const { at, isEnd } = this.answer;
    return this.turnOpen && at !== null && this.openCalls === 0 ? { at, isEnd } : null;
  }

  get hasOpenCall(): boolean {
    return this.openCalls > 0;
  }

  /**
   * Returns what the agent is busy with: the oldest running call, else the model; after its turn the oldest sub-agent that is still working.
   *
   * @param running oldest first
   * @param now milliseconds since the epoch
   */
  doing(running: readonly ToolCallEvent[], now: number): Doing | undefined {
    if (this.waiting) return undefined;
    if (!this.turnOpen) {
      const job = this.jobs.awaited(now);
      return job && { kind: 'tool', subject: job.subject, since: job.startedAt };
    }
    const [call] = running;
    if (call) return { kind: 'tool', subject: call.subject, since: call.at };
    return { kind: 'model', subject: 'the model', since: this.requestSince || this.lastEventAt };
  }

  /** Returns when the person interrupted the agent, milliseconds since the epoch; null if they did not, or have written to it since. */
  get interruptedAt(): number | null {
    return this.turnEnd?.reason === 'interrupted' && !this.turnOpen ? this.turnEnd.at : null;
  }

  /** Returns what a later reading of the last lines needs to know everything that is known here. */
  note(): FactsNote {
    const known = Object.fromEntries(NOTED.map((name) => [name, this[name]])) as Omit<FactsNote, 'byTool' | 'jobs'>;
    return { ...known, byTool: [...this.callsByTool], jobs: this.jobs.note() };
  }

  /** Takes over what a reading of the whole transcript knew, after reading its last lines. */
  adopt({ byTool, jobs, ...known }: FactsNote): void {
    this.asks = this.failure = undefined;
    this.openCalls = 0;
    Object.assign(this, known);
    this.jobs.adopt(jobs);
    this.callsByTool.clear();
    for (const [tool, calls] of byTool) this.callsByTool.set(tool, calls);
  }

  push(event: AgentEvent): void {
    if (this.startedAt === 0 || (event.at > 0 && event.at < this.startedAt)) this.startedAt = event.at;
    if (event.at > this.lastEventAt) this.lastEventAt = event.at;
    if (event.source.line > this.lastLine) this.lastLine = event.source.line;

    const wasAnswered = this.answered !== null;
    this.answer.push(event);
    this.jobs.push(event, this.cwd);
    countTokens(this, event);
    switch (event.type) {
      case 'session_info':
        this.learn(event);
        return;
      case 'user':
        this.limitOpenedAt = null;
        this.openCalls = 0;
        this.asks = undefined;
        this.failure = undefined;
        if (!event.automated && this.promptedAt === undefined) {
          // A session that took over from another one works on that one's task.
          const handed = handedTask(event.text);
          this.task = headOf(handed ?? event.text, TASK_LENGTH);
          if (this.title === '' || handed !== null) this.title = titleOf(handed ?? event.text);
        }
        if (!event.automated) this.promptedAt = event.at;
        // If no line ends a turn, the prompt after an answer does.
        if (wasAnswered && !event.automated) this.turnOpen = false;
        this.openTurn(event.at);
        return;
      case 'turn_start':
        this.hasTurnLines = true;
        this.openTurn(event.at);
        return;
      case 'request':
        this.requestSince = event.at;
        this.noteActivity(event.at);
        return;
      case 'error':
        this.usageLimit = usageLimitOf(event.message, event.at) ?? this.usageLimit;
        this.failure = headOf(event.message, FAILURE_LENGTH);
        this.noteActivity(event.at);
        return;
      case 'assistant':
        this.usageLimit = null;
        this.limitOpenedAt = null;
        this.failure = undefined;
        this.asks = questionAtEnd(event.text);
        this.noteActivity(event.at);
        return;
      case 'vendor_loop':
      case 'message_taken':
        this.noteActivity(event.at);
        return;
      case 'tool_call':
        this.calls++;
        this.openCalls++;
        this.asks = undefined;
        this.usageLimit = null;
        this.limitOpenedAt = null;
        if (this.callsByTool.size < MOST_TOOLS || this.callsByTool.has(event.name))
          this.callsByTool.set(event.name, (this.callsByTool.get(event.name) ?? 0) + 1);
        this.keptCalls.add(event);
        this.noteActivity(event.at);
        return;
      case 'tool_result':
        // A late result belongs to a call that was over long ago.
        if (event.outcome === 'late') return;
        this.openCalls = Math.max(0, this.openCalls - 1);
        this.requestSince = event.at;
        this.noteActivity(event.at);
        return;
      case 'plan':
        this.plan = event.items;
        return;
      case 'waiting':
        this.hasTurnLines = true;
        this.turnOpen = false;
        this.waiting = {
          for: event.for === 'input' ? 'question' : event.for,
          since: event.at,
          ...(event.question && { question: event.question }),
        };
        return;
      case 'turn_end':
        this.hasTurnLines = true;
        this.openCalls = 0;
        this.endTurn(event.reason, event.at);
        return;
      case 'session_end':
        this.turnOpen = false;
        this.waiting = null;
        this.ended = { reason: event.reason, at: event.at };
        return;
      case 'usage':
      case 'job_end':
      case 'compaction':
      case 'completion':
      case 'clock':
      case 'other':
        return;
    }
  }

  /** Advances the time: a limit announced to open by now is open. */
  tick(now: number): void {
    const opensAt = this.usageLimit?.opensAt ?? Number.POSITIVE_INFINITY;
    if (opensAt > now) return;
    this.usageLimit = null;
    this.limitOpenedAt = opensAt;
  }

  private learn(event: Extract<AgentEvent, { type: 'session_info' }>): void {
    if (event.agentName) this.agentName = event.agentName;
    // An agent that names its session after the first prompt would name it after our sender.
    if (event.title && !(event.title.startsWith(SENDER) && this.title !== '')) this.title = titleOf(event.title);
    this.cwd = event.cwd ?? this.cwd;
    this.branch = event.branch ?? this.branch;
    this.model = event.model ?? this.model;
    this.role = event.role ?? this.role;
    this.version = event.version ?? this.version;
    this.mode = event.mode ?? this.mode;
    this.pid = event.pid ?? this.pid;
    this.parent = event.parent ?? this.parent;
    this.forkedFrom = event.forkedFrom ?? this.forkedFrom;
  }

  private openTurn(at: number): void {
    if (!this.turnOpen) this.turnOpenedAt = at;
    this.turnOpen = true;
    this.turnEnd = null;
    this.waiting = null;
    // A session that is resumed in the same file is alive again.
    this.ended = null;
    this.requestSince = at;
  }

  /**
   * Notes activity: the question was answered, and without turn lines everything belongs to one open turn. An event from before the end of the
   * session that is read after it does not reopen it.
   */
  private noteActivity(at: number): void {
    if (this.ended && at < this.ended.at) return;
    if (this.waiting || (!this.turnOpen && !this.hasTurnLines) || this.ended) this.openTurn(at);
  }

  private endTurn(reason: TurnEndReason, at: number): void {
    this.turnOpen = false;
    this.turnEnd = { reason, at };
    this.waiting = reason === 'waiting' ? { for: 'question', since: at } : null;
  }
}
