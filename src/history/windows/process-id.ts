import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { isProcessAlive } from '../../base/util/process';

/**
 * Identity of the process that wrote a file. A process id alone means nothing on another machine, in another container, after a restart of the
 * machine, or once the id is used again; so each of these is part of the name.
 */
export interface ProcessIdentity {
  /** 8 hex digits: machine and process id namespace. */
  readonly host: string;
  /** 8 hex digits: this start of the machine; `0` if the system does not report it. */
  readonly boot: string;
  readonly pid: number;
  /** Start of the process, in the system's own unit; `0` if the system does not report it. */
  readonly start: string;
}

/** `unknown`: it ran on another machine or in another container, where process ids cannot be checked. */
type Liveness = 'alive' | 'dead' | 'unknown';

export interface ProcessTable {
  readonly self: ProcessIdentity;
  liveness(process: ProcessIdentity): Liveness;
}

/** Returns the processes of this machine. Reads a few small files of /proc if there are any. */
export function systemProcessTable(): ProcessTable {
  const namespace = attempt(() => readlinkSync('/proc/self/ns/pid')) ?? '';
  const machine = attempt(() => readFileSync('/etc/machine-id', 'utf8').trim()) ?? '';
  const boot = attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
  const self: ProcessIdentity = {
    host: digest([hostname(), machine, namespace].join('\n')),
    boot: boot ? digest(boot) : '0',
    pid: process.pid,
    start: startOf(process.pid),
  };
  return {
    self,
    liveness(other) {
      if (other.host !== self.host) return 'unknown';
      if (other.boot !== self.boot) return 'dead';
      if (!isProcessAlive(other.pid)) return 'dead';
      const start = startOf(other.pid);
      return start !== '0' && other.start !== '0' && start !== other.start ? 'dead' : 'alive';
    },
  };
}

/**
 * Returns field 22 of /proc/<pid>/stat: start time in clock ticks since boot. The second field may contain spaces and brackets. A zombie has ended.
 */
function startOf(pid: number): string {
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  if (!stat) return '0';
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields[0] === 'Z' || fields[0] === 'X') return 'ended';
  return /^\d+$/.test(fields[19] ?? '') ? (fields[19] as string) : '0';
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
