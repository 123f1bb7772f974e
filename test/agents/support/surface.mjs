// What a person sees of the agent: the records of `unstuck watch --json`, each with the moment at which it was printed, and the words of the row.
import { time, until } from './wait.mjs';

export class Surface {
  /** @type {{ at: number, record: object }[]} */
  states = [];
  #printed = '';

  /** Starts the command line alongside the engine of the test, as a second window would be. `env`: the environment that it looks in. */
  constructor({ cli, sandbox, startArgv, parts, watcher }, env = {}) {
    this.parts = parts;
    this.watcher = watcher;
    const running = startArgv([process.execPath, cli, 'watch', sandbox.opened, '--json'], { env });
    running.child.stdout.on('data', (text) => this.#take(text));
    this.running = running;
  }

  #take(text) {
    const lines = (this.#printed + text).split('\n');
    this.#printed = lines.pop();
    for (const line of lines) {
      const record = JSON.parse(line);
      if (record.kind === 'state') this.states.push({ at: Date.now(), record });
    }
  }

  /** The first printed state that matches, at or after a moment. @param {string} what @param {(record: object) => boolean} matches */
  first(what, matches, since = 0) {
    return until(`${what} from unstuck watch, which printed ${this.tell()}`, () =>
      this.states.find(({ at, record }) => at >= since && matches(record)),
    );
  }

  /** The words of the agent's row, once the engine of this window agrees with what was printed. @param {object} record */
  async words(record) {
    const view = await until(`the row of ${record.state}`, () => {
      const now = this.watcher.engine.agent(record.session);
      return now?.state.kind === record.state && now.state.waitingFor === record.for ? now : undefined;
    });
    return this.parts.lineOf(view, Date.now());
  }

  tell() {
    const told = this.states.map(({ record }) => [record.state, record.for, record.ended].filter(Boolean).join(' '));
    return told.join(', ') || 'nothing';
  }
}

/** Time since something happened; the project promises 3 s. @param {number} happened @param {number} seen */
export function after(happened, seen) {
  const took = seen - happened;
  if (took > WITHIN) throw new Error(`seen ${time(took)} after it happened`);
  return time(Math.max(0, took));
}

const WITHIN = 3_000;
