import type { Spills } from '../../history';
import type { Disposable } from '../../base/util/disposable';
import type { EarlierSessions } from './history';

/** Older transcripts are read for the history only after the live ones had their time. */
const EARLIER_AFTER_MS = 5_000;
/** Saved results live for a day; older ones are looked for this often. */
const CLEAN_EVERY_MS = 60 * 60_000;

/** Work that waits until the live sessions are read: earlier sessions, and saved results that are too old. */
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
