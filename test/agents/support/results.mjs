// The outcome of each action with each agent, as progress lines and as a table.

export class Results {
  passes = 0;
  failures = 0;
  /** Attempts: agent, version, action, and whether it passed. */
  tried = [];
  #cells = new Map();
  #footnotes = [];

  constructor(agents, actions) {
    this.agents = agents;
    this.actions = actions;
  }

  passed(agent, action, text) {
    this.passes += 1;
    this.tried.push({ agent: agent.id, version: agent.version, action: action.id, passed: true });
    this.#set(agent, action, text);
    console.log(`ok      ${named(agent)}, ${action.name}: ${text}`);
  }

  failed(agent, action, error, lastWords) {
    this.failures += 1;
    this.tried.push({ agent: agent.id, version: agent.version, action: action.id, passed: false });
    this.#set(agent, action, 'FAILED');
    const message = error instanceof Error ? error.message : String(error);
    this.#footnotes.push(`${named(agent)}, ${action.name}: FAILED: ${message}`);
    console.log(`FAILED  ${named(agent)}, ${action.name}: ${message}`);
    console.log(lastWords.replace(/^/gm, '        | '));
  }

  /** The agent offers no way to do this, or Unstuck does not use it yet: neither passed nor failed. */
  notDone(agent, action, what, why) {
    this.#set(agent, action, what);
    this.#footnotes.push(`${named(agent)}, ${action.name}: ${what}: ${why}`);
    console.log(`--      ${named(agent)}, ${action.name}: ${what}: ${why}`);
  }

  /** The agent is not available here, which is no result. */
  skip(agent, why) {
    for (const action of this.actions) this.#set(agent, action, 'skipped');
    this.#footnotes.push(`${named(agent)}: skipped: ${why}`);
    console.log(`skipped ${named(agent)}: ${why}`);
  }

  fail(agent, why) {
    this.failures += 1;
    for (const action of this.actions) this.#set(agent, action, 'FAILED');
    this.#footnotes.push(`${named(agent)}: FAILED: ${why}`);
    console.log(`FAILED  ${named(agent)}: ${why}`);
  }

  print() {
    console.log(`\n| | ${this.agents.map(named).join(' | ')} |`);
    console.log(`| --- |${' --- |'.repeat(this.agents.length)}`);
    for (const action of this.actions) {
      console.log(
        `| ${action.name} | ${this.agents.map((agent) => this.#cells.get(`${named(agent)} ${action.id}`) ?? '').join(' | ')} |`,
      );
    }
    console.log('');
    for (const footnote of this.#footnotes) console.log(footnote);
  }

  #set(agent, action, text) {
    this.#cells.set(`${named(agent)} ${action.id}`, text);
  }
}

function named({ name, version }) {
  return `${name} ${version}`;
}
