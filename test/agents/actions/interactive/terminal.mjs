// Helpers shared by the situations in a terminal.
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../../support/wait.mjs';

/** Milliseconds in which nothing may happen after something that must have no effect. There is no event to wait for. */
const NOTHING_FOR = 8_000;

/** The agent's turn has ended, on its own or because of its person. */
export function isResting({ watcher, model }, session, requests = () => model.main().length) {
  let last = -1;
  let since = 0;
  return until('the end of the turn', () => {
    const now = requests();
    if (now !== last) [last, since] = [now, Date.now()];
    const view = watcher.engine.agent(session);
    // Not all agents write that a turn has ended.
    return view?.state.waitingFor === 'turn_end' || Date.now() - since > NOTHING_FOR;
  });
}

/** Checks for a while that none of these messages is handed over. */
export async function staysWaiting({ watcher, model, parts }, session, ids, what) {
  const asked = model.main().length;
  for (const end = Date.now() + NOTHING_FOR; Date.now() < end; await pause(200)) {
    if (model.main().length > asked) throw new Error(`${what}: the model was asked once more`);
    for (const id of ids) {
      const delivery = await watcher.delivery(session, id);
      if (delivery?.state !== 'queued')
        throw new Error(`${what}: the message is ${delivery?.state} by ${await watcher.takenBy(session, id)}`);
      if (model.main().some(({ text }) => text.includes(parts.markOf(id)))) throw new Error(`${what}: it was sent`);
    }
  }
}

export async function takenOnce({ watcher, parts }, session, ids) {
  const receipts = (await parts.readReceipts(parts.inboxFolder(watcher.root, session))).value;
  for (const id of ids) {
    const taken = receipts.filter((receipt) => receipt.id === id && receipt.state === 'taken');
    if (taken.length !== 1) throw new Error(`message ${id} was taken ${taken.length} times`);
  }
}

/** Counts the occurrences of a text in a request to the model. */
export function copiesIn({ text }, mark) {
  return text.split(mark).length - 1;
}
