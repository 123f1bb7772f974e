import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DETECTOR_IDS, type AgentEvent, type DetectorId } from '../../src/core/model';
import { namesOf, presetOptions } from '../../src/core/rules/options';
import { draw } from '../stories/drawing';
import { SCENES } from './scenes';
import type { Scene } from './scenes/scene';
import { Tale } from './tale';
import { reportsOf, reportsAcross } from './reports';

/**
 * The alerts of each rule for made-up runs, word by word, with everything an incident shows of them, what ended them, and how near a rule came.
 * `alerts/RULE.txt` holds it: read the difference before you commit it.
 */
const fileOf = (rule: string): string => join(__dirname, 'alerts', `${rule}.txt`);
const UPDATES = process.env['UPDATE_GOLDEN'] !== undefined;

const eventsOf = ({ run }: Scene): readonly AgentEvent[] =>
  typeof run === 'string' ? draw(run) : run(new Tale()).events;

/** Settings with every number of every rule halved. */
const HALVED = Object.fromEntries(
  DETECTOR_IDS.map((id) => {
    const { warn, stuck, window, numbers } = presetOptions(id, 'balanced');
    const now: Readonly<Record<string, number>> = { warn, model: warn, turn: warn, stuck, window, ...numbers };
    return [id, Object.fromEntries(namesOf(id).map((name) => [name, Math.ceil((now[name] ?? 0) / 2)]))];
  }),
);
/** The runs of a rule, and the same runs in brief with other numbers, so that the effect of each number of a rule shows. */
const FILES = Object.entries(SCENES).flatMap(([rule, { detectors, scenes }]) => [
  { rule, detectors, scenes },
  ...(rule === 'mixed'
    ? []
    : [
        {
          rule: `${rule}.halved`,
          detectors,
          scenes: Object.fromEntries(
            Object.entries(scenes).map(([title, scene]) => [title, { ...scene, settings: HALVED, brief: true }]),
          ),
        },
      ]),
]);

function textOf(detectors: readonly DetectorId[], scene: Scene): string {
  return detectors.length === 0 ? reportsAcross(eventsOf(scene), scene) : reportsOf(eventsOf(scene), detectors, scene);
}

/** The parts of a file by their titles. */
function partsOf(rule: string): ReadonlyMap<string, string> {
  const file = fileOf(rule);
  if (!existsSync(file)) return new Map();
  return new Map(
    readFileSync(file, 'utf8')
      .split(/^## /m)
      .slice(1)
      .map((part) => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n') + 2)]),
  );
}

describe.each(FILES)('$rule', ({ rule, detectors, scenes }) => {
  const kept = partsOf(rule);

  test.skipIf(UPDATES).each(Object.entries<Scene>(scenes))('%s', (title, scene) => {
    expect(`${textOf(detectors, scene)}\n`.trimEnd()).toBe(kept.get(title)?.trimEnd());
  });

  test('reports the same as before for each run, and has no other runs', () => {
    if (UPDATES) {
      mkdirSync(dirname(fileOf(rule)), { recursive: true });
      const parts = Object.entries<Scene>(scenes).map(([title, scene]) => `## ${title}\n\n${textOf(detectors, scene)}`);
      writeFileSync(fileOf(rule), parts.join('\n'));
    } else expect([...kept.keys()], 'npm run golden').toEqual(Object.keys(scenes));
  });
});
