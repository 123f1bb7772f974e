import { counted, whole } from '../../../base/util/counts';
import { type Doing, type Presence, type ProgressKind, WATCHED_STEPS, type WaitedFor, isTurnOver } from '../../model';
import { age, clockSeconds } from '../format';
import { type Relief, reliefSentence } from '../messages/relief';
import { type Sentence, code, join, say, strong } from '../parts';
import { presenceSentence } from './machines';
import { closeIt } from '../messages/recovery';
import { type Watch, probablyWaiting, watchedName } from './state';

/** Parts of the panel's first sentence. Ages in it grow, so the panel writes it itself. */
export type Lead =
  /** An incident's explanation. */
  | { readonly kind: 'incident'; readonly why: Sentence }
  /** It was stuck shortly before, and something that was sent freed it. `now`: what is said of it beside. */
  | { readonly kind: 'freed'; readonly relief: Relief; readonly now: Lead }
  | { readonly kind: 'recovering'; readonly watch: Watch; readonly before: Sentence }
  | {
      readonly kind: 'working';
      /** Number of the last steps with new results; of 10, or of as many as there are. */
      readonly fresh: number;
      readonly of: number;
      readonly progress?: { readonly kind: ProgressKind; readonly at: number };
      readonly doing?: Doing;
    }
  /** The same of an agent on another machine, whose steps are not known here. */
  | {
      readonly kind: 'working_there';
      readonly lastNewAt?: number;
      readonly progress?: { readonly kind: ProgressKind; readonly at: number };
      readonly doing?: Doing;
    }
  | { readonly kind: 'waiting'; readonly for: WaitedFor; readonly question?: string; readonly error?: string }
  /** A restart was clicked, and waits for its end. */
  | { readonly kind: 'closing'; readonly agentName: string }
  /** The person interrupted it. `was`: why it was stuck at that moment. */
  | { readonly kind: 'interrupted'; readonly was: Sentence | null }
  | { readonly kind: 'probably_waiting'; readonly since: number; readonly doing?: Doing }
  | { readonly kind: 'stalled'; readonly since: number; readonly doing?: Doing }
  | { readonly kind: 'not_monitored' }
  /** Nothing is known of it since then. `before`: why it was stuck at that moment. */
  | {
      readonly kind: 'lost';
      readonly presence: Exclude<Presence, 'live'>;
      readonly since: number;
      readonly before: Sentence | null;
    }
  | {
      readonly kind: 'finished';
      readonly ended: 'clean' | 'interrupted' | 'died' | 'error';
      /** Run time of the session, milliseconds. */
      readonly ran: number;
      readonly doing?: Doing;
    };

/** The sentence at the head of the panel. */
export function leadSentence(lead: Lead, title: string, now: number): Sentence {
  switch (lead.kind) {
    case 'incident':
      return lead.why;
    case 'freed':
      return join(reliefSentence(lead.relief), leadSentence(lead.now, title, now));
    case 'recovering':
      return join(recovering(lead.watch), lead.before);
    case 'working':
      return working(lead, now);
    case 'working_there':
      return workingThere(lead, now);
    case 'waiting':
      return waiting(lead);
    case 'closing':
      return say`${closeIt(lead.agentName)}`;
    case 'interrupted': {
      const was = lead.was === null ? [] : join(say`It was stuck:`, lead.was);
      return join(say`You interrupted it. Nothing is sent to it before your next prompt.`, was);
    }
    case 'probably_waiting':
      return probablyWaiting(age(now - lead.since), lead.doing);
    case 'stalled': {
      const time = age(now - lead.since);
      return lead.doing?.kind === 'tool'
        ? say`Nothing was written for ${time} while running ${code(lead.doing.subject)}. It may only be slow, or wait for you.`
        : say`Nothing was written for ${time} while the model answers.`;
    }
    case 'not_monitored':
      return say`${strong(title)} writes lines, but no action was recognised in the last 400 lines. Unstuck is blind for this agent.`;
    case 'lost': {
      const before = lead.before === null ? [] : join(say`It was stuck then:`, lead.before);
      return join(say`${presenceSentence(lead.presence, lead.since, now)}`, before);
    }
    case 'finished':
      return finished(lead);
  }
}

function recovering(watch: Watch): Sentence {
  const taken = say`${watchedName(watch)} was taken at ${clockSeconds(watch.takenAt)}.`;
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

const PROGRESS: Readonly<Record<ProgressKind, string>> = {
  commit: 'the last commit',
  edit: 'the last edit',
  check_passed: 'the last passing check',
  plan_item: 'the last finished plan item',
};

function working(lead: Extract<Lead, { kind: 'working' }>, now: number): Sentence {
  const progress = lead.progress ? `; ${PROGRESS[lead.progress.kind]} was ${age(now - lead.progress.at)} ago` : '';
  const counts =
    lead.of === 0
      ? say`No step yet.`
      : lead.of === 1
        ? lead.fresh === 1
          ? say`Its one step gave a new result${progress}.`
          : say`Its one step gave no new result${progress}.`
        : say`${lead.fresh} of the last ${lead.of} steps gave new results${progress}.`;
  // Progress is said only where most results are new: the sentence must not contradict its own count.
  const verdict = lead.of > 0 && lead.fresh * 2 > lead.of ? say`Making progress.` : [];
  return join(verdict, counts, nowDoing(lead.doing, now));
}

function workingThere(lead: Extract<Lead, { kind: 'working_there' }>, now: number): Sentence {
  const { lastNewAt, progress } = lead;
  const then = progress ? `; ${PROGRESS[progress.kind]} was ${age(now - progress.at)} ago` : '';
  const fresh = lastNewAt === undefined ? [] : say`The last new result came ${age(now - lastNewAt)} ago${then}.`;
  const words = join(fresh, nowDoing(lead.doing, now));
  return words.length > 0 ? words : say`It works.`;
}

function nowDoing(doing: Doing | undefined, now: number): Sentence {
  if (!doing) return [];
  const time = age(now - doing.since);
  return doing.kind === 'tool'
    ? say`Now running ${code(doing.subject)} for ${time}.`
    : say`The model has been answering for ${time}.`;
}

function waiting(lead: Extract<Lead, { kind: 'waiting' }>): Sentence {
  if (lead.for === 'error') {
    return lead.error === undefined
      ? say`Its turn ended in error. It goes on when you send a message.`
      : say`Its turn ended in error: ${lead.error}`;
  }
  if (isTurnOver(lead.for)) return say`Its turn ended. It asks nothing; it goes on when you send a message.`;
  if (lead.for === 'permission')
    return lead.question
      ? say`It asks for a permission: ${lead.question}`
      : say`It asks for a permission. Answer it where the agent runs.`;
  if (lead.for === 'plan') return say`It proposes a plan, and waits for your yes. Answer it where the agent runs.`;
  return lead.question
    ? say`It asks a question: ${lead.question}`
    : say`It asks a question. Answer it where the agent runs.`;
}

function finished(lead: Extract<Lead, { kind: 'finished' }>): Sentence {
  const ran = age(lead.ran);
  switch (lead.ended) {
    case 'clean':
      return say`Finished after ${ran}.`;
    case 'interrupted':
      return say`Interrupted after ${ran}.`;
    case 'error':
      return say`Ended in error after ${ran}.`;
    case 'died':
      return lead.doing?.kind === 'tool'
        ? say`Its process ended in mid-turn after ${ran}, while running ${code(lead.doing.subject)}.`
        : say`Its process ended in mid-turn after ${ran}.`;
  }
}
