import type { Spills } from '../../history';
import type { Disposable } from '../../base/util/disposable';
import type { EarlierSessions } from './history';

/** Delay before older transcripts are read for the history, so that the live ones come first. */
const EARLIER_AFTER_MS = 5_000;
/** Interval at which old saved results are looked for. They are kept for a day. */
const CLEAN_EVERY_MS = 60 * 60_000;

/** Starts the work that waits until the live sessions are read: reading earlier sessions, and removing saved results that are too old. */
export function startIdleWork(earlier: Pick<EarlierSessions, 'run'>, spills: Pick<Spills, 'clean'>): Disposable {
  const idle = setTimeout(() => {
    void earlier.run();
    void spills.clean();
  }, EARLIER_AFTER_MS);
  const cleaning = setInterval(() => void spills.clean(), CLEAN_EVERY_MS);
  return {
    dispose: () => {
      clearTimeout(idle);
      clearInterval(cleaning);
    },
  };
}
