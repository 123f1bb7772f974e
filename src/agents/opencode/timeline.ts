import type { EventBody } from '../shared/event-body';
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
  /** What was said since the last time. */
  take(): readonly Said[];
  /** A sub-agent's session ends with its turn. */
  isChild: boolean;
}

export function createTimeline(): Timeline {
  let said: Said[] = [];
  let turnOpen = false;
  const timeline: Timeline = {
    isChild: false,
    // An event without a time stays behind the one before it.
    say: (at, index, body) => void said.push({ at: at > 0 ? at : (said.at(-1)?.at ?? 0), index, body }),
    take() {
      const all = said.sort((one, other) => one.at - other.at);
      said = [];
      const told: Said[] = [];
      const tell = (one: Said): void => void told.push(one);
      for (const one of all) {
        switch (one.body.type) {
          case 'user':
            turnOpen = true;
            break;
          case 'request':
            if (!turnOpen) tell({ ...one, body: { type: 'turn_start' } });
            turnOpen = true;
            break;
          case 'turn_end':
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
