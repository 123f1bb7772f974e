import type { LivenessProbe } from '../transcripts';

/**
 * Returns whether a process may belong to this program. Process ids are reused: where the command line of a process can be read (Linux), it must name
 * the program.
 */
export function mayRun(program: RegExp, pid: number, probe: Pick<LivenessProbe, 'read'>): boolean {
  const command = probe.read(`/proc/${pid}/cmdline`);
  return command === undefined || command === '' || program.test(command);
}
