// A detector published by others, to compare with ours: the loop detection of Gemini CLI (Apache-2.0, npm).
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';

const PACKAGE = '@google/gemini-cli-core';
const VERSION = '0.61.0';
export const PEER = `Gemini CLI ${VERSION}`;
const folder = join(tmpdir(), 'unstuck-bench', 'peer');

/** Parts of the rest of the package that its service needs, without logs and telemetry. */
const STANDINS = {
  '../core/turn.js': "export const GeminiEventType = { Content: 'content', ToolCallRequest: 'tool_call_request' };",
  '../telemetry/loggers.js':
    'const none = () => {}; export { none as logLoopDetected, none as logLoopDetectionDisabled, none as logLlmLoopCheck };',
  '../telemetry/types.js':
    'class Event {} export { Event as LoopDetectedEvent, Event as LoopDetectionDisabledEvent, Event as LlmLoopCheckEvent }; export const LoopType = {}; export const LlmRole = {};',
  '../utils/messageInspectors.js':
    'export const isFunctionCall = () => false; export const isFunctionResponse = () => false;',
  '../utils/debugLogger.js': 'export const debugLogger = { warn() {}, log() {}, debug() {}, error() {} };',
};

/** Path of a bundle that exports its `LoopDetectionService`; throws if the package cannot be fetched. */
export async function buildPeer() {
  const outfile = join(folder, 'peer.cjs');
  if (existsSync(outfile)) return outfile;
  mkdirSync(folder, { recursive: true });
  const source = join(folder, 'package/dist/src/services/loopDetectionService.js');
  if (!existsSync(source)) {
    // this one package, without its dependencies and its scripts
    const name = execFileSync('npm', ['pack', `${PACKAGE}@${VERSION}`, '--silent', '--ignore-scripts'], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    execFileSync('tar', ['xzf', name.trim()], { cwd: folder });
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  }
  await build({
    entryPoints: [source],
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    outfile,
    logLevel: 'warning',
    plugins: [
      {
        name: 'stand-ins',
        setup(builder) {
          builder.onResolve({ filter: /^\.\.\// }, ({ path }) =>
            path in STANDINS ? { path, namespace: 'standin' } : null,
          );
          builder.onLoad({ filter: /.*/, namespace: 'standin' }, ({ path }) => ({ contents: STANDINS[path] }));
        },
      },
    ],
  });
  return outfile;
}
