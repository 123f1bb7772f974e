// The parts of the extension that the suite uses, bundled as they are shipped.
import { join } from 'node:path';
import { createThreadedReader } from '../../src/agents/sqlite/threaded';

export { createBridges } from '../../src/agents/bridges';
export { elsewhereOf } from '../../src/agents/elsewhere';
export { HOLDS_FOR_GATES } from '../../src/agents/holds-for-gates';
export { createOpenFiles } from '../../src/agents/open-files';
export { planLaunch } from '../../src/agents/launch';
export { findAgentProcesses } from '../../src/agents/processes';
export { registry } from '../../src/agents/registry';
export { processOfSession } from '../../src/agents/session-process';
export { resolveOptions } from '../../src/detect/session/options';
export { keepHistory } from '../../src/engine/history/keep';
export { Recovery } from '../../src/recover/act/service';
export { readRecoverySettings } from '../../src/recover/act/settings';
export { Engine } from '../../src/engine/engine';
export { projectFiles } from '../../src/recover/gates/project-files';
export { QualityGates } from '../../src/recover/gates/quality-gates';
export { workspaceMail } from '../../src/engine/inbox-mail';
export { systemClock } from '../../src/base/clock';
export { parentInStat, readSmall, systemProbe } from '../../src/engine/follow/probe';
export { systemCheckpointFiles } from '../../src/recover/checkpoint/system-files';
export { systemProcesses } from '../../src/base/processes/system';
export { deliveries, findRuntimes, inboxFolder, markOf, readHookFiles, sendMessage } from '../../src/agents/inbox';
export { readReceipts } from '../../src/agents/inbox/messages/receipts';
export { detectGates } from '../../src/recover/gates/detect-commands';
export { lineFor, startScript } from '../../src/editor/recovery/start-script';
export { familyOf } from '../../src/editor/recovery/terminal-family';
export { createTail } from '../../src/base/tail';
export { openStore } from '../../src/history';
export { BeforeCache } from '../../src/editor/recovery/before';
export { draftContinue } from '../../src/recover/drafts/continue';
export { continueAll, waitsAfterLimit } from '../../src/editor/nudges/continue-all';
export { lineOf } from '../../src/editor/trees/row-words';
export { isProcessAlive } from '../../src/base/util/process';

/** Reads databases with the worker that is bundled alongside. */
export const sqlite = createThreadedReader(join(__dirname, 'sqlite-worker.js'));
