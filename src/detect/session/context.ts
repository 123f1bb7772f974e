import type { AgentEvent, AgentId, ProgressMarker, ToolCallEvent, TurnEnds } from '../../core/model';
import { normalisedPath } from '../../base/util/canonical';
import type { DetectContext } from './detector';
import { PastSteps } from '../steps/past-steps';
import { type Prompt, Prompts } from './prompts';
import { isFromPerson } from '../steps/step-builder';
import { countTokens } from './tokens';

/** The shared knowledge of one session's detectors, updated only by session-detectors.ts. */
export class SessionContext implements DetectContext {
  readonly steps = new PastSteps();
  stepsAtUserMessage = 0;
  prompts = 0;
  prompt: Prompt = { adds: true, asksAgain: false, asksMany: false, dictated: '' };
  stepsAtPrompt = 0;
  stepsAtSchedule: number | null = null;
  lastProgress: ProgressMarker | null = null;
  stepsAtProgress = 0;
  lastNewStep = -1;
  lastNewAt = 0;
  startedAt = 0;
  now = 0;
  contextTokens = 0;
  contextWindow = 0;
  totalTokens = 0;
  cwd: string | null = null;
  private readonly said = new Prompts();
  private begun = false;

  constructor(
    readonly agent: AgentId,
    readonly showsRunningTool: boolean,
    readonly pending: readonly ToolCallEvent[],
    /** Returns the newest results as one text. */
    private readonly results: () => string,
    readonly turnEnds: TurnEnds = 'some',
    readonly holdsCalls = true,
    readonly isPersonsMove: (at: number) => boolean = () => false,
  ) {}

  /** Serial number of the newest message with calls. */
  get message(): number {
    return this.steps.last(0)?.message ?? 0;
  }

  get stepCount(): number {
    return this.steps.total;
  }

  /** Takes from an event the facts about the session, before the detectors see it. */
  take(event: AgentEvent): void {
    if (!this.begun) {
      this.begun = true;
      this.startedAt = event.at;
    }
    if (event.at > this.now) this.now = event.at;
    countTokens(this, event);
    switch (event.type) {
      case 'session_info':
        if (event.cwd) this.cwd = normalisedPath(event.cwd, null);
        break;
      case 'user':
        if (event.scheduled) this.stepsAtSchedule = this.stepCount;
        if (isFromPerson(event)) this.prompted(event.text);
        break;
      default:
    }
  }

  private prompted(text: string): void {
    const { asksMany, dictated } = this.prompt;
    const prompt = this.said.take(text, this.results, this.prompts === 0 && this.stepCount === 0);
    // A person who requested many repeats, and then only says to continue, still requests them.
    this.prompt = prompt.adds
      ? prompt
      : { ...prompt, asksMany: prompt.asksMany || asksMany, dictated: prompt.dictated || dictated };
    this.stepsAtSchedule = null;
    this.prompts++;
    this.stepsAtPrompt = this.stepCount;
    if (prompt.adds) this.stepsAtUserMessage = this.stepCount;
  }

  progressed(marker: ProgressMarker): void {
    this.lastProgress = marker;
    this.stepsAtProgress = this.stepCount;
  }
}
