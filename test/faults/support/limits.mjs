/** Programs that start the server with fewer rights than this process has. They need root and user namespaces. */
import { spawnSync } from 'node:child_process';

/** Root by its number only: file permissions apply to it. */
export const WITHOUT_CAPABILITIES = [
  'unshare',
  '--user',
  '--map-root-user',
  'setpriv',
  '--bounding-set=-all',
  '--inh-caps=-all',
];

/** Limits the number of folders and files that may be watched. */
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
