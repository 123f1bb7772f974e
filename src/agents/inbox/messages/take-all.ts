import type { InboxMessage } from '../../../core/model';
import { withMark } from './mark';
import { type TakeRequest, takeMessages } from './waiting';

export interface TakeAllRequest extends Pick<TakeRequest, 'now' | 'by' | 'choose'> {
  readonly roots: Iterable<string>;
  readonly sessions: readonly string[];
  readonly log: (line: string) => void;
}

/**
 * Takes messages from all inboxes of an agent, each with the mark used to find its receipt. Chosen separately in each inbox, but never more than
 * would be chosen from all of them together.
 */
export async function takeFromAll(request: TakeAllRequest): Promise<readonly InboxMessage[]> {
  const { roots, sessions, now, by, choose, log } = request;
  const messages: InboxMessage[] = [];
  for (const root of roots) {
    for (const session of sessions) {
      const taken = await takeMessages({
        root,
        session,
        now,
        by,
        choose: (waiting) => choose([...messages, ...waiting]).filter((message) => !messages.includes(message)),
      });
      if (!taken.ok) {
        log(`${taken.error.code}: ${taken.error.message}`);
        continue;
      }
      for (const problem of taken.value.problems) log(`${problem.code}: ${problem.path}: ${problem.why}`);
      messages.push(...taken.value.messages);
    }
  }
  return messages.map((message) => ({ ...message, text: withMark(message.text, message.id) }));
}
