// Everything one action needs: a clean home, the agent connected in it, the scripted model, the engine watching.
import { setTimeout as pause } from 'node:timers/promises';
import { bridgeOf, connect, placeOf } from './connect.mjs';
import { createRecovery } from './recovery.mjs';
import { Sandbox } from './sandbox.mjs';
import { Terminal } from './terminal.mjs';
import { Watcher } from './watcher.mjs';

/** Consecutive looks at a screen, 20 ms apart, that must show a prompt before anything is typed into it. */
const CALM_LOOKS = 100;

export class Stage {
  #sandbox;
  #watcher;
  #recovery;
  #history = null;
  #runs = [];
  #terminals = [];

  constructor(options) {
    this.options = options;
  }

  async open() {
    const {
      agent,
      program,
      model,
      built,
      say,
      connected = true,
      scope = agent.scope,
      prepare,
      brakes,
      budgets,
    } = this.options;
    const { parts } = built;
    const sandbox = new Sandbox(agent.id);
    this.#sandbox = sandbox;
    await prepare?.(sandbox);
    const env = agent.environment(sandbox, model.address, program);
    agent.prepare(sandbox, model.address);
    const bridge = bridgeOf(agent, sandbox, { ...sandbox.env, ...env }, built);
    if (connected && bridge) await connect(bridge, sandbox, scope);
    const trust = await agent.trust(sandbox, { program, env, bridge });
    this.options.trusted?.(trust);
    const status = connected ? await bridge?.status(placeOf(sandbox)) : null;
    if (status && status.state !== 'connected') throw new Error(`connected, but: ${status.message}`);
    const watcher = new Watcher(parts, sandbox, env, budgets);
    this.#watcher = watcher;
    const launch = { [agent.id]: { program, args: agent.args } };
    this.#recovery = createRecovery({
      parts,
      watcher,
      sandbox,
      bridge: connected ? bridge : null,
      launch,
      brakes,
      before: (incident) => this.#history?.of(incident),
    });
    const startArgv = (argv, options = {}) => {
      const running = sandbox.start(argv, { ...options, env: { ...env, ...options.env } });
      this.#runs.push(running);
      return running;
    };
    return {
      agent,
      program,
      model,
      watcher,
      recovery: this.#recovery,
      sandbox,
      bridge,
      parts,
      cli: built.cli,
      folder: built.folder,
      /** Sets what recovery looks up about earlier incidents; null: nothing. */
      useHistory: (before) => {
        this.#history = before;
      },
      say,
      env,
      startArgv,
      /** Does what *Connect Agent* does, later than at the start. */
      connect: () => connect(bridge, sandbox, scope),
      place: placeOf(sandbox),
      /**
       * The agent in a terminal, as a person starts it, at its prompt. `asks`: it asks before it runs a command. `plans`: it begins with a plan that
       * its person agrees to. `cwd`: the workspace if absent. `resumes`: id of the session that it continues. `onPlan`: its user has a plan with a
       * limit of use, if the agent knows such a thing. `moved`: moves its files and sets the variable that says where to.
       */
      open: (options) => this.#atPrompt(options),
      start: (command, prompt) => startArgv(command(program, prompt)),
      end: (running) => sandbox.end(running),
      /** Waits for something, unless the agent ends first. */
      whileRuns: (running, waiting) =>
        Promise.race([
          waiting,
          running.ended.then(async ({ code, signal }) => {
            await pause(1_000);
            throw new Error(`the agent ended with ${code ?? signal} before`);
          }),
        ]),
      lastWords: () => this.lastWords(),
      /** Presses Ctrl-C, as in the agent's terminal. */
      interrupt: (running) => process.kill(-running.child.pid, 'SIGINT'),
    };
  }

  async #atPrompt({ asks = false, plans = false, cwd, resumes, onPlan = false, moved } = {}) {
    const { agent, program, model } = this.options;
    const { interactive } = agent;
    const sandbox = this.#sandbox;
    if (this.#terminals.length === 0) interactive.prepare?.(sandbox);
    if (asks) interactive.prepareAsking?.(sandbox);
    const command = (plans ? interactive.planning : asks ? interactive.asking : interactive.command)(program);
    const argv = resumes === undefined ? command : interactive.resuming(command, resumes);
    const plan = onPlan ? interactive.prepareOnPlan?.(sandbox) : {};
    const env = { ...agent.environment(sandbox, model.address, program), ...plan, ...moved?.() };
    const terminal = new Terminal(sandbox, argv, env, cwd);
    this.#terminals.push(terminal);
    let calm = 0;
    await terminal.sees('the prompt of the agent', (screen) => {
      calm = interactive.ready.test(screen) ? calm + 1 : 0;
      return calm >= CALM_LOOKS;
    });
    return terminal;
  }

  /** The last output of the agents, for the report of a failure. */
  lastWords() {
    const words = this.#runs.map(({ stdout, stderr, exited }) =>
      [exited ? `exit ${exited.code ?? exited.signal}` : 'still running', stdout.slice(-600), stderr.slice(-600)].join(
        '\n',
      ),
    );
    const screens = this.#terminals.map((terminal) => terminal.screen().replaceAll(/(?:\s*\n)+/g, '\n'));
    return [...words, ...screens, this.options.model.tell(), ...(this.#watcher?.tell() ?? [])].join('\n');
  }

  async close() {
    this.#recovery?.dispose();
    this.#watcher?.dispose();
    for (const terminal of this.#terminals) terminal.close();
    await this.#sandbox?.dispose();
  }
}
