import type { Finding } from '../../core/model';
import { CONFIDENCE } from './confidence';
import type { DetectContext } from '../session/detector';
import type { PastStep } from '../steps/step';
import { type Loop, bookRules } from './loop';
import { LINE_LENGTH, snippetLine, shownResult } from '../sayings/snippet';
import { loopTexts } from './texts';
import { cardOf } from '../../core/rules';

/** Builds the finding of the rule that speaks for a streak. `step`: the newest step that belongs to it. */
export function findingOf(loop: Loop, step: PastStep, context: DetectContext): Finding {
  const { speaker, log } = loop;
  const { reason, exhaustion, certainty } = cardOf(speaker.detector);
  const first = log.firstStep ?? step;
  const subject = speaker.follows.kind === 'outcomes' ? first : (log.lastStep ?? step);
  // If the repeated step is an edit, it is not a check to which other edits could bring another result.
  const edits = subject.kind === 'changed' ? [] : editsSince(first.index, context);
  const pattern = log.pattern();
  const moved = log.movedValues();
  const texts = loopTexts({
    detector: speaker.detector,
    rule: speaker.rule,
    count: loop.count,
    subject: subject.subject,
    result: shownResult(telling(loop, step).text),
    failing: subject.failed,
    period: speaker.period,
    span: context.stepCount - first.index,
    outcomes: new Set(speaker.steps.map((one) => one.outcome)).size,
    tools: new Set(speaker.steps.map((one) => one.tool)).size,
    moved,
    textsDiffer: speaker.equality === 'failed',
    others: speaker.period > 1 ? pattern.slice(1, 3).map((one) => one.subject) : [],
    edits,
    isReminded: step.isReminded,
    waitsOrLooks: step.weight === 'wait' || step.weight === 'look',
  });
  const tokens = first.tokens > 0 ? context.totalTokens - first.tokens : 0;
  return {
    detector: speaker.detector,
    rule: speaker.rule,
    reason,
    exhaustion,
    key: loop.key,
    level: loop.level,
    certainty,
    confidence: CONFIDENCE[loop.level],
    count: loop.count,
    limit: Number.isFinite(speaker.limit) ? speaker.limit : speaker.warn,
    at: step.at,
    source: step.end,
    firstAt: first.at,
    first: first.source,
    evidence: log.evidence(),
    subject: snippetLine(subject.subject, LINE_LENGTH),
    ...texts,
    ...(moved.length > 0 && { moved }),
    ...(loop.firstSample && { firstSample: loop.firstSample }),
    ...(loop.lastSample && { lastSample: loop.lastSample }),
    ...(pattern.length > 0 && { pattern }),
    ...(tokens > 0 && { tokensSinceFirst: tokens }),
  };
}

/** Returns the step whose result is quoted: for an alternation the failing one, otherwise the newest of those that name the streak. */
function telling({ speaker, log }: Loop, newest: PastStep): PastStep {
  if (bookRules(speaker)?.quotesFailure) {
    // If several fail, always the same one, or the sentence would change with each step: outcomes are numbered in ascending order.
    const failed = speaker.steps.filter((step) => step.failed);
    const quoted = Math.min(...failed.map(({ outcome }) => outcome));
    return failed.findLast(({ outcome }) => outcome === quoted) ?? newest;
  }
  return speaker.follows.kind === 'outcomes' && speaker.period === 1 ? (log.firstStep ?? newest) : newest;
}

/** Returns the steps that changed something, by their kind, from an index on. Only these are read in full. */
function editsSince(index: number, context: DetectContext): PastStep[] {
  const { steps, stepCount } = context;
  const edits: PastStep[] = [];
  for (let at = Math.max(index, stepCount - steps.length); at < stepCount; at++) {
    const step = steps.last(stepCount - 1 - at)?.kind === 'changed' ? steps.step(at) : undefined;
    if (step) edits.push(step);
  }
  return edits;
}
