import { hashOf } from '../../base/util/hash';
import type { AgentEvent, AgentId } from '../../core/model';

/** Calls and prompts whose session is remembered, at least: those of the sessions of some days. At most twice as many are kept, in about 10 MB. */
const REMEMBERED = 50_000;
/** Letters and digits that no agent writes twice. Ids that count up, or name the place in a file, identify nothing. */
const UNIQUE = /[a-z\d]{8}/i;

/** Names the session that wrote a record first. */
export type RecordOwners = Pick<KnownRecords, 'ownerOf'>;

/**
 * The session in which each call and each prompt of a person was read first.
 *
 * Kept in two generations: a single map from which the oldest entry is removed each time walks over all entries removed before, which took half of
 * the processor time of a scan of 2 GB that is unchanged.
 */
export class KnownRecords {
  private newer = new Map<number, string>();
  private older = new Map<number, string>();

  /** Returns the session that wrote the record of this key first: `session` itself if there was none before. */
  ownerOf(key: number, session: string): string {
    const owner = this.newer.get(key) ?? this.older.get(key);
    if (owner !== undefined) return owner;
    if (this.newer.size === REMEMBERED) {
      this.older = this.newer;
      this.newer = new Map();
    }
    this.newer.set(key, session);
    return session;
  }
}

/** Returns a key that is equal for a record and its copies; undefined if the event has no identity. */
function keyOf(agent: AgentId, event: AgentEvent): number | undefined {
  const identity = identityOf(event);
  // A copy keeps the id and the time.
  return identity === undefined || event.at <= 0 ? undefined : hashOf(`${agent} ${event.at} ${identity}`);
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
 * Finds the records of one transcript that are copies. A compaction, a side question, a fork and the wake-up of a teammate begin with the records of
 * another session: a session whose first call was read in another one is a copy up to the first call or prompt that was not.
 */
export class Copies {
  private readonly states = new Map<string, 'begins' | 'copied' | 'own'>();
  /** Keys of the records that each session wrote first. */
  private readonly own = new Map<string, number[]>();

  constructor(
    private readonly known: RecordOwners,
    private readonly agent: AgentId,
  ) {}

  /** Returns the records that each session wrote first, in base64. */
  note(): readonly (readonly [session: string, keys: string])[] {
    return [...this.own].map(([session, keys]) => [session, bytesOf(keys)]);
  }

  /** Takes over the records that a whole reading of this transcript had found to be its own. */
  adopt(records: readonly (readonly [session: string, keys: string])[]): void {
    this.own.clear();
    for (const [session, bytes] of records) {
      const keys = keysFrom(bytes);
      this.own.set(session, keys);
      for (const key of keys) this.known.ownerOf(key, session);
    }
  }

  /** True if this event is a copy. Call it for each event, in order. */
  isCopied(event: AgentEvent): boolean {
    const state = this.states.get(event.session) ?? 'begins';
    const now = this.next(state, event);
    if (now !== state) this.states.set(event.session, now);
    return now === 'copied';
  }

  private next(state: 'begins' | 'copied' | 'own', event: AgentEvent): 'begins' | 'copied' | 'own' {
    if (event.type !== 'tool_call' && event.type !== 'user') return state;
    const key = keyOf(this.agent, event);
    const owner = key === undefined ? undefined : this.known.ownerOf(key, event.session);
    if (key !== undefined && owner === event.session) this.wrote(event.session, key);
    if (state === 'own') return state;
    const isKnown = owner !== undefined && owner !== event.session;
    if (state === 'copied') return isKnown || owner === undefined ? state : 'own';
    if (event.type === 'user') return state;
    return isKnown ? 'copied' : 'own';
  }

  private wrote(session: string, key: number): void {
    const keys = this.own.get(session);
    if (!keys) this.own.set(session, [key]);
    else if (keys.length < REMEMBERED) keys.push(key);
  }
}

/** Writes 64-bit numbers as base64. */
export function bytesOf(keys: readonly number[]): string {
  return Buffer.from(Float64Array.from(keys).buffer).toString('base64');
}

export function keysFrom(text: string): number[] {
  const bytes = Buffer.from(text, 'base64');
  return [...new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength))];
}
