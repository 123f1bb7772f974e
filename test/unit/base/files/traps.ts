import { execFileSync } from 'node:child_process';
import { closeSync, ftruncateSync, mkdirSync, openSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';

/** Things that may be in the place of a file. */
export const TRAPS = ['pipe', 'device', 'socket', 'folder', 'huge'] as const;
export type Trap = (typeof TRAPS)[number];

const HUGE = 1024 * 1024 * 1024;

/** Puts a trap at a path. A socket exists while its server runs. */
export async function layTrap(kind: Trap, path: string): Promise<Server | null> {
  switch (kind) {
    case 'pipe':
      execFileSync('mkfifo', [path]);
      return null;
    case 'device':
      symlinkSync('/dev/zero', path);
      return null;
    case 'folder':
      mkdirSync(path);
      return null;
    case 'socket': {
      const server = createServer();
      await new Promise<void>((resolve) => server.listen(path, resolve));
      return server;
    }
    case 'huge': {
      // Sparse: it takes no room on the disk, but a gigabyte in the memory of its reader.
      const descriptor = openSync(path, 'w');
      ftruncateSync(descriptor, HUGE);
      closeSync(descriptor);
      return null;
    }
  }
}

/** A link to a regular file. */
export function layLink(path: string, folder: string): void {
  const target = join(folder, 'target-of-a-link');
  writeFileSync(target, 'text behind a link');
  symlinkSync(target, path);
}
