// What the suite takes of the extension, bundled as it is shipped.
import { join } from 'node:path';
import { createThreadedReader } from '../../src/agents/sqlite/threaded';

export { createBridges } from '../../src/agents/bridges';
export { HOLDS_FOR_GATES } from '../../src/agents/holds-for-gates';
export { planLaunch } from '../../src/agents/launch';
export { findAgentProcesses } from '../../src/agents/processes';
export { registry } from '../../src/agents/registry';
export { processOfSession } from '../../src/agents/session-process';
export { resolveOptions } from '../../src/detect/session/options';
export { keepHistory } from '../../src/engine/history/keep';
export { Recovery } from '../../src/engine/recovery/service';
export { readRecoverySettings } from '../../src/engine/recovery/settings';
export { Engine } from '../../src/engine/engine';
export { projectFiles } from '../../src/engine/gates/project-files';
export { QualityGates } from '../../src/engine/gates/quality-gates';
export { workspaceMail } from '../../src/engine/inbox-mail';
export { systemClock } from '../../src/engine/ports';
export { readSmall, systemProbe } from '../../src/engine/follow/probe';
export { systemCheckpointFiles } from '../../src/engine/checkpoint-files';
export { systemProcesses } from '../../src/engine/follow/processes';
export { deliveries, findRuntimes, inboxFolder, markOf, readHookFiles, sendMessage } from '../../src/inbox';
export { readReceipts } from '../../src/inbox/messages/receipts';
export { detectGates } from '../../src/recover/gates/detect-commands';
export { lineFor, startScript } from '../../src/ui/recovery/start-script';
export { familyOf, parentInStat } from '../../src/ui/recovery/terminal-family';
export { createTail } from '../../src/tail';
export { openStore } from '../../src/store';
export { BeforeCache } from '../../src/ui/recovery/before';
export { isProcessAlive } from '../../src/util/process';

/** Reads databases by the worker that is bundled beside. */
export const sqlite = createThreadedReader(join(__dirname, 'sqlite-worker.js'));
