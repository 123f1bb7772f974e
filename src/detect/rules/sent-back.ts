import type { AgentEvent, DetectorOptions, UserEvent } from '../../core/model';
import { PERSON } from '../../core/rules/common';
import { monologue as card } from '../../core/rules/cards/monologue';
import { limitsOf } from '../../core/rules/limits';
import { EvidenceRows, Alert } from '../session/alert';
import type { DetectContext, DetectorSink } from '../session/detector';
import { NearMissLog } from '../session/near-misses';
import { addsSomething } from '../session/prompts';
import { maskedFingerprint } from '../sayings/mask';
import { snippetLine } from '../sayings/snippet';
import { OWN_MARK } from '../steps/weight';

/** A harness's own message that it gave up, or was blocked this often in a row. */
const GAVE_UP = /\bblocked (?:\d+|[a-z]+) (?:consecutive )?times\b|\bonly \d+ reflections allowed\b/i;
/** Longest delay of a prompt that sends an agent back, milliseconds: a schedule or a watch comes later. */
const AT_ONCE = 30_000;
/** Number of characters in which these words are searched for. */
const LOOKED_AT = 1_000;

/** The rule, with whether it has an open alert. */
export interface SentBack {
  isOpen(): boolean;
  /** Returns how often the same hook has sent the agent back with the same text so far; 0 where no hook is known to have done so. */
  blocks(): number;
  /** @param isMonologue true if the equal messages of the agent have an open alert */
  take(event: AgentEvent, context: DetectContext, isMonologue: boolean): void;
}

/** Returns the text without the name of the hook before it. */
function saidBy({ text, hook }: UserEvent): string {
  const frame = `[${hook?.name ?? ''}]: `;
  const at = text.indexOf(frame);
  return at < 0 ? text : text.slice(at + frame.length);
}

/**
 * Rule `sent_back` of `monologue`: a program repeatedly sends the agent back with the same text, such as a hook at the end of its turn, and no step
 * in between says anything new. If the harness itself says that it gave up, that is enough.
 */
export function createSentBack(options: DetectorOptions, sink: DetectorSink): SentBack {
  const alert = new Alert(card, sink, 'sent-back');
  const near = new NearMissLog(card.id, 'sent_back', sink);
  const rows = new EvidenceRows();
  let text = 0;
  let newStep = -1;
  let isReported = false;
  let isByHook = false;
  /** Time of the previous event. */
  let before = 0;

  const end = (event: AgentEvent, context: DetectContext): void => {
    alert.clear(event.type === 'session_end' ? 'session_end' : 'user_message', event.at, event.source, context);
    rows.clear();
    text = 0;
  };

  const sent = (event: UserEvent, context: DetectContext): void => {
    const gaveUp = GAVE_UP.test(event.text.slice(0, LOOKED_AT));
    const now = maskedFingerprint(event.text, true);
    const isSame = now === text && context.lastNewStep <= newStep && event.at - before < AT_ONCE;
    if (!isSame && !gaveUp) {
      alert.clear('different_result', event.at, event.source, context);
      rows.clear();
    }
    if (!gaveUp || rows.total === 0) text = now;
    newStep = context.lastNewStep;
    const { at, source } = event;
    const first = rows.add({ source, at, subject: 'sent back', text: snippetLine(saidBy(event)) });
    const { warn, stuck: limit } = limitsOf(card.rules.sent_back.shape, options);
    near.reached(context, snippetLine(event.text), rows.total, limit, at, source);
    // The harness counted as many as the preset requires: a higher limit set by a person holds it back.
    const reached = gaveUp ? card.rules.sent_back.shape.limits[options.preset].stuck : rows.total;
    const { hook } = event;
    isByHook = hook !== undefined;
    // If the agent says the same each time too, that is the one incident, and it is already open. A hook is named even so: a person can fix it.
    if (reached < warn || (isReported && !isByHook)) return;
    const said = snippetLine(saidBy(event), 160);
    const sender = hook ? `The hook \`${snippetLine(hook.name, 120)}\`` : 'The same text';
    const end = /[.!?…]$/.test(said) ? '' : '.';
    const cap = hook?.cap === undefined ? '' : `${end} Its program ends the turn after ${hook.cap} blocks in a row.`;
    alert.raise(
      {
        rule: 'sent_back',
        level: reached >= limit ? 'stuck' : 'warn',
        certainty: 'counted',
        count: rows.total,
        limit,
        at,
        source,
        firstAt: first.at,
        first: first.source,
        evidence: rows.rows(),
        subject: hook ? snippetLine(hook.name, 160) : said,
        why: gaveUp
          ? `Its harness gave up: ${said}`
          : `${sender} sent it back ${rows.total} times, and nothing new came of it: ${said}${cap}`,
        suggestion: 'Check what sends it back. A hook that is never satisfied blocks the agent forever.',
        clears: ['a step gets a new result', PERSON],
      },
      context,
    );
  };

  const take = (event: AgentEvent, context: DetectContext): void => {
    if (event.type === 'user' && event.automated && event.text.trim() !== '' && !event.text.includes(OWN_MARK))
      sent(event, context);
    else if (event.type === 'session_end' || addsSomething(event, context)) end(event, context);
  };

  return {
    // Methods, because a getter in an object literal creates a hidden class for each session, and keeps the whole session alive until the next full
    // collection.
    isOpen: () => alert.isOpen,
    blocks: () => (isByHook ? rows.total : 0),
    take(event, context, isMonologue) {
      isReported = isMonologue;
      take(event, context);
      before = event.at;
    },
  };
}
