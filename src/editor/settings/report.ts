import { ignoredSettings } from '../../core/words';
import type { Log } from '../../base/util/log';
import type { Settings } from './settings';

/**
 * Writes into the log what of the settings does not apply: once, not at each change of another setting.
 * @param problemsOf what is wrong with `unstuck.detectors`
 */
export function settingsReport(
  log: Log,
  problemsOf: (detectors: unknown) => readonly string[],
): (settings: Settings) => void {
  let said = '';
  let known: readonly string[] = [];
  return ({ detectors, ignored }) => {
    const problems = problemsOf(detectors);
    for (const problem of problems) if (!known.includes(problem)) log.warn(`unstuck.detectors, left out: ${problem}`);
    known = problems;
    const names = ignored.join(', ');
    if (names !== '' && names !== said) log.warn(ignoredSettings(names));
    said = names;
  };
}
