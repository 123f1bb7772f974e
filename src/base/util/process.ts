import { errorCode } from './error-code';

/** Does a process with this id run on this machine? It says nothing of which process it is: ids are given out again. */
export function isProcessAlive(pid: number): boolean {
  // 0 and negative numbers would address groups of processes.
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process lives all the same.
    return errorCode(error) === 'EPERM';
  }
}
