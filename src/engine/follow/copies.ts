import { Recent } from '../../agents/shared/decode';
import { hashOf } from '../../base/util/hash';
import type { AgentEvent, AgentId } from '../../core/model';

/** Calls and prompts whose session is remembered: those of the sessions of some days, in about 5 MB. */
const REMEMBERED = 50_000;
/** Letters and digits that no agent writes twice. Ids that count up, or name the place in a file, say nothing. */
const UNIQUE = /[a-z\d]{8}/i;

/** The session in which each call and each prompt of a person was read first. */
export class KnownRecords {
  private readonly owners = new Recent<number, string>(REMEMBERED);

  /** The session that wrote this first, which is the event's own where nobody did; undefined where the event has no identity. */
  ownerOf(agent: AgentId, event: AgentEvent): string | undefined {
    const identity = identityOf(event);
    if (identity === undefined || event.at <= 0) return undefined;
    // A copy keeps id and time.
    const key = hashOf(`${agent} ${event.at} ${identity}`);
    const owner = this.owners.get(key);
    if (owner === undefined) this.owners.set(key, event.session);
    return owner ?? event.session;
  }
}

function identityOf(event: AgentEvent): string | undefined {
  switch (event.type) {
    case 'tool_call':
      return UNIQUE.test(event.id) && /\d/.test(event.id) ? event.id : undefined;
    case 'user':
      return event.automated ? undefined : event.text.slice(0, 200);
    default:
      return undefined;
  }
}

/**
 * Which records of one transcript are copies. A compaction, a side question, a fork and the wake-up of a teammate begin with the records of
 * another session: a session whose first call was read in another one is a copy up to the first call or prompt that was not.
 */
export class Copies {
  private readonly states = new Map<string, 'begins' | 'copied' | 'own'>();

  constructor(
    private readonly known: KnownRecords,
    private readonly agent: AgentId,
  ) {}

  /** Asked for each event, in order. */
  isCopied(event: AgentEvent): boolean {
    const state = this.states.get(event.session) ?? 'begins';
    const now = this.next(state, event);
    if (now !== state) this.states.set(event.session, now);
    return now === 'copied';
  }

  private next(state: 'begins' | 'copied' | 'own', event: AgentEvent): 'begins' | 'copied' | 'own' {
    if (event.type !== 'tool_call' && event.type !== 'user') return state;
    const owner = this.known.ownerOf(this.agent, event);
    if (state === 'own') return state;
    const isKnown = owner !== undefined && owner !== event.session;
    if (state === 'copied') return isKnown || owner === undefined ? state : 'own';
    if (event.type === 'user') return state;
    return isKnown ? 'copied' : 'own';
  }
}
