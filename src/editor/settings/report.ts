import { ignoredSettings } from '../../core/words';
import type { Log } from '../../base/util/log';
import type { Settings } from './settings';

/**
 * Logs which settings do not apply: once, not at each change of another setting.
 * @param problemsOf returns what is wrong with the settings of rules
 */
export function settingsReport(
  log: Log,
  problemsOf: (settings: Pick<Settings, 'detectors' | 'budgets'>) => readonly string[],
): (settings: Settings) => void {
  let said = '';
  let known: readonly string[] = [];
  return ({ detectors, budgets, ignored }) => {
    const problems = problemsOf({ detectors, budgets });
    for (const problem of problems) if (!known.includes(problem)) log.warn(`left out: unstuck.${problem}`);
    known = problems;
    const names = ignored.join(', ');
    if (names !== '' && names !== said) log.warn(ignoredSettings(names));
    said = names;
  };
}
