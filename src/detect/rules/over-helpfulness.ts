import type { ClearingReason, DetectorOptions, Source } from '../../core/model';
import { overHelpfulness as card } from '../../core/rules/cards/over-helpfulness';
import { EvidenceRows, Alert, rowOf } from '../session/alert';
import { NOT_BACK_STEPS, PERSON } from '../../core/rules/common';
import type { DetectContext, Detector, DetectorDefinition, DetectorSink } from '../session/detector';
import type { PastStep, Step } from '../steps/step';
import { hearing } from '../session/hearing';
import { nameOf } from '../sayings/paths-in-text';
import { isFromPerson } from '../steps/step-builder';

/** Number of steps after the gap within which a substitute counts as one for it. */
const SOON = 3;
/** Number of characters that are inspected. */
const LOOKED_AT = 4000;

/** Words for something that was looked for but is not there, or may not be read. */
const MISSING =
  /\b(?:no such (?:file|table|key|column|record)|not found|does not exist|doesn't exist|cannot (?:find|open)|could not (?:find|resolve|connect)|404|403|permission denied|access denied|no (?:results|matches|data|records|rows)(?: found)?|connection refused)\b/i;
/** The missing file, as programs name it. The text before `not found` is read backwards from there, so that a path is not tried at each character. */
const MISSING_FILE =
  /(?:cannot open|cannot find|open|read|reading|file)\s+['"`]?([\w./~@-]*[\w-]\.\w{1,8})|(?= (?:no such file|not found|does not exist))(?<=([\w./~@-]*[\w-]\.\w{1,8})['"`]?:?)|no such file or directory:? ['"`]?([\w./~@-]*[\w-]\.\w{1,8})/i;
/** Files that hold data or settings: writing one that is missing means making it up. Code is what an agent is meant to write. */
const DATA = /\.(?:csv|tsv|jsonl?|ya?ml|xml|parquet|xlsx?|db|sqlite3?|txt|env|ini|toml|sql|npy|npz|pkl|log|dat)$/i;
/** Words with which a text says that it stands in for something missing. */
const SUBSTITUTE =
  /\b(?:placeholder|dummy|sample|mock(?:ed)?|fake|made[- ]up|hypothetical|synthetic|simulated|invented|plausible) (?:\w+ )?(?:data(?:set)?|values?|rows?|records?|responses?|results?|content|numbers?|prices?|entries|figures?|measurements?)\b/i;
const TESTING = /(?:^|[/._-])(?:tests?|spec|mocks?|fixtures?|examples?|samples?|demo|seeds?)(?:[/._-]|$)/i;

/** Something that was looked for in vain. */
interface Gap {
  readonly step: PastStep;
  /** Last part of the missing file's path; empty where it is not a file. */
  readonly file: string;
}

/**
 * Detects that something was missing, and the agent continued with a substitute instead of reporting the gap. A hint with low confidence: it wrote
 * the very data file that was missing, or its text itself says that it stands in for data.
 */
export const overHelpfulness: DetectorDefinition = { id: card.id, create };

function create(options: DetectorOptions, sink: DetectorSink): Detector {
  const alert = new Alert(card, sink);
  const rows = new EvidenceRows();
  let gap: Gap | null = null;
  let asked = '';
  let last = 0;

  const end = (reason: ClearingReason, at: number, source: Source, context: DetectContext): void => {
    alert.clear(reason, at, source, context);
    rows.clear();
  };

  const substituted = (step: Step, what: string, missing: PastStep, context: DetectContext): void => {
    if (rows.total === 0) rows.add(rowOf(missing));
    const first = rows.add(rowOf(step, what));
    last = step.index;
    gap = null;
    // the first row is the gap
    const count = rows.total - 1;
    if (count < options.warn) return;
    alert.raise(
      {
        level: 'warn',
        count,
        limit: options.warn,
        at: step.at,
        source: step.end,
        firstAt: first.at,
        first: first.source,
        evidence: rows.rows(),
        subject: missing.subject,
        why: `\`${missing.subject}\` found nothing, and \`${step.subject}\` continued without it: ${what}.`,
        suggestion: 'Ask it to report what is missing instead of filling the gap.',
        clears: [`only a hint: it is over after ${NOT_BACK_STEPS} steps without another`, PERSON],
      },
      context,
    );
  };

  return {
    ...hearing(['user', 'session_end'], (event, context) => {
      if (event.type === 'user') {
        if (!isFromPerson(event)) return;
        asked = event.text.slice(0, LOOKED_AT).toLowerCase();
        gap = null;
        end('user_message', event.at, event.source, context);
      } else {
        end('session_end', event.at, event.source, context);
      }
    }),
    onStep(step, context) {
      if (!context.holdsCalls) return;
      const missing = missingIn(step);
      if (missing !== null) {
        gap = { step, file: nameOf(missing) };
        return;
      }
      if (gap && step.index - gap.step.index > SOON) gap = null;
      if (gap && step.call.kind === 'changed' && !step.failed) {
        const what = substituteIn(step, gap.file, asked);
        if (what !== null) return substituted(step, what, gap.step, context);
      }
      if (alert.isOpen && step.index - last >= NOT_BACK_STEPS) end('not_back', step.at, step.end, context);
    },
  };
}

/** Returns what a step failed to find: the path of a file, or an empty text for anything else; null where nothing was missing. */
function missingIn(step: Step): string | null {
  const { call, result } = step;
  if (call.kind !== 'looked' && call.kind !== 'ran') return null;
  if (!step.failed && result.output.length > 200) return null;
  const text = result.output.length > LOOKED_AT ? result.output.slice(-LOOKED_AT) : result.output;
  if (!MISSING.test(text)) return null;
  if (call.target !== undefined) return call.target;
  const found = MISSING_FILE.exec(text);
  return found?.[1] ?? found?.[2] ?? found?.[3] ?? '';
}

/** Returns how a step replaces the missing thing; null where it does not, or where the user requested it. */
function substituteIn(step: Step, missing: string, asked: string): string | null {
  const { call } = step;
  const target = call.target ?? '';
  if (TESTING.test(target)) return null;
  if (missing !== '' && DATA.test(missing) && nameOf(target) === missing) {
    return asked.includes(missing.toLowerCase()) ? null : `it wrote \`${missing}\` itself`;
  }
  const word = SUBSTITUTE.exec(writtenBy(call.args));
  if (!word || /\b(?:placeholder|dummy|sample|mock|fake|synthetic|simulat|example)/.test(asked)) return null;
  return `its own text says “${word[0].toLowerCase()}”`;
}

/** Returns the beginning of what a call writes. */
function writtenBy(args: unknown): string {
  if (typeof args !== 'object' || args === null) return '';
  let text = '';
  for (const value of Object.values(args)) {
    if (typeof value === 'string') text += `${value.slice(0, LOOKED_AT)}\n`;
    if (text.length > LOOKED_AT) break;
  }
  return text;
}
