// A terminal of a program, driven as a person drives it: keys in, a screen out. tmux stands in for the window.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { NotHere } from './install.mjs';
import { until } from './wait.mjs';

const [COLUMNS, ROWS] = ['150', '50'];

/** Finds tmux, or installs it where the machine lets us. @throws {NotHere} */
export function needTmux(say) {
  if (run('tmux', ['-V']).status === 0) return;
  const root = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  const [program, ...args] = [...root, 'apt-get', 'install', '-y', '--no-install-recommends', 'tmux'];
  say('tmux is not here; apt-get installs it');
  run(program, args);
  if (run('tmux', ['-V']).status !== 0) throw new NotHere('tmux is not here and apt-get could not install it');
}

/** Gemini CLI takes a return within 30 ms of other keys for a line of a paste, not for the end of a prompt. Milliseconds. */
const AFTER_TEXT = 200;

let count = 0;

export class Terminal {
  #server;
  #pane;

  /**
   * Opens a terminal of a shell of the user's and starts the program in it by a line of the shell. The shell is bash: like zsh and fish it sets
   * the terminal as it needs it where a program that was ended left it raw; dash does not.
   *
   * @param {{ root: string, workspace: string, env: object }} sandbox
   * @param {readonly string[]} argv
   * @param {object} env
   * @param {string} [cwd] the workspace where absent
   */
  constructor(sandbox, argv, env, cwd = sandbox.workspace) {
    this.#server = join(sandbox.root, 'tmux');
    this.#pane = `t${++count}`;
    const all = { ...sandbox.env, TERM: 'xterm-256color', SHELL: '/bin/bash', HISTFILE: '', PS1: 'shell> ', ...env };
    const words = Object.entries(all)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => quoted(`${key}=${value}`));
    const script = join(sandbox.root, `${this.#pane}.sh`);
    writeFileSync(script, `cd ${quoted(cwd)}\nexec env -i ${words.join(' ')} bash --norc -i\n`);
    const size = ['-x', COLUMNS, '-y', ROWS];
    this.#tmux('-f', '/dev/null', 'new-session', '-d', '-s', this.#pane, ...size, `sh ${quoted(script)}`);
    writeFileSync(join(sandbox.root, `${this.#pane}-agent.sh`), `exec ${argv.map(quoted).join(' ')}\n`);
    this.line(`sh ${quoted(join(sandbox.root, `${this.#pane}-agent.sh`))}`);
  }

  screen() {
    return this.#tmux('capture-pane', '-p', '-t', this.#pane);
  }

  /** Process id of the terminal's shell. */
  get shell() {
    return Number(this.#tmux('list-panes', '-t', this.#pane, '-F', '#{pane_pid}').trim());
  }

  /** Does its shell run nothing? */
  get rests() {
    return run('pgrep', ['-P', String(this.shell)]).status === 1;
  }

  /** Keys by their names in tmux: `Enter`, `Escape`, `C-c`. */
  keys(...keys) {
    this.#tmux('send-keys', '-t', this.#pane, ...keys);
  }

  /** Types a line into the shell of the terminal. */
  line(text) {
    this.#tmux('send-keys', '-t', this.#pane, '-l', text);
    this.keys('Enter');
  }

  /** Types into the program, as a person who has not pressed Enter yet. */
  async type(text) {
    this.#tmux('send-keys', '-t', this.#pane, '-l', text);
    await this.sees('what was typed in the terminal', () => this.shows(text));
  }

  /** Does this text stand on the screen, wherever its lines are broken? */
  shows(text) {
    return flat(this.screen()).includes(flat(text));
  }

  /** Types a prompt into the program and sends it once it stands there. */
  async prompt(text) {
    await this.type(text);
    await pause(AFTER_TEXT);
    this.keys('Enter');
  }

  /** @param {string} what @param {RegExp | ((screen: string) => boolean)} shows */
  sees(what, shows) {
    const matches = typeof shows === 'function' ? shows : (screen) => shows.test(screen);
    return until(what, () => matches(this.screen()));
  }

  /** Closes this terminal, as by the cross of its window: whatever runs in it is hung up. Returns when all of it is gone. */
  async end() {
    const { shell } = this;
    // With its last session the server would go, and the next terminal meet a server that is going.
    this.#tmux('new-session', '-d', '-s', `${this.#pane}-after`, 'cat');
    this.#tmux('kill-session', '-t', this.#pane);
    // An agent that is still ending takes messages.
    await until('the end of what ran in the terminal', () => run('pgrep', ['-s', String(shell)]).status === 1);
  }

  close() {
    run('tmux', ['-S', this.#server, 'kill-server']);
  }

  #tmux(...args) {
    return run('tmux', ['-S', this.#server, ...args]).stdout ?? '';
  }
}

/** Programs break lines where their windows end. */
const flat = (text) => text.replaceAll(/[\s│┃|]+/g, '');

function quoted(text) {
  return `'${String(text).replaceAll("'", `'\\''`)}'`;
}

function run(program, args) {
  return spawnSync(program, args, { encoding: 'utf8' });
}
