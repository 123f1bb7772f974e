import { type AgentView, canContinue } from '../../core/model';
import { counted } from '../../base/util/counts';
import { draftContinue } from '../../recover/drafts/continue';
import type { ControlsOf } from '../controls/controls';

/** Returns whether a usage limit stopped it and has opened, and nothing was sent to it since. */
export function waitsAfterLimit({ state, deliveries, history }: AgentView, now: number): boolean {
  if (history || state.waitingFor !== 'limit' || !canContinue(state, now)) return false;
  const opened = Math.max(state.since, state.until ?? 0);
  return !deliveries.some((one) => one.state !== 'withdrawn' && (one.times.queued ?? 0) >= opened);
}

/** Sessions to which it is being sent. A second click may come before their view shows the message. */
const underWay = new Set<string>();

/**
 * Sends "continue" to each agent whose usage limit has opened. Returns what was done, in one or two sentences for the person; empty if that was
 * already under way for all of them, or if the person knows already.
 *
 * @param automatic true if no one clicked
 */
export async function continueAll(
  all: readonly AgentView[],
  controls: ControlsOf,
  now: number,
  automatic = false,
): Promise<string> {
  const waiting = all.filter((view) => waitsAfterLimit(view, now));
  if (waiting.length === 0) return 'No agent is waiting after a usage limit.';
  const mine = waiting.filter(({ session }) => !underWay.has(session));
  for (const { session } of mine) underWay.add(session);
  try {
    return await sendTo(mine, controls, automatic);
  } finally {
    for (const { session } of mine) underWay.delete(session);
  }
}

async function sendTo(views: readonly AgentView[], controls: ControlsOf, automatic: boolean): Promise<string> {
  let sent = 0;
  const others: string[] = [];
  for (const view of views) {
    const { messages } = controls(view);
    const reach = messages.reach(view);
    // A click for all asks no question about a single agent: agents that cannot be reached are listed instead.
    if (reach === null || reach.kind === 'not_connected' || reach.kind === 'hindered') others.push(view.title);
    else {
      const result = await messages.send(view, draftContinue(view.state, automatic), undefined);
      if ('message' in result) others.push(view.title);
      else if ('sent' in result) sent++;
    }
  }
  const done = sent === 0 ? [] : [`Continue was sent to ${counted(sent, 'agent')}.`];
  const not =
    others.length === 0
      ? []
      : [`Not sent, because nothing can deliver it: ${others.map((title) => `“${title}”`).join(', ')}.`];
  return [...done, ...not].join(' ');
}
