import type { EventBody } from '../shared/decode/event-body';
import type { Say } from './fold';

interface Said {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly index: number;
  readonly body: EventBody;
}

/**
 * What was told in one reading, in the order in which it happened, with the turns that it makes: a whole session then reads like one that is
 * followed. A message that is sent into a running turn may end it and begin the next, so turns are told by time too.
 */
export interface Timeline {
  readonly say: Say;
  /**
   * Told with the next request of the model: a message that came into a running step is not read before, and the results of that step, which
   * are written behind it, were not yet influenced by it.
   */
  readonly sayWithRequest: Say;
  /** What was said since the last time. */
  take(): readonly Said[];
  /** A sub-agent's session ends with its turn. */
  isChild: boolean;
}

export function createTimeline(): Timeline {
  let said: Said[] = [];
  let turnOpen = false;
  const withRequest = new Set<EventBody>();
  let held: Said[] = [];
  const timeline: Timeline = {
    isChild: false,
    // An event without a time stays behind the one before it.
    say: (at, index, body) => void said.push({ at: at > 0 ? at : (said.at(-1)?.at ?? 0), index, body }),
    sayWithRequest(at, index, body) {
      withRequest.add(body);
      timeline.say(at, index, body);
    },
    take() {
      const all = said.sort((one, other) => one.at - other.at);
      said = [];
      const told: Said[] = [];
      const tell = (one: Said): void => void told.push(one);
      const tellHeld = (at: number): void => {
        for (const one of held) tell({ ...one, at });
        held = [];
      };
      for (const one of all) {
        if (withRequest.delete(one.body)) {
          held.push(one);
          continue;
        }
        switch (one.body.type) {
          case 'user':
            turnOpen = true;
            break;
          case 'request':
            if (!turnOpen) tell({ ...one, body: { type: 'turn_start' } });
            turnOpen = true;
            tellHeld(one.at);
            break;
          case 'turn_end':
            // Nobody reads what comes into a turn that is broken off; there it stands all the same.
            if (one.body.reason !== 'done') tellHeld(one.at);
            if (!turnOpen) continue;
            turnOpen = false;
            tell(one);
            if (timeline.isChild) tell({ ...one, body: { type: 'session_end', reason: endOf(one.body.reason) } });
            continue;
          default:
        }
        tell(one);
      }
      return told;
    },
  };
  return timeline;
}

function endOf(reason: 'done' | 'waiting' | 'interrupted' | 'error'): 'clean' | 'interrupted' | 'error' {
  switch (reason) {
    case 'done':
    case 'waiting':
      return 'clean';
    case 'interrupted':
    case 'error':
      return reason;
  }
}
