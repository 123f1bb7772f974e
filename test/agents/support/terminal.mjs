// A program's terminal, driven as a person drives it: keys in, a screen out. tmux stands in for the window.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { NotHere } from './install.mjs';
import { until } from './wait.mjs';

const [COLUMNS, ROWS] = ['150', '50'];

/** Finds tmux, or installs it if the machine allows that. @throws {NotHere} */
export function needTmux(say) {
  if (run('tmux', ['-V']).status === 0) return;
  const root = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  const [program, ...args] = [...root, 'apt-get', 'install', '-y', '--no-install-recommends', 'tmux'];
  say('tmux is not here; apt-get installs it');
  run(program, args);
  if (run('tmux', ['-V']).status !== 0) throw new NotHere('tmux is not here and apt-get could not install it');
}

/** Pause before a return, milliseconds: Gemini CLI takes a return within 30 ms of other keys for a line of a paste, not for the end of a prompt. */
const AFTER_TEXT = 200;

let count = 0;

export class Terminal {
  #server;
  #pane;

  /**
   * Opens a terminal with a shell of the user and starts the program in it by a shell command. The shell is bash: like zsh and fish it restores the
   * terminal if a killed program left it raw; dash does not.
   *
   * @param {{ root: string, workspace: string, env: object }} sandbox
   * @param {readonly string[]} argv
   * @param {object} env
   * @param {string} [cwd] the workspace if absent
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

  /** True if its shell runs nothing. */
  get rests() {
    return run('pgrep', ['-P', String(this.shell)]).status === 1;
  }

  /** Presses keys by their names in tmux: `Enter`, `Escape`, `C-c`. */
  keys(...keys) {
    this.#tmux('send-keys', '-t', this.#pane, ...keys);
  }

  /** Types a line into the shell of the terminal. */
  line(text) {
    this.#tmux('send-keys', '-t', this.#pane, '-l', text);
    this.keys('Enter');
  }

  /** Types into the program, like a person who has not pressed Enter yet. */
  async type(text) {
    this.#tmux('send-keys', '-t', this.#pane, '-l', text);
    await this.sees('what was typed in the terminal', () => this.shows(text));
  }

  /** True if this text is on the screen, however its lines are broken. */
  shows(text) {
    return flat(this.screen()).includes(flat(text));
  }

  /** Types a prompt into the program and sends it once it is on the screen. */
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

  /** Closes this terminal, as by the close button of its window: whatever runs in it is hung up. Returns when all of it is gone. */
  async end() {
    const { shell } = this;
    // The server would exit with its last session, and the next terminal would meet a server that is exiting.
    this.#tmux('new-session', '-d', '-s', `${this.#pane}-after`, 'cat');
    this.#tmux('kill-session', '-t', this.#pane);
    // An agent that is still ending still takes messages.
    await until('the end of what ran in the terminal', () => run('pgrep', ['-s', String(shell)]).status === 1);
  }

  close() {
    run('tmux', ['-S', this.#server, 'kill-server']);
  }

  #tmux(...args) {
    return run('tmux', ['-S', this.#server, ...args]).stdout ?? '';
  }
}

/** Programs break lines at the edge of their window. */
const flat = (text) => text.replaceAll(/[\s│┃|]+/g, '');

function quoted(text) {
  return `'${String(text).replaceAll("'", `'\\''`)}'`;
}

function run(program, args) {
  return spawnSync(program, args, { encoding: 'utf8' });
}
