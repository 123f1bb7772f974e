import { monotonicFactory } from 'ulid';
import { systemClock } from '../../base/clock';
import type { FleetClient, FleetOptions } from '../client/types';
import { Viewer } from '../client/viewer';
import { addressOf, connectOnce } from './connect';
import { viewerLink } from './viewer-link';

const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 10_000;
/** Retry interval for a failure that a person has to fix, milliseconds: the user may have been added again. */
const REFUSED_RETRY_MS = 30_000;

/** Begins to connect a window to a message server, and never throws: problems appear in the client's status. */
export function connectFleet(options: FleetOptions): FleetClient {
  const over = new AbortController();
  const pause = (milliseconds: number) =>
    new Promise<void>((later) => {
      const timer = setTimeout(later, milliseconds);
      over.signal.addEventListener('abort', () => {
        clearTimeout(timer);
        later();
      });
    });
  const viewer = new Viewer({
    clock: systemClock,
    log: options.log,
    newId: monotonicFactory(),
    open: async (onProblem) => {
      const address = addressOf({ ...options, role: 'viewer' });
      if (!address.ok) {
        onProblem(address.error.problem, address.error.detail);
        return null;
      }
      for (let retry = FIRST_RETRY_MS; !over.signal.aborted; retry = Math.min(LONGEST_RETRY_MS, retry * 2)) {
        const connection = await connectOnce(address.value, over.signal);
        if (connection.ok) return await viewerLink(connection.value, address.value.name, options.log);
        const { problem, detail } = connection.error;
        onProblem(problem, detail);
        await pause(problem === 'unreachable' || problem === 'timeout' ? retry : REFUSED_RETRY_MS);
      }
      return null;
    },
  });
  viewer.start();
  const dispose = viewer.dispose.bind(viewer);
  return Object.assign(viewer, {
    dispose: () => {
      over.abort();
      dispose();
    },
  });
}
