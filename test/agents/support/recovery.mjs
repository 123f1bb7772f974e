// Recovery as the window has it: what a click does, over the engine and the inbox. The store remembers only what a click needs.
import { randomUUID } from 'node:crypto';

export function createRecovery({ parts, watcher, sandbox, bridge, launch, before = () => undefined, brakes = {} }) {
  const { Recovery, readRecoverySettings, systemClock, systemProcesses, systemCheckpointFiles } = parts;
  const note = (text) => void watcher.notes.push(text);
  const settings = readRecoverySettings({ automatic: false, brakes: () => brakes, launch, expiryMs: 600_000 });
  const claim = { done: async () => {}, release: async () => {} };
  return new Recovery({
    engine: watcher.engine,
    store: {
      appendEvent: async () => {},
      events: async () => [],
      claim: async () => claim,
      known: () => undefined,
      current: () => [],
      onDidChange: () => ({ dispose() {} }),
    },
    clock: systemClock,
    log: { debug: () => {}, info: () => {}, warn: note, error: note },
    processes: systemProcesses(() => []),
    files: systemCheckpointFiles,
    folders: () => [sandbox.workspace],
    settings: () => settings,
    trusted: () => true,
    takes: () => bridge?.abilities.kinds ?? [],
    supervised: () => false,
    terminals: { isHere: () => false, end: async () => false },
    findProgram: async (program) => program,
    chats: { isHere: () => false },
    newSession: randomUUID,
    before,
  });
}

/** Clicks an action of an incident; returns the message in the inbox, or the other outcome. */
export async function click(recovery, incident, request) {
  const acted = await recovery.act(incident.id, request);
  if (!acted.ok) throw new Error(`${request.action}: ${acted.error.message}`);
  return acted.value;
}
