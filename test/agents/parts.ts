// What the suite takes of the extension, bundled as it is shipped.
export { createBridges } from '../../src/agents/bridges';
export { planLaunch } from '../../src/agents/launch';
export { registry } from '../../src/agents/registry';
export { resolveOptions } from '../../src/detect/options';
export { Engine } from '../../src/engine/engine';
export { workspaceMail } from '../../src/engine/inbox-mail';
export { systemClock } from '../../src/engine/ports';
export { readSmall, systemProbe } from '../../src/engine/probe';
export { deliveries, findRuntimes, markOf, readHookFiles, sendMessage } from '../../src/inbox';
export { draftNudge } from '../../src/recover/draft';
export { createTail } from '../../src/tail';
export { redact } from '../../src/util/redact';
