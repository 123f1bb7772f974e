import type { AgentEvent, DetectorId, Level, RuleId } from '../../../../src/core/model';
import { CARDS, cardOf } from '../../../../src/core/rules';
import { DETECTORS } from '../../../../src/detect/rules';
import { resolveOptions } from '../../../../src/detect/session/options';
import { createSessionDetectors } from '../../../../src/detect/session/session-detectors';
import { draw } from '../../../stories/drawing';

/** A drawing of a run on which a rule alerts (signs: ../../../stories/drawing.ts). */
interface Recipe {
  readonly before?: string;
  /** The part that repeats. None: the rule judges the rounds of the other rule. */
  readonly round?: string;
  readonly after?: string;
}

const COMMANDS = ['make dist', './start.sh', './deploy.sh'];
const SENTENCE = 'I will look at the total function once more. ';

/** Hints mark the row of an agent and open no incident. */
type Hint = 'premature_action' | 'over_helpfulness';

/** A run for each card, and for the rules on it that have a shape of their own. */
const RECIPES: Readonly<Record<Exclude<DetectorId, Hint>, Recipe>> & Readonly<Record<string, Recipe>> = {
  repeating_action: { round: 'B "make dist" fail:"make: *** No rule to make target dist"' },
  repeating_outcome: {
    round: 'R a%n · B "make dist" fail:"make: *** No rule to make target dist"',
  },
  action_error_alternation: { round: 'B "./stop.sh" ok:stopped · B "./start.sh" fail:"Error: port 8080 is in use"' },
  cycle: { round: 'B "./build.sh" ok:"built 12 pages" · B "./publish.sh" ok:"page 7 is stale, build it"' },
  'cycle/returns': {
    round:
      'M change:Write {"file_path":"cart.ts","content":"first"} · R notes%n · M change:Write {"file_path":"cart.ts","content":"second"}',
  },
  consecutive_failures: {
    round: 'B "./deploy.sh %n" fail:"Error: no seat left" · B "./other.sh %n" fail:"Error: bad header"',
  },
  'consecutive_failures/same_error': { round: 'B "./try.sh %n" fail:"Error: no seat left" · R part%n' },
  'consecutive_failures/refused_edits': {
    round: 'M change:edit {"file_path":"cart.ts","old_string":"%n"} fail:"String to replace not found"',
  },
  'consecutive_failures/refused_request': {
    round: 'X "API Error: 400 prompt is too long: 214012 tokens > 200000 maximum" · U continue',
  },
  'repeating_outcome/few_distinct': {
    round: ['no seat left', 'bad header', 'lock was lost']
      .map((error) => `E cart.ts · R a%n · R b%n · B "python probe.py" fail:"Error: ${error}"`)
      .join(' · '),
  },
  'repeating_outcome/no_better': {
    round: ['total', 'tax', 'discount', 'rounding', 'shipping']
      .map(
        (test) =>
          `E cart.ts · B "pytest" fail:"FAILED tests/cart.py::${test} - AssertionError%l1 failed, 7 passed in 0.1s"`,
      )
      .join(' · '),
  },
  'repeating_outcome/dead_start': {
    round:
      'E a%n · B "npm run dev > dev.log 2>&1 &" ok:"[1] 4711" · B "curl -sI localhost:3000" fail:"curl: Failed to connect to localhost port 3000: Connection refused"',
  },
  'repeating_outcome/unread_rewrites': { round: 'M change:Write {"file_path":"cart.ts","content":"%n"}' },
  'repeating_outcome/still_board': {
    round:
      '+70s · M wait:wait_for_run {"timeout_ms":600000} ok:queued · +70s · M wait:wait_for_run {"timeout_ms":600000} ok:queued',
  },
  'repeating_outcome/no_effect': { round: 'M send_keys {"keys":"show %n"} ok:$' },
  validation_failure: { round: 'V' },
  monologue: { round: 'A "I will look at the cart now." · U continue' },
  'monologue/sent_back': { round: 'A "Part %n is finished." · F "Stop hook feedback: run the tests before you stop"' },
  text_loop: { round: `A "${SENTENCE.repeat(9)}"` },
  condensation_loop: { round: 'C' },
  token_exhaustion: { round: '+90s · K 92' },
  context_pollution: { before: `F "Failed attempts: ${COMMANDS.map((one) => `\`${one}\``).join(', ')}"` },
  gate_blocked: { round: 'D · F "Completion Blocked: tests failed"' },
  max_runtime: { round: '+300s' },
  oversized_response: { before: 'B "cat all.log" ok:%L' },
  rate_limited: { before: '(L) x3' },
  stall: { after: '+900s · tick' },
};

/** Rules that judge something other than steps that repeat: silence, an outage, the size of a result. They have an incident of their own. */
export const BESIDE: ReadonlySet<string> = new Set<Exclude<DetectorId, Hint>>([
  'stall',
  'rate_limited',
  'oversized_response',
]);

const ROUNDS = 12;
const OF_CONTEXT = new Set<string>(CARDS.filter(({ ofContext }) => ofContext).map(({ id }) => id));

export interface Pair {
  readonly one: string;
  readonly other: string;
  /** A run on which each of the two rules alerts when it runs alone; null if their runs exclude each other. */
  readonly events: readonly AgentEvent[] | null;
}

/** Names of the rules above that do not alert on their own run. */
export function silent(): string[] {
  return Object.keys(RECIPES).filter((name) => !drawings(name, name).some((drawing) => speaks(name, draw(drawing))));
}

/** All pairs of the rules above, each with a run on which both alert. */
export function pairs(): Pair[] {
  const names = Object.keys(RECIPES);
  return names.flatMap((one, index) =>
    names.slice(index + 1).map((other) => {
      const runs = drawings(one, other).map(draw);
      const events = runs.find((run) => [one, other].every((rule) => speaks(rule, run))) ?? null;
      return { one, other, events };
    }),
  );
}

/** Candidates on which both rules may alert: the rounds of both in turn, or those of one if they also show the other. */
function drawings(one: string, other: string): string[] {
  const both = one === other ? [one] : [one, other];
  const drawing = (rounds: readonly string[], around = both): string => {
    const parts = around.map((name) => RECIPES[name] ?? {});
    const round = rounds.flatMap((name) => RECIPES[name]?.round ?? []).join(' · ');
    const times = round === '' ? [] : [`(${round}) x${ROUNDS}`];
    return [
      'U "Finish the cart"',
      ...parts.flatMap(({ before = [] }) => before),
      ...times,
      ...parts.flatMap(({ after = [] }) => after),
    ].join(' · ');
  };
  // A rule about what surrounds steps needs steps.
  if (both.every((name) => OF_CONTEXT.has(name) || BESIDE.has(name))) return [drawing(['repeating_action', ...both])];
  return [...new Set([drawing(both), drawing([one]), drawing([other])])];
}

/** Returns whether a rule that runs alone alerts on the run at its highest level. */
function speaks(name: string, events: readonly AgentEvent[]): boolean {
  const [detector = '', rule] = name.split('/');
  const id = cardOf(detector as DetectorId).foundBy ?? detector;
  const card = cardOf(detector as DetectorId);
  const limits = card.rules?.[rule as RuleId]?.shape?.limits.balanced;
  const gravest: Level = card.notifies === 'never' || limits?.stuck === Infinity ? 'warn' : 'stuck';
  let found = false;
  const session = createSessionDetectors(
    {
      agent: 'generic',
      showsRunningTool: true,
      options: resolveOptions({ preset: 'balanced', detectors: {} }),
    },
    {
      finding(one) {
        found ||= one.detector === detector && (rule === undefined || one.rule === rule) && one.level === gravest;
      },
      clearing() {},
      nearMiss() {},
    },
    DETECTORS.filter((definition) => definition.id === id),
  );
  for (const event of events) {
    for (let due = session.deadline(); due <= event.at; due = session.deadline()) {
      session.tick(due);
      if (session.deadline() <= due) break;
    }
    session.push(event);
  }
  return found;
}
