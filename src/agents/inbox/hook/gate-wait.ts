import { setTimeout as pause } from 'node:timers/promises';
import { isFolderArmed } from '../armed-folder';
import { type GateFile, readGateFile } from '../gate-file';

/** Interval between two checks, in milliseconds. */
const LOOK_AGAIN = 150;
/** Milliseconds in which a window that judges the folder can notice a session that has just begun, and its first edit. */
const APPEARS_WITHIN = 2_000;
/** Milliseconds in which an armed gate can begin: the window reads the claim in the transcript a moment after the hook was called. */
const BEGINS_WITHIN = 5_000;
/** Milliseconds in which an older verdict may be replaced: the last edit and the claim are still being read. */
const ANSWERS_WITHIN = 1_500;
/** A verdict that is this many milliseconds older than the hook's call is about an earlier claim. */
const FRESH = 2_000;

export interface GateWait {
  readonly root: string;
  readonly session: string;
  /** Time of the hook's call, in milliseconds since the epoch. */
  readonly calledAt: number;
  readonly now: () => number;
  readonly isAlive: (pid: number) => boolean;
  /** Called once, if a claim would be judged. */
  readonly onArmed?: (file: GateFile) => Promise<void>;
  readonly pause?: (milliseconds: number) => Promise<unknown>;
}

/** `verdict`: check the inbox, as there may be feedback. All others: the agent may end. */
export type GateWaited = 'no_gates' | 'verdict' | 'no_verdict' | 'gone' | 'too_late';

/**
 * Waits for the verdict of the quality gates on the claim that the agent just made. The wait ends on its own at the time in the file, and at once if
 * no window publishes verdicts.
 */
export async function waitForGates(wait: GateWait): Promise<GateWaited> {
  const { root, calledAt, now, isAlive, pause: sleep = pause } = wait;
  let isReported = false;
  for (;;) {
    const file = await readGateFile(root, wait.session);
    const waited = now() - calledAt;
    if (!file) {
      if (waited >= APPEARS_WITHIN || !(await isFolderArmed(root, isAlive))) return 'no_gates';
      await sleep(LOOK_AGAIN);
      continue;
    }
    if (file.state === 'armed' && !isReported) {
      isReported = true;
      await wait.onArmed?.(file);
    }
    const step = stepOf(file, waited, calledAt, now());
    if (step !== 'wait') return step;
    if (!isAlive(file.pid)) return 'gone';
    await sleep(LOOK_AGAIN);
  }
}

function stepOf(file: GateFile, waited: number, calledAt: number, now: number): GateWaited | 'wait' {
  if (waited >= file.wait) return 'too_late';
  switch (file.state) {
    case 'armed':
      return waited >= BEGINS_WITHIN ? 'no_verdict' : 'wait';
    case 'running':
      return now >= file.until ? 'too_late' : 'wait';
    case 'none':
      if (file.at >= calledAt - FRESH) return 'no_verdict';
      return waited >= ANSWERS_WITHIN ? 'no_verdict' : 'wait';
    case 'passed':
    case 'failed':
      if (file.at >= calledAt - FRESH) return 'verdict';
      return waited >= ANSWERS_WITHIN ? 'no_verdict' : 'wait';
  }
}
