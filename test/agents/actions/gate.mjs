// The agent says that it is done while the project's test fails: the gate holds it, it repairs the project, and once the gate is green it ends.
import { inTurn } from '../model/scripts.mjs';
import { REPAIR } from '../support/sandbox.mjs';
import { time, until } from '../support/wait.mjs';
import { TASK } from './loop.mjs';

/** Milliseconds that the hook may wait, as `unstuck.gates.wait`. */
const WAIT = 30_000;

export async function gate(stage) {
  const { agent, model, watcher, sandbox, start, end, say } = stage;
  const gates = gatesOf(stage);
  // A run that ends within a second is judged, too.
  gates.configure();
  const reports = [];
  gates.onDidChange((report) => report.endedAt !== null && reports.push(report));
  try {
    const before = inTurn([agent.shell("sed -i 's/small/tiny/' README.md")], 'All done.');
    const after = inTurn([agent.shell(REPAIR)], 'Repaired, and done.');
    model.play((request) => (request.text.includes('Completion Blocked') ? after() : before()));
    const running = start(agent.command, TASK);
    const { session } = await watcher.session();

    const told = await model.request('with what the gate found', ({ text }) => text.includes('Completion Blocked'));
    const failed = reports.find(({ verdict }) => verdict === 'failed');
    if (!failed?.message) throw new Error(`no failed run was told: ${JSON.stringify(reports).slice(0, 500)}`);
    for (const words of ['expected 7, got 5', '[ ] tests: failed', `[unstuck ${failed.message}]`]) {
      if (!told.text.includes(words)) throw new Error(`the feedback lacks "${words}"`);
    }
    say(`the gate failed after ${time(failed.endedAt - failed.startedAt)}, and the agent went on with its feedback`);

    const { code } = await end(running);
    if (code !== 0) throw new Error(`the agent ended with code ${code}`);
    const passed = reports.at(-1);
    if (passed.verdict !== 'passed' || reports.length !== 2) {
      throw new Error(`the last of ${reports.length} runs says ${passed.verdict}`);
    }
    // It also changes a file that it did not read, which is a separate hint.
    const incidents = [...watcher.incidents.values()].map((one) => one.incident);
    const incident = incidents.find(({ detector }) => detector === 'gate_blocked');
    if (!incident) throw new Error(`the incidents are ${incidents.map(({ detector }) => detector).join(', ')}`);
    await watcher.receipt(session, failed.message, 'seen');
    const closed = () => watcher.incidents.get(incident.id)?.incident.resolvedAt ?? undefined;
    await until('the end of the incident', closed);
    if (!sandbox.git('diff', '--stat').includes('src/price.js')) throw new Error('nothing was repaired');
    return `held by 1 failed gate, told, repaired, ended with the gate green after ${time(passed.endedAt - failed.startedAt)}`;
  } finally {
    gates.dispose();
  }
}

/** Quality gates as window.ts wires them, for a user who allowed the commands of this project. */
function gatesOf({ watcher, sandbox, parts }) {
  const { QualityGates, systemProcesses, detectGates, projectFiles, HOLDS_FOR_GATES } = parts;
  const note = (text) => void watcher.notes.push(text);
  return new QualityGates({
    engine: watcher.engine,
    processes: systemProcesses(() => []),
    now: Date.now,
    log: { debug: () => {}, info: note, warn: note, error: note },
    settings: () => ({ onCompletion: true, parallel: 2, waitMs: WAIT }),
    folders: () => [sandbox.workspace],
    isTrusted: () => true,
    gatesOf: async (folder) => ({ gates: detectGates(await projectFiles(folder)), agreed: true }),
    notAgreed: () => {},
    holds: (view) => HOLDS_FOR_GATES.has(view.agent) && view.mode !== 'interactive',
    claim: async () => ({ done: async () => {}, release: async () => {} }),
    mostRefused: () => 3,
    sent: () => {},
    pid: process.pid,
  });
}
