import type { CheckOutput } from '../../base/checks/check-output';
import type { AgentEvent, PlanEvent, ProgressMarker, ToolCallEvent, ToolResultEvent } from '../../core/model';
import { isUsageError } from '../../base/checks/error-line';
import { callSignature, normalisedPath } from '../../base/util/canonical';
import { hashOf } from '../../base/util/hash';
import { withoutEscapes } from '../../base/util/showable';
import type { Exemption, Step } from './step';
import { LONGEST, SampleStore } from '../sayings/sample-store';
import { sayingOf } from '../sayings/saying';
import { snippetLine, resultLine } from '../sayings/snippet';
import { editPair, shellWrite } from './edit-pair';
import { effectOf } from './effects';
import { Outcomes } from './outcomes';
import { createProgressFinder } from './progress';
import { RecentHashes } from './recent-hashes';
import { Refusals } from './refusals';
import { ScheduledCalls } from './scheduled-calls';
import { type Target, targetOf } from './target';
import { classify, crashed, exemptionOf, failedIn, weightOf } from './weight';

/** Facts about the session for a step. */
export interface StepSurroundings {
  readonly cwd: string | null;
  readonly tokens: number;
  /** Message that made the call, and number of the person's prompts before it. */
  readonly message: number;
  readonly prompts: number;
  /** True for a step of the first message after a prompt that requested the same once more. */
  readonly isAsked: boolean;
  /** True if the harness added its own reminder below the result. */
  readonly isReminded: boolean;
  /** Number of steps before the turn that a schedule opened; null in any other turn. */
  readonly stepsAtSchedule: number | null;
}

/** Turns calls with their results into steps: their sayings, their weight, their progress. */
export interface StepBuilder {
  readonly samples: SampleStore;
  build(call: ToolCallEvent, result: ToolResultEvent, surroundings: StepSurroundings): Step;
  /** Returns progress that the plan shows. */
  plan(event: PlanEvent): ProgressMarker | null;
}

/** Number of failures of a check, and of values of each, that are kept, and the length of a value. */
const NAMED = 3;
const VALUE_LENGTH = 20;
const NO_VALUES: readonly string[] = [];
/** Minimum number of sayings that are remembered across all calls. */
const HEARD = 256;
/** Limit of the outcomes of one message that are remembered. */
const BATCH_OUTCOMES = 64;
/** Number of steps within which failures are compared (consecutive-failures.ts). */
const FAILURE_STEPS = 24;
/** A check that only explains how to call it has not run. */
const USAGE_FIRST = /^\s*(?:(?:Error: )?Exit code:? \d{1,3}\s*)?usage: /i;
/** Number of characters within which that text begins, including colours. */
const USAGE_WITHIN = 200;
const NO_TARGET: Target = { program: 0, target: 0 };
/** Number of steps for which a service counts as starting after it was put into the background. */
const STARTING_STEPS = 12;

export function createStepBuilder(): StepBuilder {
  const samples = new SampleStore();
  const outcomes = new Outcomes((step) => samples.masked(step));
  const progress = createProgressFinder();
  const refusals = new Refusals();
  const schedule = new ScheduledCalls();
  /** Recent texts of all calls: the same text from another call is not new. */
  const heard = new RecentHashes(HEARD);
  let index = 0;
  let newestEdit = -1;
  let newestFailure = -FAILURE_STEPS - 1;
  let newestService = -STARTING_STEPS;
  let newestMessage = 0;
  const batchOutcomes = new Set<number>();

  /** Returns whether this outcome is the second of its kind in one message. */
  const repeatsInMessage = (message: number, outcome: number): boolean => {
    if (message !== newestMessage) {
      newestMessage = message;
      batchOutcomes.clear();
    }
    if (batchOutcomes.has(outcome)) return true;
    if (batchOutcomes.size < BATCH_OUTCOMES) batchOutcomes.add(outcome);
    return false;
  };

  return {
    samples,

    build(call, result, { cwd, tokens, message, prompts, isAsked, isReminded, stepsAtSchedule }) {
      const { output } = result;
      const malformed = call.malformed !== undefined || result.validation !== undefined;
      const called = classify(call);
      const signature = callSignature(call.name, call.args, cwd);
      const said = sayingOf(call, result, failedIn(call, result), called.command);
      const isCheck = said.check !== null || called.kind === 'check';
      // Only edits and plain texts have an effect to compare: a tool with the same answer to every edit is refusing it.
      const hasEffect = said.kind === 'confirmed' || (said.kind === 'text' && !said.failed && !isCheck);
      const effect = hasEffect ? effectOf(call, called, output) : 0;
      // An editing tool that gives the same long explanation for any input is refusing it, whatever its flag says.
      const refused = said.kind === 'confirmed' && refusals.isRefusal(effect, signature);
      const failed = said.failed || refused;
      const error = refused ? effect : said.error;
      const saysNothing = said.kind === 'nothing';

      // A text is masked only when its call recurs; the other kinds are already numbers.
      const eager =
        said.kind !== 'text' || (result.exitCode ?? 0) !== 0 || (output.length > LONGEST && call.kind !== 'looked');
      const identity = refused ? { raw: effect, masked: () => effect } : { raw: said.raw, masked: said.token };
      const known = saysNothing ? outcomes.pass(signature) : outcomes.see(signature, identity, failed, index, eager);
      // Unique where it says nothing, so that it equals no other.
      const outcome = saysNothing ? -2 - index : known.outcome;
      if (called.starts || (call.command !== undefined && result.running === true)) newestService = index;
      const ownWeight = weightOf(call, called, result, failed, isCheck, index - newestService <= STARTING_STEPS);
      // A schedule repeats its question: the first such call of its turn is a wait, whatever its kind.
      const isScheduled = ownWeight !== 'change' && schedule.isFirst(known, stepsAtSchedule);
      const weight = isScheduled ? 'wait' : ownWeight;

      let exemption: Exemption | null = exemptionOf(call, result);
      // The same update of the plan, or the same look at it, with the same result has no effect.
      if (exemption === 'plan' && known.occurrence > 1) exemption = null;
      if (exemption === null && !saysNothing && repeatsInMessage(message, outcome)) exemption = 'batch_repeat';
      if (exemption === null && said.kind === 'passed' && known.previous >= 0 && newestEdit > known.previous)
        exemption = 'passing_check';
      if (exemption === null && isAsked && known.occurrence > 1) exemption = 'asked';
      // A check whose output does not show its result does not count as progress.
      const isUndecided = isCheck && said.kind === 'text';
      const marker =
        !isUndecided && (exemption === null || exemption === 'passing_check')
          ? progress.step({
              call,
              result,
              check: isCheck ? called.main : null,
              failed,
              seen: known.occurrence > 1,
              failedBefore: known.failedBefore === true,
            })
          : null;
      const changes = !failed && (weight === 'change' || marker?.kind === 'commit' || marker?.kind === 'edit');
      if (changes) newestEdit = index;
      samples.add(index, output, failed, said.kind === 'failures');

      const edit = call.command === undefined ? editPair(call, cwd) : shellWrite(call.command, cwd);
      const path = edit?.path ?? (call.kind === 'changed' && call.command === undefined ? call.target : undefined);
      const file = path === undefined ? 0 : hashOf(normalisedPath(path, cwd)) | 0 || 1;
      if (failed) newestFailure = index;
      // The target of a command is computed only while a failure is remembered: most steps need none.
      const target =
        call.target !== undefined || called.starts || index - newestFailure <= FAILURE_STEPS
          ? targetOf(call)
          : NO_TARGET;
      const isNew = !saysNothing && known.occurrence === 1 && !heard.has(said.raw);
      if (!saysNothing) heard.add(said.raw);
      return {
        index: index++,
        at: result.at,
        source: call.source,
        end: result.source,
        kind: call.kind,
        tool: call.name,
        failed,
        crashed: failed || (call.command !== undefined && crashed(result)),
        check: isCheck,
        weight,
        requestedWait: weight === 'wait' ? called.requestedWait : 0,
        isNew,
        counted: exemption === null,
        message,
        prompts,
        changes,
        movesHead: !failed && called.command?.movesHead === true,
        file,
        edit,
        failing: failingOf(said.check),
        isReminded,
        starts: called.starts,
        signature: known.signature,
        program: target.program,
        target: target.target,
        outcome,
        error,
        effect: failed || weight === 'wait' ? 0 : effect,
        values: valuesOf(said.check),
        tokens,
        subject: snippetLine(call.subject || call.name),
        text: resultLine(output, failed, call.command),
        call,
        result,
        occurrence: known.occurrence,
        changed: known.changed,
        editsFirst: called.command?.edits === true,
        malformed,
        misused:
          failed &&
          !malformed &&
          (isCheck ? USAGE_FIRST.test(withoutEscapes(output.slice(0, USAGE_WITHIN))) : isUsageError(output)),
        exemption,
        progress: marker,
      };
    },

    plan: (event) => progress.plan(event),
  };
}

/** Returns the number of failures: the runner's own count, or else of those that it names; -1 where there is neither. */
function failingOf(check: CheckOutput | null): number {
  if (check === null) return -1;
  if (check.totals.failed !== undefined) return check.totals.failed;
  if (check.failures.length > 0) return check.failures.reduce((sum, { times }) => sum + times, 0);
  return check.passed === true ? 0 : -1;
}

/** Returns the values named in the failures of a check, of the first three failures at most. */
function valuesOf(check: CheckOutput | null): readonly string[] {
  if (check === null || check.failures.length === 0) return NO_VALUES;
  return check.failures
    .slice(0, NAMED)
    .flatMap((one) => one.values.slice(0, NAMED).map((value) => snippetLine(value, VALUE_LENGTH)));
}

/** Releases the records of a step that was handled, so that the remembered step does not keep large arguments and results alive. */
export function release(step: Step): void {
  const records: { call: unknown; result: unknown } = step;
  records.call = null;
  records.result = null;
}

/** Returns whether this event comes from a person, so that their requests are not counted as the agent's repeats. */
export function isFromPerson(event: AgentEvent): boolean {
  return event.type === 'user' && !event.automated && event.text.trim() !== '';
}
