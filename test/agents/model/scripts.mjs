// What the scripted model does. A script is called once for each main request.

/**
 * Makes some calls, then the same round of calls again and again until something appears in a request, then other calls one by one, then ends its
 * turn.
 *
 * @param {object} plan
 * @param {readonly import('./server.mjs').Call[]} [plan.first]
 * @param {readonly import('./server.mjs').Call[]} plan.loop
 * @param {(request: import('./server.mjs').Request) => boolean} plan.until
 * @param {readonly import('./server.mjs').Call[]} plan.after
 * @param {string} [plan.last] what it says at the end
 * @returns {import('./server.mjs').Script}
 */
export function loopUntil({ first = [], loop, until, after, last = 'The test passes now.' }) {
  let turns = 0;
  let next = -1;
  return (request) => {
    if (next < 0 && until(request)) next = 0;
    if (next < 0) {
      // A model that never stops would keep a broken test running forever.
      if (turns >= 80) return { text: 'I give up.' };
      const turn = turns++;
      return { calls: [first[turn] ?? loop[(turn - first.length) % loop.length]] };
    }
    const call = after[next++];
    return call ? { calls: [call] } : { text: last };
  };
}

/** Makes these calls one by one, then ends its turn. */
export function inTurn(calls, last = 'Done.') {
  let next = 0;
  return () => {
    const call = calls[next++];
    return call ? { calls: [call] } : { text: last };
  };
}
