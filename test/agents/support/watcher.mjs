// The extension's own engine on the real transcript, as watch-command and window.ts wire it.
import { until } from './wait.mjs';

export class Watcher {
  /** The latest state of each incident, with the moment at which a person would have been alarmed. */
  incidents = new Map();
  notes = [];

  constructor(parts, sandbox, env, budgets = {}) {
    const { Engine, createTail, registry, resolveOptions, systemClock, systemProbe, readSmall, workspaceMail, sqlite } =
      parts;
    const { findAgentProcesses, createOpenFiles, processOfSession } = parts;
    const note = (text) => void this.notes.push(text);
    const log = { debug: () => {}, info: () => {}, warn: note, error: note };
    const folders = () => [sandbox.opened];
    this.parts = parts;
    this.root = sandbox.opened;
    this.tail = createTail({ log });
    this.engine = new Engine(
      {
        adapters: registry,
        environment: { home: sandbox.home, env: { ...sandbox.env, ...env }, platform: process.platform },
        probe: systemProbe,
        tail: this.tail,
        clock: systemClock,
        log,
        mail: workspaceMail(
          folders,
          () => systemClock.now(),
          log,
          () => true,
        ),
        stored: () => undefined,
        readSmall,
        processOf: async (session) => processOfSession(session, await findAgentProcesses(process.getuid?.())),
        openFiles: createOpenFiles(),
        sqlite,
      },
      {
        folders: folders(),
        walksFolders: true,
        maxAgeMs: 24 * 3_600_000,
        disabled: new Set(),
        detectors: (agent) => resolveOptions({ preset: 'balanced', detectors: {}, budgets }, agent),
      },
    );
    this.engine.onDidChangeIncident(({ incident }) => {
      const known = this.incidents.get(incident.id);
      const alarmedAt = known?.alarmedAt ?? (incident.stuckAt === null ? undefined : Date.now());
      this.incidents.set(incident.id, { incident, alarmedAt });
    });
    this.engine.start();
  }

  /** The session of the agent that runs here. */
  session() {
    return until('the session in the agents’ list', () => this.engine.agents()[0]);
  }

  /** The first incident at level stuck, and when it was raised. */
  alarm() {
    const raised = () => [...this.incidents.values()].find(({ alarmedAt }) => alarmedAt !== undefined);
    return until('the alert', raised);
  }

  /** Writes a message that belongs to no incident. */
  async send(draft, session, agent) {
    const sent = await this.parts.sendMessage(this.root, { session, agent, automated: false, ...draft }, Date.now());
    if (!sent.ok) throw new Error(`the message was not written: ${sent.error.message}`);
    this.engine.mailChanged(session);
    return sent.value;
  }

  /** The state of a message according to its receipts. */
  async delivery(session, id) {
    const list = await this.parts.deliveries(this.root, session, Date.now());
    return list.ok ? list.value.deliveries.find(({ message }) => message.id === id) : undefined;
  }

  /** The session that took a message from the inbox. */
  async takenBy(session, id) {
    const receipts = (await this.parts.readReceipts(this.parts.inboxFolder(this.root, session))).value;
    return receipts.find((receipt) => receipt.id === id && receipt.state === 'taken')?.by ?? 'nobody';
  }

  /** Waits for a state of a message, or a later one. */
  receipt(session, id, state) {
    return until(`the receipt "${state}"`, async () => {
      const delivery = await this.delivery(session, id);
      return delivery?.times[state] === undefined ? undefined : delivery;
    });
  }

  /** Reports what it saw, for a failure. */
  tell() {
    const agents = this.engine
      .agents()
      .map(
        ({ session, state, file, coverage }) =>
          `agent ${session}: ${state.kind}, ${coverage.seen} of ${coverage.there} calls seen, ${file}`,
      );
    const incidents = [...this.incidents.values()].map(
      ({ incident }) => `incident ${incident.session}: ${incident.detector} ${incident.level}, ${incident.state}`,
    );
    return [`${agents.length} agents seen`, ...agents, ...incidents, ...this.notes.slice(-5)];
  }

  dispose() {
    this.engine.dispose();
    this.tail.dispose();
  }
}
