import type { PlanEvent, ProgressMarker, ToolCallEvent, ToolResultEvent } from '../../core/model';
import { snippetLine } from '../sayings/snippet';
import { putNewest } from '../../base/util/newest';

/** Number of checks whose last result is remembered. */
const CHECKS = 32;
/** Number of plan items that are remembered as done. */
const ITEMS = 500;

/** Commands that change the work tree but add no content. */
const NO_CONTENT =
  /^\s*(?:mkdir|touch|rm|rmdir|chmod|chown|ln|git (?:add|checkout|restore|reset|stash|clean|switch|branch|tag|fetch|pull|push)|pip3? |npm i|npm install|apt|cd )\b/;
/** Words of an edit that report no effect. */
const UNCHANGED =
  /\b(?:no changes?(?: (?:were )?made| to)?|nothing to (?:change|commit)|already (?:up[ -]to[ -]date|contains|exists|has)|unchanged|identical)\b/i;
/** Arguments of git, up to the end of its command. */
const GIT = /\bgit\b([^|;&]*)/g;
const COMMITTED = /^\[[^\]\n]*?\b([0-9a-f]{7,40})\] ?(.*)$/m;

function commits(command: string): boolean {
  return command.includes('commit') && [...command.matchAll(GIT)].some(([, given = '']) => /\bcommit\b/.test(given));
}

/** Facts about a step for its progress. */
export interface StepFacts {
  readonly call: ToolCallEvent;
  readonly result: ToolResultEvent;
  /** Program with which the call checks the work (base/checks); null where it is not a check. */
  readonly check: string | null;
  /** True if it failed; for a check, even where only its output shows that. */
  readonly failed: boolean;
  /** True if this outcome was seen before. */
  readonly seen: boolean;
  /** True if this call failed the last time. */
  readonly failedBefore: boolean;
}

/** Finds progress markers: an edit with new content, a check that now passes, a finished plan item, a commit. */
export interface ProgressFinder {
  step(facts: StepFacts): ProgressMarker | null;
  plan(event: PlanEvent): ProgressMarker | null;
}

export function createProgressFinder(): ProgressFinder {
  /** Checks by program, with whether they failed the last time. */
  const checks = new Map<string, boolean>();
  const done = new Set<string>();
  let planSeen = false;

  /** Treats calls of one program as the same check, whatever its options and targets. */
  const nameOf = (command: string): string =>
    command
      .split(' ')
      .filter((word) => /^\w[\w:@-]*$/.test(word))
      .slice(0, 3)
      .join(' ');

  const turned = (command: string, failed: boolean): boolean => {
    const check = nameOf(command);
    const before = checks.get(check);
    putNewest(checks, check, failed, CHECKS);
    return before === true && !failed;
  };

  return {
    step({ call, result, check, failed, seen, failedBefore }) {
      const marker = (kind: ProgressMarker['kind'], text: string): ProgressMarker => ({
        kind,
        at: result.at,
        source: result.source,
        text: snippetLine(text, 120),
      });
      const { command } = call;
      if (!failed && command !== undefined && commits(command)) {
        const commit = COMMITTED.exec(result.output.slice(0, 2000));
        return commit && !seen ? marker('commit', `commit ${commit[1]?.slice(0, 7) ?? ''} ${commit[2] ?? ''}`) : null;
      }
      if (check !== null) {
        const now = turned(check, failed);
        return now || (failedBefore && !failed) ? marker('check_passed', `${call.subject} passed`) : null;
      }
      if (call.kind === 'ran' && failedBefore && !failed && !seen) {
        return marker('check_passed', `${call.subject} passed`);
      }
      if (call.kind !== 'changed' || failed || seen) return null;
      if (command !== undefined && NO_CONTENT.test(command)) return null;
      if (result.output.length < 400 && UNCHANGED.test(result.output)) return null;
      return marker('edit', call.subject);
    },

    plan(event) {
      let text: string | null = null;
      for (const item of event.items) {
        if (item.status !== 'completed') continue;
        const key = `${item.id}\u0000${item.title}`;
        if (done.has(key)) continue;
        if (done.size < ITEMS) done.add(key);
        text = item.title;
      }
      // items already done in the first plan do not show when they were finished
      const first = !planSeen;
      planSeen = true;
      if (text === null || first) return null;
      return { kind: 'plan_item', at: event.at, source: event.source, text: snippetLine(`done: ${text}`, 120) };
    },
  };
}
