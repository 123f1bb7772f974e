import { expect, test } from 'vitest';
import { resolveOptions } from '../../src/detect/session/options';
import { DETECTORS } from '../../src/detect/rules';
import { createSessionDetectors } from '../../src/detect/session/session-detectors';
import type { DetectorId, Finding, Preset } from '../../src/core/model';
import { draw } from './drawing';

/** Detectors that count steps; the others have stories of their own. */
const ACTION_FAMILY: readonly DetectorId[] = [
  'repeating_action',
  'repeating_outcome',
  'action_error_alternation',
  'cycle',
  'consecutive_failures',
];

export interface StoryOptions {
  readonly preset?: Preset;
  readonly detectors?: readonly DetectorId[];
}

/**
 * Returns the reports of the detectors for a drawn run, one line each: how many steps there had been, then `warn detector`, `stuck detector`, `back
 * detector` (reopened), `clear reason`. A rule follows a slash.
 */
export function reportsOf(
  drawing: string,
  { preset = 'balanced', detectors = ACTION_FAMILY }: StoryOptions = {},
): string[] {
  const lines: string[] = [];
  const known = new Map<string, { level: string; name: string; open: boolean }>();
  let steps = 0;
  const say = (what: string): void => void lines.push(`${steps} ${what}`);
  const nameOf = (finding: Finding): string =>
    finding.rule ? `${finding.detector}/${finding.rule}` : finding.detector;
  const session = createSessionDetectors(
    { agent: 'generic', showsRunningTool: true, options: resolveOptions({ preset, detectors: {} }) },
    {
      finding(finding) {
        const before = known.get(finding.key);
        const name = nameOf(finding);
        if (before && !before.open) say(`back ${name}`);
        else if (before?.level !== finding.level || before.name !== name) say(`${finding.level} ${name}`);
        known.set(finding.key, { level: finding.level, name, open: true });
      },
      clearing(clearing) {
        const before = known.get(clearing.key);
        if (before) before.open = false;
        say(`clear ${clearing.reason}`);
      },
      nearMiss() {},
      step: () => void steps++,
    },
    DETECTORS.filter(({ id }) => detectors.includes(id)),
  );
  for (const event of draw(drawing)) {
    for (let due = session.deadline(); due <= event.at; due = session.deadline()) {
      session.tick(due);
      if (session.deadline() <= due) break;
    }
    session.push(event);
  }
  return lines;
}

/** Checks what the detectors report for a drawn run, line by line. No lines: they report nothing. */
export function story(title: string, drawing: string, expected: string, options: StoryOptions = {}): void {
  test(title, () => {
    expect(reportsOf(drawing, options), drawing).toEqual(
      expected
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== ''),
    );
  });
}
