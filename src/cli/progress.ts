import { type Output, shortCount } from './output';

export interface ProgressBar {
  at(bytes: number): void;
  clear(): void;
}

const silent: ProgressBar = { at() {}, clear() {} };

/** Shows a progress bar on standard error, only on a terminal and only for work worth one (20 MB and more). */
export function progressBar(output: Output, total: number, quiet: boolean): ProgressBar {
  if (quiet || !output.isTerminal || total < 20e6) return silent;
  let last = -1;
  return {
    at(bytes) {
      const percent = Math.min(100, Math.floor((bytes / total) * 100));
      if (percent === last) return;
      last = percent;
      const filled = Math.round(percent / 4);
      process.stderr.write(
        `\r${'█'.repeat(filled)}${'░'.repeat(25 - filled)} ${percent} % of ${shortCount(total)} bytes`,
      );
    },
    clear() {
      if (last >= 0) process.stderr.write('\r\u001b[K');
      last = -1;
    },
  };
}
