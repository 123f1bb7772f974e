import { lstat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { readPartNow, readTextNow } from '../../../base/files';
import { callerWords } from './caller';
import { reportEnd } from '../end-file';
import { isProcessAlive } from '../../../base/util/process';
import { inboxFolder, prepareInbox, unstuckFolder } from '../folder';
import type { GateFile } from '../gate-file';
import { waitForGates } from './gate-wait';
import { type HookAnswer, type HookForm, type HookRequest, type Look, SILENT } from './hook-form';
import { recordedRoots } from './hook-folder';
import { inboxRoots } from '../root';
import { takeFromAll } from '../messages/take-all';

/**
 * Longest wait for an agent that is not ready, and the interval between two checks, in milliseconds. Shorter than the 5 s that agents give a hook.
 */
const READY_WITHIN = 2_500;
const LOOK_AGAIN = 200;
/** Milliseconds in which an agent that has just become idle can write why: it is checked once more after this time. */
const SETTLES = 600;
/** Largest file, in bytes, in which an agent shows what it does. */
const LARGEST_STATE = 64 * 1024;

export interface HookCall {
  readonly form: HookForm;
  readonly event: string;
  /** The event's JSON, as the agent wrote it. */
  readonly payload: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder of hook.js and `roots`. */
  readonly hookFolder: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly log: (line: string) => void;
}

/**
 * Handles one call of an agent's hook: reads the event, takes the messages that it may deliver, and answers. An unreadable payload delivers nothing:
 * the messages wait for the next call.
 */
export async function runHook(call: HookCall): Promise<HookAnswer> {
  const { form, event, env, hookFolder, now, log } = call;
  let payload: unknown;
  try {
    payload = JSON.parse(call.payload);
  } catch {
    log(`the payload is not valid JSON (${call.payload.length} characters)`);
    return SILENT;
  }
  const request = form.read(event, payload, env, () => callerWords(env));
  if (!request) return SILENT;
  if (!(await becomesReady(request.ready))) return SILENT;
  const recorded = await recordedRoots(hookFolder);
  const roots = new Set(request.folders.flatMap((folder) => inboxRoots(recorded, folder)));
  if (request.ends) await gateVerdict([...roots], request, now, log);

  const { sessions, choose } = request;
  // The gates may have taken minutes.
  const at = request.ends ? Date.now() : now;
  const messages = await takeFromAll({ roots, sessions, now: at, by: `hook:${event}`, choose, log });
  const watch: string[] = [];
  const [session] = sessions;
  if (request.watches && session !== undefined) {
    for (const root of roots) {
      const path = await watchable(root, session, log);
      if (path !== null) watch.push(path);
    }
  }
  return form.answer(event, messages, watch, payload);
}

/** Waits if a window publishes a verdict on this session; only a wait in vain is logged. */
async function gateVerdict(
  roots: readonly string[],
  { sessions, reportsEnd }: HookRequest,
  calledAt: number,
  log: (line: string) => void,
): Promise<void> {
  const session = sessions[0] ?? '';
  for (const root of roots) {
    const onArmed = async ({ at }: GateFile) => {
      if (!reportsEnd) return;
      // The window takes anything older than the file to be about an earlier turn.
      const said = await reportEnd(root, session, Math.max(calledAt, at));
      if (!said.ok) log(`${said.error.code}: ${said.error.message}`);
    };
    const waited = await waitForGates({ root, session, calledAt, now: Date.now, isAlive: isProcessAlive, onArmed });
    if (waited === 'too_late' || waited === 'gone') log(`no verdict of the quality gates: ${waited}`);
  }
}

async function becomesReady(ready: HookRequest['ready']): Promise<boolean> {
  if (!ready) return true;
  for (let waited = 0; ; waited += LOOK_AGAIN) {
    switch (ready(LOOK)) {
      case 'no':
        return false;
      case 'yes':
        if (waited === 0) return true;
        await pause(SETTLES);
        return ready(LOOK) === 'yes';
      case 'not_yet':
        if (waited >= READY_WITHIN) return false;
        await pause(LOOK_AGAIN);
    }
  }
}

const LOOK: Look = {
  small(path) {
    const read = readTextNow(path, { limit: LARGEST_STATE });
    return read.ok ? read.value : null;
  },
  end(path) {
    const read = readPartNow(path, { from: -LARGEST_STATE, length: LARGEST_STATE });
    return read.ok ? read.value.bytes.toString('utf8') : null;
  },
  now: Date.now,
};

/** Returns the wake file of a session, and creates its folder so that it can be watched; null if the workspace folder has no `.unstuck`. */
async function watchable(root: string, session: string, log: (line: string) => void): Promise<string | null> {
  const there = await lstat(unstuckFolder(root)).catch(() => null);
  if (!there?.isDirectory()) return null;
  const folder = inboxFolder(root, session);
  const prepared = await prepareInbox(folder);
  if (prepared.ok) return folder.wake;
  log(`${prepared.error.code}: ${prepared.error.message}`);
  return null;
}
