import type { DetectorOptions } from '../../core/model';
import { repeatingOutcome as card } from '../../core/rules/cards/repeating-outcome';
import { limitsOf } from '../../core/rules/limits';
import { createNewPromptCheck } from '../session/new-prompt';
import type { DetectContext, DetectorSink } from '../session/detector';
import { NearMissLog } from '../session/near-misses';
import type { PastStep, Step } from '../steps/step';

/** Number of messages within which a look at the started program belongs to its start. */
const LOOKED_WITHIN = 4;
/** Number of starts that are kept, and the most messages between two of them. */
const STARTS = 16;
const APART = 20;
/** Words of a look that show that nothing is running. Empty output of a program that lists processes shows the same. */
const NOTHING_RUNS =
  /\b(?:not running|no (?:such )?process|no matching process|inactive|is dead|has (?:exited|stopped|crashed)|exited \(|exited with|is down|crashloop\w*|connection refused|econnrefused|couldn.t connect|failed to connect|does not exist|is not responding)\b/i;
const LISTS = /\b(?:pgrep|pidof|lsof|ss|netstat|ps)\b/;
/** Commands and tools that query what is running. */
const ASKS =
  /\b(?:pgrep|pidof|lsof|ss|netstat|ps|curl|wget|nc|http|docker|podman|systemctl|service|pm2|supervisorctl|jobs|status)\b/;
const ASKS_TOOL = /status|process|jobs|ps$/i;
/** Number of characters in which these are searched for. */
const LOOKED_AT = 2_000;

/** Rule `dead_start` of `repeating_outcome`: one program is started repeatedly, and each look at it shows that nothing is running. */
export function createDeadStart(
  options: DetectorOptions,
  sink: DetectorSink,
): (step: Step, context: DetectContext) => void {
  const near = new NearMissLog(card.id, 'dead_start', sink);
  let dead: PastStep[] = [];
  let start: PastStep | null = null;
  /** Result of the newest look at it. */
  let isDead = false;
  let runs = false;
  const hasNewPrompt = createNewPromptCheck();

  return (step, context) => {
    if (hasNewPrompt(context)) {
      dead = [];
      start = null;
    }
    if (!step.counted) return;
    if (step.starts) {
      if (start !== null && isDead) dead = [...dead, start].slice(-STARTS);
      const last = dead.at(-1);
      if (last && (last.program !== step.program || step.message - last.message > APART)) dead = [];
      start = step;
      isDead = false;
      runs = false;
      return;
    }
    if (start === null || step.message - start.message > LOOKED_WITHIN) return;
    const says = saysDead(step);
    if (says === null) return;
    isDead = says;
    if (!says) {
      // It is running, or about to: an earlier look came too early.
      runs = true;
      dead = [];
      return;
    }
    const { warn, stuck: limit } = limitsOf(card.rules.dead_start.shape, options);
    const starts = [...dead, start];
    near.reached(context, start.subject, starts.length, limit, step.at, step.end);
    if (starts.length < warn) return;
    sink.loop({
      detector: card.id,
      rule: 'dead_start',
      level: starts.length >= limit ? 'stuck' : 'warn',
      count: starts.length,
      warn,
      limit,
      follows: { kind: 'starts', program: start.program, runs: () => runs },
      steps: starts,
      equality: 'said',
      period: 1,
    });
  };
}

/** Returns whether this step shows that nothing is running; null where it does not look at running programs. */
function saysDead({ weight, failed, tool, call, result }: Step): boolean | null {
  const { command } = call;
  if (command === undefined ? weight !== 'wait' && !ASKS_TOOL.test(tool) : !ASKS.test(command)) return null;
  const output = result.output.slice(0, LOOKED_AT);
  if (NOTHING_RUNS.test(output) || (command !== undefined && LISTS.test(command) && output.trim() === '')) return true;
  return failed ? null : false;
}
