/**
 * Puts this process under a clock that stands still until it is moved on: a file holds the time, in milliseconds since the epoch. A timer is
 * due when its time has passed by this clock or by the real one. So a clock that is moved on by five seconds fires what was due in them, and
 * what waits for a moment only never waits for ever.
 *
 * Loaded by the extension beside Unstuck, and by `node --require` for the command line.
 */
const fs = require('node:fs');

const LOOK_MS = 20;
/** Shorter ones only pause a piece of work; they need no help. */
const SHORTEST_MS = 100;

const RealDate = Date;
const real = { setTimeout, setInterval, clearTimeout, clearInterval };
let time = 0;

/** What is not due yet. @type {Map<NodeJS.Timeout, { due: number, every: number | null, run: () => void }>} */
const waiting = new Map();

exports.follow = (/** @type {string} */ file) => {
  const look = () => {
    try {
      const next = Number(fs.readFileSync(file, 'utf8'));
      if (!(next > time)) return;
      // Where there was no clock yet, nothing was due by it.
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

/** In the order in which they were due; an interval as often as its time has passed, as on a clock that runs. */
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
