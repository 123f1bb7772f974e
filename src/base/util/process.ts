import { errorCode } from './error-code';

/** Returns whether a process with this id runs on this machine. It may be another process: ids are reused. */
export function isProcessAlive(pid: number): boolean {
  // 0 and negative numbers would address groups of processes.
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process is alive, too.
    return errorCode(error) === 'EPERM';
  }
}
