import type { AgentEvent, PlanEvent, ProgressMarker, ToolCallEvent, ToolResultEvent } from '../../model';
import { comparedFingerprint } from '../sayings/assertion';
import { callSignature } from '../../util/canonical';
import { checkIn, saysFine, saysWrong } from './checks';
import { CurrentStep } from './current-step';
import type { Exemption, Step } from '../session/detector';
import { exemptionOf, failedIn, isPoll, isWait } from './exemptions';
import { maskedFingerprint, rawFingerprint } from '../sayings/mask';
import { Outcomes } from './outcomes';
import { createProgressFinder } from './progress';
import { LONGEST, SampleStore } from '../sayings/sample-store';
import { errorLine, oneLine, resultLine, withoutEcho } from '../sayings/snippet';
import { hashOf } from '../../util/hash';

/** What a step needs to know of its session. */
export interface StepSurroundings {
  readonly cwd: string | null;
  readonly tokens: number;
}

/** Turns pairs of call and result into steps: identity, exemptions, progress. */
export interface StepBuilder {
  readonly samples: SampleStore;
  build(call: ToolCallEvent, result: ToolResultEvent, surroundings: StepSurroundings): Step;
  /** Progress that the plan shows. */
  plan(event: PlanEvent): ProgressMarker | null;
}

/** Outcomes of one parallel batch that were seen, at most. */
const BATCH_OUTCOMES = 64;

export function createStepBuilder(): StepBuilder {
  const samples = new SampleStore();
  const outcomes = new Outcomes((step) => samples.masked(step));
  const progress = createProgressFinder();
  let index = 0;
  let newestEdit = -1;
  let newestWait = -1;
  let batch: string | null = null;
  const batchOutcomes = new Set<number>();

  /** Is this outcome the second of its kind in one parallel batch? */
  const repeatsInBatch = (of: string | null, outcome: number): boolean => {
    if (of === null || of !== batch) {
      batch = of;
      batchOutcomes.clear();
    }
    if (of === null) return false;
    if (batchOutcomes.has(outcome)) return true;
    if (batchOutcomes.size < BATCH_OUTCOMES) batchOutcomes.add(outcome);
    return false;
  };

  return {
    samples,

    build(call, result, { cwd, tokens }) {
      const malformed = call.malformed !== undefined || result.validation !== undefined;
      const asks = isPoll(call, result);
      const check = call.kind === 'ran' ? checkIn(call.command) : null;
      // a check that is piped into another program ends with that one's exit code
      const failed = failedIn(call, result) || (check !== null && saysWrong(result.output));
      const signature = callSignature(call.name, call.args, cwd);
      const failingCheck = failed && check !== null;
      const { output } = result;
      const raw = rawFingerprint(output, failed);
      const identity = { raw, masked: () => (asks ? raw || 1 : comparedFingerprint(output, failed, failingCheck)) };
      // what a command printed differs in times and durations; what was read does not, and of it the raw form is enough
      const eager = asks || (output.length > LONGEST && call.kind !== 'looked' && call.kind !== 'changed');
      const known = outcomes.see(signature, identity, failed, index, eager);
      const { occurrence, previous, failedBefore, outcome } = known;
      // looking again after a wait is asking how it stands, whatever the command; a check tells more than that
      const poll = asks || (check === null && isLook(call) && previous >= 0 && newestWait > previous);
      if (isWait(call)) newestWait = index;
      const inBatch = repeatsInBatch(call.batch ?? null, outcome);
      let exemption: Exemption | null = exemptionOf(call, result);
      if (exemption === null && inBatch) exemption = 'batch_repeat';
      if (exemption === null && !failed && !poll && previous >= 0 && newestEdit > previous && isCommand(call)) {
        // a script that goes on to print the same is no check that passes: no edit changed what it prints
        if (check !== null || saysFine(withoutEcho(result.output, call.command))) exemption = 'passing_check';
      }
      const marker =
        exemption === null || exemption === 'passing_check'
          ? progress.step({ call, result, check, failed, seen: occurrence > 1, failedBefore: failedBefore === true })
          : null;
      if (marker?.kind === 'edit') newestEdit = index;
      samples.add(index, output, failed, failingCheck);
      return new CurrentStep(call, result, known, {
        index: index++,
        failed,
        poll,
        malformed,
        exemption,
        progress: marker,
        error: failed ? maskedFingerprint(errorLine(output), true) | 0 || 1 : 0,
        tokens,
        resultToken: raw | 0,
        topic: topicOf(call),
        subject: oneLine(call.subject || call.name),
        text: resultLine(output, failed, call.command),
      });
    },

    plan: (event) => progress.plan(event),
  };
}

function isLook(call: ToolCallEvent): boolean {
  return call.kind === 'looked' || call.kind === 'ran' || call.kind === 'other';
}

/** Does the call run something, be it a check or a command that changes things, such as `rm -rf build`? */
function isCommand(call: ToolCallEvent): boolean {
  return call.kind === 'ran' || (call.kind === 'changed' && call.command !== undefined);
}

/** What a call is about besides its other arguments, as a number: its target, or the program and part that its command runs. 0: nothing. */
function topicOf(call: ToolCallEvent): number {
  if (call.target !== undefined) return hashOf(call.target) | 0;
  if (call.command === undefined) return 0;
  const words = /^\s*(\S{1,80})(?:\s+(\S{1,80}))?/.exec(call.command);
  return words ? hashOf(`${words[1]} ${words[2] ?? ''}`) | 0 : 0;
}

/** Does this event come from a person, so that what they asked for is no repeat of the agent's? */
export function isFromPerson(event: AgentEvent): boolean {
  return event.type === 'user' && !event.automated && event.text.trim() !== '';
}
