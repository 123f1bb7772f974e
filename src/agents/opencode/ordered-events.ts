import type { SessionEndReason, TurnEndReason } from '../../core/model';
import type { EventBody } from '../shared/conversation';
import type { Say } from './fold';

interface Said {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly index: number;
  readonly body: EventBody;
}

/**
 * The events of one reading in order of time, with the turns that follow from them, so that a whole session reads like one that is followed live. A
 * message sent into a running turn may end it and begin the next, so turns are ordered by time too.
 */
export interface OrderedEvents {
  readonly say: Say;
  /**
   * Reports an event that is emitted with the model's next request. The model does not read a message before that, and the message did not influence
   * the results of the running step, which come after it.
   */
  readonly sayWithRequest: Say;
  /** Returns the events since the last call. */
  drain(): readonly Said[];
  /** True for a sub-agent, whose session ends with its turn. */
  isChild: boolean;
}

export function createOrderedEvents(): OrderedEvents {
  let said: Said[] = [];
  let turnOpen = false;
  const withRequest = new Set<EventBody>();
  let held: Said[] = [];
  const timeline: OrderedEvents = {
    isChild: false,
    // An event without a time stays after the one before it.
    say: (at, index, body) => void said.push({ at: at > 0 ? at : (said.at(-1)?.at ?? 0), index, body }),
    sayWithRequest(at, index, body) {
      withRequest.add(body);
      timeline.say(at, index, body);
    },
    drain() {
      const all = said.sort((one, other) => one.at - other.at);
      said = [];
      const emitted: Said[] = [];
      const emit = (one: Said): void => void emitted.push(one);
      const emitHeld = (at: number): void => {
        for (const one of held) emit({ ...one, at });
        held = [];
      };
      for (const one of all) {
        if (withRequest.delete(one.body)) {
          held.push(one);
          continue;
        }
        switch (one.body.type) {
          case 'user':
          case 'turn_start':
            turnOpen = true;
            break;
          case 'request':
            if (!turnOpen) emit({ ...one, body: { type: 'turn_start' } });
            turnOpen = true;
            emitHeld(one.at);
            break;
          case 'turn_end':
            // Prompts that come during a turn that is then broken off are not read, but they still appear.
            if (one.body.reason !== 'done') emitHeld(one.at);
            if (!turnOpen) continue;
            turnOpen = false;
            emit(one);
            if (timeline.isChild) emit({ ...one, body: { type: 'session_end', reason: endOf(one.body.reason) } });
            continue;
          default:
        }
        emit(one);
      }
      return emitted;
    },
  };
  return timeline;
}

function endOf(reason: TurnEndReason): SessionEndReason {
  return reason === 'done' || reason === 'waiting' ? 'clean' : reason;
}
