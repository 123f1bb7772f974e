// The cost of a whole process.
import { execFile } from 'node:child_process';

/** The program that reports what another one used. */
export const TIME = '/usr/bin/time';

/** Wall and processor time in seconds, peak memory in MB, and the length of its output. */
export function measured(command, env = {}) {
  return new Promise((resolve, reject) => {
    const options = { env: { ...process.env, ...env }, maxBuffer: 1 << 26 };
    execFile(TIME, ['-f', 'TIMES %e %U %S %M', ...command], options, (error, output, errors) => {
      const times = /TIMES ([\d.]+) ([\d.]+) ([\d.]+) (\d+)/.exec(errors);
      if (error || !times) return reject(new Error(`${command[0]}: ${errors || (error?.message ?? 'no times')}`));
      const [wall, user, system, memory] = times.slice(1).map(Number);
      resolve({ wall, cpu: user + system, rss: memory / 1024, output: output.length });
    });
  });
}
