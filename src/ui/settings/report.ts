import { ignoredSettings } from '../../words';
import type { Log } from '../../util/log';
import type { Settings } from './settings';

/**
 * Writes into the log what of the settings does not apply. Settings of a folder that nobody trusts are named once, not at each change.
 * @param problemsOf what is wrong with `unstuck.detectors`
 */
export function settingsReport(
  log: Log,
  problemsOf: (detectors: unknown) => readonly string[],
): (settings: Settings) => void {
  let said = '';
  return ({ detectors, ignored }) => {
    for (const problem of problemsOf(detectors)) log.warn(`unstuck.detectors, left out: ${problem}`);
    const names = ignored.join(', ');
    if (names !== '' && names !== said) log.warn(ignoredSettings(names));
    said = names;
  };
}
