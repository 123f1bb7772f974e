import { dirname } from 'node:path';
import { claudeHookForm } from './claude-code/bridge-hook';
import { clineHookForm } from './cline/bridge-hook';
import { codexHookForm } from './codex/bridge-hook';
import { copilotHookForm } from './copilot/bridge-hook';
import { crushHookForm } from './crush/bridge-hook';
import { cursorHookForm } from './cursor/bridge-hook';
import { droidHookForm } from './droid/bridge-hook';
import { geminiHookForm } from './gemini/bridge-hook';
import { grokHookForm } from './grok-build/bridge-hook';
import { kimiHookForm } from './kimi/bridge-hook';
import { qwenHookForm } from './qwen/bridge-hook';
import { vscodeChatHookForm } from './vscode-chat/bridge-hook';
import { readPartNow } from '../base/files';
import { type HookAnswer, type HookForm, SILENT } from './inbox/hook/hook-form';
import { logHook } from './inbox/hook/hook-log';
import { runHook } from './inbox/hook/hook-run';

/** Milliseconds to wait for the agent to say what happened. The agent itself allows us 5 s. */
const READ_WITHIN = 2_000;

const FORMS: readonly HookForm[] = [
  claudeHookForm,
  codexHookForm,
  geminiHookForm,
  copilotHookForm,
  qwenHookForm,
  clineHookForm,
  droidHookForm(readTail),
  grokHookForm,
  kimiHookForm,
  crushHookForm,
  cursorHookForm,
  vscodeChatHookForm(readTail),
];

/** Bytes of a transcript in which running sub-agents are looked for. */
const TAIL = 1024 * 1024;

function readTail(path: string): string | null {
  const size = readPartNow(path, { from: 0, length: 1 });
  if (!size.ok) return null;
  const read = readPartNow(path, { from: Math.max(0, size.value.size - TAIL), length: TAIL });
  return read.ok ? read.value.bytes.toString('utf8') : null;
}

const folder = dirname(process.argv[1] ?? '');
const [agent = '', event = ''] = process.argv.slice(2);

const log = (line: string): void => logHook(folder, Date.now(), `${agent} ${event}: ${line}`);

/** Reads all of standard input; null if it does not end in time. */
async function readInput(): Promise<string | null> {
  const parts: Buffer[] = [];
  const late = setTimeout(() => process.stdin.destroy(new Error('late')), READ_WITHIN);
  try {
    for await (const part of process.stdin) parts.push(part as Buffer);
    return Buffer.concat(parts).toString('utf8');
  } catch {
    return null;
  } finally {
    clearTimeout(late);
  }
}

async function answer(): Promise<HookAnswer> {
  const form = FORMS.find((one) => one.agent === agent);
  const payload = await readInput();
  if (!form || payload === null) {
    log(form ? 'the payload did not end in time' : 'this agent is not known');
    return SILENT;
  }
  return runHook({ form, event, payload, env: process.env, hookFolder: folder, now: Date.now(), log });
}

/** Writes the whole answer and exits. An agent that no longer listens is not an error. */
function answerAndExit(given: HookAnswer): void {
  const ignore = (): void => undefined;
  process.stdout.on('error', ignore);
  process.stderr.on('error', ignore);
  process.exitCode = given.exitCode;
  const end = (): void => {
    if (given.stderr === '') process.exit();
    else process.stderr.write(given.stderr, () => process.exit());
  };
  if (given.stdout === '') end();
  else process.stdout.write(given.stdout, end);
}

answer().then(answerAndExit, (error: unknown) => {
  log(error instanceof Error ? `${error.name}: ${error.message}` : 'failed');
  answerAndExit(SILENT);
});
