/** Programs that start the server with less than this process may do. They need root and user namespaces. */
import { spawnSync } from 'node:child_process';

/** Root by its number only: permissions of files hold for it. */
export const WITHOUT_CAPABILITIES = [
  'unshare',
  '--user',
  '--map-root-user',
  'setpriv',
  '--bounding-set=-all',
  '--inh-caps=-all',
];

/** At most so many folders and files may be watched. */
export const withWatches = (/** @type {number} */ most) => [
  'unshare',
  '--user',
  '--map-root-user',
  'sh',
  '-c',
  `echo ${most} > /proc/sys/user/max_inotify_watches && exec "$@"`,
  'sh',
];

export const mayLimit =
  process.getuid?.() === 0 &&
  [WITHOUT_CAPABILITIES, withWatches(100)].every(
    ([program = '', ...args]) => spawnSync(program, [...args, 'true']).status === 0,
  );
