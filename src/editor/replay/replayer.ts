import type { Disposable } from '../../base/util/disposable';
import { type Beat, type RecordedCall, type RecordedLine, beatsOf } from './recording';
import { continuation, refusedLines, takenLine } from './continuation';
import { type Identity, rewrite } from './rewrite';
import type { Scenario } from './scenarios';

/** Events at which a replayed agent calls its hooks. */
export type ReplayEvent = 'PreToolUse' | 'PostToolBatch';

/** The editor and the clock as a replay uses them. */
export interface ReplayPort {
  now(): number;
  after(milliseconds: number, run: () => void): Disposable;
  /** Appends whole lines to the replayed transcript. */
  append(session: string, lines: string): Promise<void>;
  /**
   * Calls the hook that is actually installed, as the agent would before each call and after a batch of calls. Returns its standard output, empty if
   * no hook is installed or nothing waits.
   */
  hook(session: string, event: ReplayEvent, payload: Readonly<Record<string, unknown>>): Promise<string>;
}

export interface ReplayOptions {
  readonly scenario: Scenario;
  readonly recording: string;
  readonly session: string;
  readonly folder: string;
  /** 1 is the scenario's own pace, 2 is twice as fast. */
  readonly speed: number;
  readonly onEnd?: (how: 'recovered' | 'ended') => void;
  readonly onTaken?: (text: string) => void;
}

/** Maximum number of times that a stuck run repeats its last round. It then ends as recorded. */
const MAXIMUM_ROUNDS = 60;
const ROUND_PACE = 3;

/** Plays one recorded run as if it happened now. */
export class Replay implements Disposable {
  private readonly identity: Identity;
  private readonly beats: Beat[];
  private readonly ending: Beat | undefined;
  private readonly template: RecordedLine;
  private queue: Beat[];
  private timer: Disposable | null = null;
  private round = 0;
  private taken = false;
  private stopped = false;

  constructor(
    private readonly port: ReplayPort,
    private readonly options: ReplayOptions,
  ) {
    const { scenario, session, folder } = options;
    this.identity = { session, folder, title: scenario.title };
    const all = beatsOf(options.recording);
    this.ending = all.at(-1)?.batch.length === 0 ? all.at(-1) : undefined;
    this.beats = scenario.repeats > 0 && this.ending ? all.slice(0, -1) : all;
    this.queue = [...this.beats];
    const template = all.flatMap((beat) => beat.lines).find((line) => line['type'] === 'assistant');
    if (!template) throw new Error('the recording has no assistant record');
    this.template = template;
  }

  async start(): Promise<void> {
    for (let i = 0; i < this.options.scenario.head; i++) await this.playNext(false);
    this.schedule();
  }

  dispose(): void {
    this.stopped = true;
    this.timer?.dispose();
  }

  private schedule(): void {
    if (this.stopped) return;
    const { scenario, speed } = this.options;
    const slow = this.round > 0 && !this.taken ? ROUND_PACE : 1;
    this.timer = this.port.after((scenario.pace * slow) / speed, () => {
      this.playNext(true).then(
        () => this.schedule(),
        () => this.end(),
      );
    });
  }

  private end(): void {
    if (this.stopped) return;
    this.dispose();
    this.options.onEnd?.(this.taken ? 'recovered' : 'ended');
  }

  private async playNext(callsHook: boolean): Promise<void> {
    if (this.stopped) return;
    const beat = this.queue.shift() ?? this.refill();
    if (!beat) return this.end();
    if (callsHook && (await this.isRefused(beat))) return;
    await this.write(beat.lines);
    if (callsHook && beat.batch.length > 0) await this.callHook(beat.batch);
  }

  /** Calls the hook before each call of a beat. A refused call gets the reason as its result, and the agent takes another way. */
  private async isRefused(beat: Beat): Promise<boolean> {
    if (this.taken) return false;
    for (const { tool_name, tool_input, tool_use_id } of beat.batch) {
      const answer = await this.hook('PreToolUse', { tool_name, tool_input, tool_use_id });
      const reason = refusal(answer);
      if (reason === undefined) continue;
      await this.write(refusedLines(beat, tool_use_id, `PreToolUse:${tool_name} hook error: ${reason}`));
      this.goAnotherWay(reason);
      return true;
    }
    return false;
  }

  /** Repeats the last round of a stuck run while there is no nudge. */
  private refill(): Beat | undefined {
    const { repeats } = this.options.scenario;
    if (this.taken || repeats === 0) return undefined;
    this.round++;
    if (this.round > MAXIMUM_ROUNDS) {
      this.taken = true;
      return this.ending;
    }
    this.queue = this.beats.slice(-repeats);
    return this.queue.shift();
  }

  private async callHook(batch: readonly RecordedCall[]): Promise<void> {
    const text = additionalContext(await this.hook('PostToolBatch', { tool_calls: batch }));
    if (text === undefined || this.taken) return;
    await this.write([takenLine(this.template, text, 'PostToolBatch')]);
    this.goAnotherWay(text);
  }

  private hook(event: ReplayEvent, payload: Readonly<Record<string, unknown>>): Promise<string> {
    const { session, folder } = this.options;
    const common = { session_id: session, cwd: folder, permission_mode: 'default', hook_event_name: event };
    return this.port.hook(session, event, { ...common, ...payload });
  }

  private goAnotherWay(text: string): void {
    const { scenario, onTaken } = this.options;
    this.taken = true;
    this.queue = continuation(this.template, this.ending?.lines ?? [], scenario.recovery, scenario.lastWords);
    onTaken?.(text);
  }

  private async write(lines: readonly RecordedLine[]): Promise<void> {
    const at = this.port.now();
    await this.port.append(
      this.options.session,
      lines.map((line) => `${rewrite(line, this.identity, at, this.round)}\n`).join(''),
    );
  }
}

/** Returns the text that a hook's answer gives to the model; undefined if there is none. */
export function additionalContext(answer: string): string | undefined {
  return fromAnswer(answer, ({ additionalContext: text }) => text);
}

/** Returns why a hook's answer refuses a call; undefined if it does not. */
function refusal(answer: string): string | undefined {
  return fromAnswer(answer, ({ permissionDecision, permissionDecisionReason }) =>
    permissionDecision === 'deny' ? permissionDecisionReason : undefined,
  );
}

interface HookOutput {
  readonly additionalContext?: unknown;
  readonly permissionDecision?: unknown;
  readonly permissionDecisionReason?: unknown;
}

function fromAnswer(answer: string, read: (output: HookOutput) => unknown): string | undefined {
  if (answer.trim() === '') return undefined;
  try {
    const { hookSpecificOutput = {} } = JSON.parse(answer) as { hookSpecificOutput?: HookOutput };
    const text = read(hookSpecificOutput);
    return typeof text === 'string' && text !== '' ? text : undefined;
  } catch {
    return undefined;
  }
}
