/**
 * Puts this process under a clock that stands still until it is advanced: a file holds the time, in milliseconds since the epoch. A timer is
 * due when its time has passed by this clock or by the real one. So a clock that is advanced by five seconds fires everything due in that
 * time, and a short wait never hangs.
 *
 * Loaded by the helper extension that runs next to Unstuck, and by `node --require` for the command line.
 */
const fs = require('node:fs');

const LOOK_MS = 20;
/** Shorter ones only pause a piece of work and need no help. */
const SHORTEST_MS = 100;

const RealDate = Date;
const real = { setTimeout, setInterval, clearTimeout, clearInterval };
let time = 0;

/** Timers that are not due yet. @type {Map<NodeJS.Timeout, { due: number, every: number | null, run: () => void }>} */
const waiting = new Map();

exports.follow = (/** @type {string} */ file) => {
  const look = () => {
    try {
      const next = Number(fs.readFileSync(file, 'utf8'));
      if (!(next > time)) return;
      // Before there was a clock, nothing was due by it.
      if (time === 0) for (const one of waiting.values()) one.due += next;
      time = next;
    } catch {
      return; // none yet, or half written
    }
    fireDue();
  };
  look();
  real.setInterval(look, LOOK_MS).unref();
  globalThis.Date = class extends RealDate {
    constructor(...args) {
      if (args.length === 0) super(time);
      else super(...args);
    }
    static now() {
      return time;
    }
  };
  globalThis.setTimeout = Object.assign((callback, delay = 0, ...args) => {
    if (!(delay >= SHORTEST_MS)) return real.setTimeout(callback, delay, ...args);
    const run = () => callback(...args);
    const timer = real.setTimeout(() => {
      waiting.delete(timer);
      run();
    }, delay);
    waiting.set(timer, { due: time + delay, every: null, run });
    return timer;
  }, real.setTimeout);
  globalThis.setInterval = (callback, delay = 0, ...args) => {
    const run = () => callback(...args);
    const timer = real.setInterval(run, delay);
    if (delay >= SHORTEST_MS) waiting.set(timer, { due: time + delay, every: delay, run });
    return timer;
  };
  for (const name of ['clearTimeout', 'clearInterval']) {
    globalThis[name] = (timer) => {
      waiting.delete(timer);
      real[name](timer);
    };
  }
};

/** Fires timers in the order in which they were due, and an interval as often as its time has passed, as on a running clock. */
function fireDue() {
  for (;;) {
    const [next] = [...waiting].filter(([, one]) => one.due <= time).sort(([, a], [, b]) => a.due - b.due);
    if (!next) return;
    const [timer, one] = next;
    if (one.every === null) {
      waiting.delete(timer);
      real.clearTimeout(timer);
    } else one.due += one.every;
    try {
      one.run();
    } catch (error) {
      console.error(error);
    }
  }
}

if (process.env.UNSTUCK_TEST_CLOCK) exports.follow(process.env.UNSTUCK_TEST_CLOCK);
