import { counted, whole } from '../../../base/util/counts';
import { type Doing, type ProgressKind, WATCHED_STEPS } from '../../model';
import { age, ago, clockSeconds } from '../format';
import { type Relief, reliefSentence } from '../messages/relief';
import { type Sentence, code, join, say } from '../parts';
import { closeIt } from '../messages/recovery';
import { type StateFacts, stateSentence } from './sentence';
import { type Watch, watchedName } from './watch';

/** Content of the panel's first sentence. Ages in it grow, so the panel writes it itself. */
export type Lead =
  /** An incident's explanation. */
  | { readonly kind: 'incident'; readonly why: Sentence }
  /** It was stuck shortly before, and a message freed it. `now`: the rest of the sentence. */
  | { readonly kind: 'freed'; readonly relief: Relief; readonly now: Lead }
  | { readonly kind: 'recovering'; readonly watch: Watch; readonly before: Sentence }
  | {
      readonly kind: 'working';
      /** Number of the last steps with new results; out of the last 10, or of all where there are fewer. */
      readonly fresh: number;
      readonly of: number;
      readonly progress?: { readonly kind: ProgressKind; readonly at: number };
      readonly doing?: Doing;
    }
  /** The same for an agent on another machine, whose steps are not known here. */
  | {
      readonly kind: 'working_there';
      readonly lastNewAt?: number;
      readonly progress?: { readonly kind: ProgressKind; readonly at: number };
      readonly doing?: Doing;
    }
  /** A restart was clicked, and waits for the agent to end. */
  | { readonly kind: 'closing'; readonly agentName: string }
  /** Its state in the words used everywhere. `was`: why it was stuck when it entered that state. */
  | { readonly kind: 'state'; readonly facts: Omit<StateFacts, 'now'>; readonly was: Sentence | null };

/** Writes the sentence at the head of the panel. */
export function leadSentence(lead: Lead, now: number): Sentence {
  switch (lead.kind) {
    case 'incident':
      return lead.why;
    case 'freed':
      return join(reliefSentence(lead.relief), leadSentence(lead.now, now));
    case 'recovering':
      return join(recovering(lead.watch), lead.before);
    case 'working':
      return working(lead, now);
    case 'working_there':
      return workingThere(lead, now);
    case 'closing':
      return say`${closeIt(lead.agentName)}`;
    case 'state':
      return join(stateSentence({ ...lead.facts, now }), lead.was === null ? [] : join(say`It was stuck:`, lead.was));
  }
}

function recovering(watch: Watch): Sentence {
  const taken = say`${watchedName(watch)} was delivered at ${clockSeconds(watch.takenAt)}.`;
  const left = WATCHED_STEPS - watch.seen;
  const decide = left > 0 ? `; ${whole(left)} more ${left === 1 ? 'decides' : 'decide'}` : '';
  if (watch.seen === 0) return join(taken, say`No call since then; the next ${WATCHED_STEPS} decide.`);
  if (watch.fresh < watch.seen)
    return join(taken, say`${watch.fresh} of ${counted(watch.seen, 'call')} since then gave new results${decide}.`);
  if (watch.seen === 1) return join(taken, say`The call since then gave a new result${decide}.`);
  return watch.seen === 2
    ? join(taken, say`Both calls since then gave new results${decide}.`)
    : join(taken, say`All ${watch.seen} calls since then gave new results${decide}.`);
}

/** A step that takes longer than this may hang, so it does not count as progress. Milliseconds. */
const PROGRESS_LASTS_MS = 5 * 60_000;

const PROGRESS: Readonly<Record<ProgressKind, string>> = {
  commit: 'the last commit',
  edit: 'the last edit',
  check_passed: 'the last passing check',
  plan_item: 'the last finished plan item',
};

function working(lead: Extract<Lead, { kind: 'working' }>, now: number): Sentence {
  const progress = lead.progress ? `; ${PROGRESS[lead.progress.kind]} was ${ago(now - lead.progress.at)}` : '';
  const counts =
    lead.of === 0
      ? say`No step yet.`
      : lead.of === 1
        ? lead.fresh === 1
          ? say`Its one step gave a new result${progress}.`
          : say`Its one step gave no new result${progress}.`
        : say`${lead.fresh} of the last ${lead.of} steps gave new results${progress}.`;
  // Progress is reported only if most results are new and more keep coming: the sentence must not contradict its own count or time.
  const isFresh = lead.fresh * 2 > lead.of && (!lead.doing || now - lead.doing.since < PROGRESS_LASTS_MS);
  const verdict = isFresh ? say`Making progress.` : [];
  return join(verdict, counts, nowDoing(lead.doing, now));
}

function workingThere(lead: Extract<Lead, { kind: 'working_there' }>, now: number): Sentence {
  const { lastNewAt, progress } = lead;
  const then = progress ? `; ${PROGRESS[progress.kind]} was ${ago(now - progress.at)}` : '';
  const fresh = lastNewAt === undefined ? [] : say`Last new result ${ago(now - lastNewAt)}${then}.`;
  const words = join(fresh, nowDoing(lead.doing, now));
  return words.length > 0 ? words : say`Working.`;
}

function nowDoing(doing: Doing | undefined, now: number): Sentence {
  if (!doing) return [];
  const time = age(now - doing.since);
  return doing.kind === 'tool' ? say`Running ${code(doing.subject)} for ${time}.` : say`Thinking for ${time}.`;
}
