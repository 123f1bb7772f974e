import type { AgentEvent, ClearingReason, DetectorOptions, Source } from '../../core/model';
import { gateBlocked as card } from '../../core/rules/cards/gate-blocked';
import { PERSON } from '../../core/rules/common';
import { EvidenceRows, Alert } from '../session/alert';
import type { DetectContext, Detector, DetectorDefinition, DetectorSink } from '../session/detector';
import { hearing } from '../session/hearing';
import type { GateRun } from '../session/gate-run';
import { NearMissLog } from '../session/near-misses';
import { snippetLine } from '../sayings/snippet';
import { isFromPerson } from '../steps/step-builder';

/** Feedback of a harness or a hook that refuses a claim, with the gate that it names. */
const REFUSED =
  /\bcompletion blocked\b(?::\s*([\w-][\w -]{0,39}?)(?= failed|\n|$))?|\brequest was blocked\b|\bQUALITY_BLOCKED\b|\bquality gates?:? (?:have )?failed\b/i;
const ACCEPTED = /\bQUALITY_PASSED\b|\ball (?:quality )?gates (?:have )?passed\b/i;

/** The agent's statement that it is done. */
type Claim = NonNullable<GateRun['claim']>;

/**
 * Detects claims of completion that quality gates block repeatedly. A claim is blocked by a gate run that is passed in, or by feedback on it in the
 * transcript; at most once.
 */
export const gateBlocked: DetectorDefinition = { id: card.id, create };

/** Number of gate names in one alert. */
const GATES = 32;

function create(options: DetectorOptions, sink: DetectorSink): Detector {
  const alert = new Alert(card, sink);
  const near = new NearMissLog(card.id, null, sink);
  const rows = new EvidenceRows();
  /** Names of the gates that failed, from the person's own settings or the agent's plan; at most `GATES`. */
  const gates = new Set<string>();
  /** The newest claim to which no gate has responded. */
  let claim: Claim | null = null;
  /** The newest claim that was counted. */
  let counted: Claim | null = null;
  let tokensAtFirst = 0;

  const end = (reason: ClearingReason, at: number, source: Source | null, context: DetectContext): void => {
    alert.clear(reason, at, source, context);
    rows.clear();
    gates.clear();
  };

  const blocked = (gate: string, summary: string, at: number, context: DetectContext): void => {
    if (!claim) return;
    const { source, text, at: claimedAt } = claim;
    counted = claim;
    claim = null;
    if (rows.total === 0) tokensAtFirst = context.totalTokens;
    if (gates.size < GATES) gates.add(gate);
    const first = rows.add({
      source,
      at: claimedAt,
      subject: text,
      text: summary === '' ? `${gate} failed` : `${gate}: ${summary}`,
    });
    near.reached(context, text, rows.total, options.stuck, at, source);
    if (rows.total < options.warn) return;
    const names = [...gates].slice(0, 3).join(', ');
    const how =
      rows.total === 1
        ? `It said it was done, and ${names} failed`
        : `It said it was done ${rows.total} times, and ${names} failed each time`;
    alert.raise(
      {
        level: rows.total >= options.stuck ? 'stuck' : 'warn',
        count: rows.total,
        limit: options.stuck,
        at,
        source,
        firstAt: first.at,
        first: first.source,
        evidence: rows.rows(),
        subject: gate,
        why: summary === '' ? `${how}.` : `${how}: ${summary}${/[.!?…]$/.test(summary) ? '' : '.'}`,
        suggestion: `Fix the first failure of ${gate}, then run it again before you say that the work is done.`,
        clears: [`${names} ${gates.size === 1 ? 'passes' : 'pass'}`, PERSON],
        tokensAtFirst,
      },
      context,
    );
  };

  const feedback = (text: string, event: AgentEvent, context: DetectContext): void => {
    if (!claim) return;
    const head = text.slice(0, 2000);
    const refused = REFUSED.exec(head);
    if (refused)
      blocked(refused[1]?.trim() || 'a quality gate', snippetLine(head.slice(refused.index), 120), event.at, context);
    else if (ACCEPTED.test(head)) end('gates_passed', event.at, event.source, context);
  };

  return {
    ...hearing(['completion', 'turn_end', 'user', 'error', 'session_end'], (event, context) => {
      switch (event.type) {
        case 'completion':
          claim = { at: event.at, source: event.source, text: snippetLine(event.claim, 120) };
          break;
        case 'turn_end':
          // Any end may be meant as one: only what a gate answers to it counts.
          if (event.reason === 'done') claim ??= { at: event.at, source: event.source, text: 'the end of the turn' };
          break;
        case 'user':
          if (!isFromPerson(event)) feedback(event.text, event, context);
          else {
            end('user_message', event.at, event.source, context);
            claim = null;
          }
          break;
        case 'error':
          feedback(event.message, event, context);
          break;
        case 'session_end':
          end('session_end', event.at, event.source, context);
          break;
      }
    }),
    onGates(run: GateRun, context) {
      // The harness of the agent was faster.
      if (!run.passed && run.claim && counted && isSame(run.claim, counted)) return;
      claim ??= run.claim ?? null;
      if (run.passed) end('gates_passed', run.at, claim?.source ?? null, context);
      else blocked(run.blockedBy ?? 'a quality gate', snippetLine(run.summary ?? '', 120), run.at, context);
      claim = null;
    },
  };
}

function isSame(one: Claim, other: Claim): boolean {
  return one.at === other.at && one.source.offset === other.source.offset;
}
