/**
 * Runs next to Unstuck in the same extension host. A file says how far the clock is ahead and how long each look at a file takes: the real clock and
 * the real disk belong to the whole machine.
 */
const fs = require('node:fs');
const path = require('node:path');

/** @type {{ ahead: number, delay: number }} milliseconds */
let control = { ahead: 0, delay: 0 };
const file = path.join(process.env.HOME ?? '', 'faults.json');
const readNow = fs.readFileSync;
const RealDate = Date;
const realNow = Date.now.bind(Date);

exports.activate = () => {
  read();
  setInterval(read, 100).unref();
  globalThis.Date = class extends RealDate {
    constructor(...args) {
      if (args.length === 0) super(realNow() + control.ahead);
      else super(...args);
    }
    static now() {
      return realNow() + control.ahead;
    }
  };
  for (const name of ['open', 'stat', 'lstat', 'readdir', 'readFile', 'realpath', 'access']) {
    delayPromise(fs.promises, name);
    delayCallback(fs, name);
  }
  fs.writeFileSync(path.join(process.env.HOME ?? '', 'faults-ready'), String(process.pid));
};

function read() {
  try {
    control = { ahead: 0, delay: 0, ...JSON.parse(readNow(file, 'utf8')) };
  } catch {
    // None yet, or half written.
  }
}

function delayPromise(module, name) {
  const real = module[name];
  module[name] = async (...args) => {
    if (control.delay > 0) await new Promise((done) => setTimeout(done, control.delay));
    return real.apply(module, args);
  };
}

function delayCallback(module, name) {
  const real = module[name];
  module[name] = Object.assign((...args) => {
    if (control.delay > 0) setTimeout(() => real.apply(module, args), control.delay);
    else real.apply(module, args);
  }, real);
}
