import { setTimeout as pause } from 'node:timers/promises';
import { type GateFile, readGateFile } from '../gate-file';

/** Between two looks, milliseconds. */
const LOOK_AGAIN = 150;
/** Time for an armed gate to begin: the window reads the claim in the transcript a moment after the hook was called. */
const BEGINS_WITHIN = 5_000;
/** An older verdict may be about to be replaced: the last edit and the claim are still being read. */
const ANSWERS_WITHIN = 1_500;
/** A verdict that is older than this when the hook is called is about an earlier claim. */
const FRESH = 2_000;

export interface GateWait {
  readonly root: string;
  readonly session: string;
  /** When the hook was called, milliseconds since the epoch. */
  readonly calledAt: number;
  readonly now: () => number;
  readonly isAlive: (pid: number) => boolean;
  readonly pause?: (milliseconds: number) => Promise<unknown>;
}

/** `verdict`: look into the inbox, there may be feedback. All others: the agent may end. */
export type GateWaited = 'no_gates' | 'verdict' | 'no_verdict' | 'gone' | 'too_late';

/**
 * Waits for the verdict of the quality gates on the claim that the agent just made. It ends by itself at the time in the file,
 * and at once where no window publishes verdicts.
 */
export async function waitForGates(wait: GateWait): Promise<GateWaited> {
  const { calledAt, now, isAlive, pause: sleep = pause } = wait;
  for (;;) {
    const file = await readGateFile(wait.root, wait.session);
    if (!file) return 'no_gates';
    const waited = now() - calledAt;
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
