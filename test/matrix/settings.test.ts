import { describe, expect, it } from 'vitest';
import { DETECTOR_IDS, type DetectorId } from '../../src/core/model';
import { cardOf } from '../../src/core/rules';
import { namesOf } from '../../src/core/rules/options';
import { parseSettings } from '../../src/cli/thresholds';
import { withRule } from '../../src/editor/rules/change-rule';
import { Tale } from '../golden/tale';
import { SCENES } from '../golden/scenes';
import { reportsOf } from '../golden/reports';
import { draw } from '../stories/drawing';
import { BASES, type Base, type Said, plainCell, saidOf } from './cells';

type Settings = { readonly agents?: { readonly generic?: object } };

/** Far above what any run here counts; a hundred for percentages. */
const RAISED = (id: DetectorId): Record<string, number> =>
  Object.fromEntries(namesOf(id).map((name) => [name, cardOf(id).unit === 'percent' ? 100 : 1e8]));

const fromClicks = (id: DetectorId, click: 'off' | 'less', times: number): object => {
  let detectors: Readonly<Record<string, unknown>> = {};
  for (let time = 0; time < times; time++)
    detectors = withRule({ agent: 'generic', preset: 'balanced', detectors }, id, click);
  return detectors;
};

const fromCommandLine = (pairs: readonly string[]): object => parseSettings('scan', pairs).detectors;

/** The ways in which a person says that a rule must not report here. */
const SILENCED: Readonly<Record<string, (id: DetectorId) => Settings>> = {
  'off in the settings': (id) => ({ [id]: 'off' }),
  'off for this kind of agent': (id) => ({ agents: { generic: { [id]: 'off' } } }),
  'off on the command line': (id) => fromCommandLine([`${id}=off`]),
  'turned off by a click': (id) => fromClicks(id, 'off', 1),
  'raised in the settings': (id) => ({ [id]: RAISED(id) }),
  'raised for this kind of agent': (id) => ({ agents: { generic: { [id]: RAISED(id) } } }),
  'raised on the command line': (id) =>
    fromCommandLine(Object.entries(RAISED(id)).map(([name, value]) => `${id}.${name}=${value}`)),
  'less sensitive, clicked until it ends': (id) => fromClicks(id, 'less', 30),
};

const RAISED_WAYS = /^(?:raised|less)/;
/** Bases where another rule reports once a rule is raised: steps that its streak passes over. */
const LEFT_OVER = new Map([['edits refused in turn', 'repeating_outcome: the file is read again before each edit']]);
/** Clicks cannot raise a rule of percentages beyond the values of *patient*: nothing is above a hundred. */
const canBeClickedAway = (id: DetectorId): boolean => cardOf(id).unit !== 'percent';

/** The settings of several rules, merged. */
function joined(some: Settings, more: Settings): Settings {
  const generic = { ...some.agents?.generic, ...more.agents?.generic };
  return { ...some, ...more, ...(Object.keys(generic).length > 0 && { agents: { generic } }) };
}

const detectorOf = ({ detector }: Said): DetectorId => {
  const id = detector.split('/')[0] as DetectorId;
  return cardOf(id).foundBy ?? id;
};

describe.each(BASES.filter(({ found }) => found).map((base) => [base.name, base] as const))(
  '%s',
  (_name, base: Base) => {
    const cell = plainCell(base);
    const said = (detectors: object) => saidOf(cell, { preset: 'balanced', detectors });

    it.each(Object.entries(SILENCED))('is not reported, by this rule or another: %s', async (way, silenced) => {
      let detectors: Settings = {};
      const before = await said({});
      for (const one of before) detectors = joined(detectors, silenced(detectorOf(one)));
      for (const one of (await said(detectors)).map(detectorOf)) {
        // Rules of context add to the alarm about the same steps, and still report where the rule for those steps is silenced.
        if (cardOf(one).ofContext) detectors = joined(detectors, silenced(one));
      }
      expect(before.length).toBeGreaterThan(0);
      const left = RAISED_WAYS.test(way) ? LEFT_OVER.get(base.name) : undefined;
      expect((await said(detectors)).map(({ detector }) => detector)).toEqual(left ? [left.split(':')[0]] : []);
    });

    it('is reported no later with eager limits and no sooner with patient ones, whether set or from the preset', async () => {
      const id = detectorOf((await said({}))[0]!);
      const round = async (detectors: object) =>
        (await said(detectors)).find((one) => detectorOf(one) === id)?.warnRound ?? Number.POSITIVE_INFINITY;
      const plain = await round({});
      const [eager, balanced, patient] = [
        await round({ [id]: 'eager' }),
        await round({ [id]: 'balanced' }),
        await round({ [id]: 'patient' }),
      ];
      expect(balanced).toBe(plain);
      expect(eager).toBeLessThanOrEqual(plain);
      expect(patient).toBeGreaterThanOrEqual(plain);
    });
  },
);

/** The golden runs of each rule. */
const OTHERS = Object.entries(SCENES).flatMap(([rule, { detectors, scenes }]) => {
  const id = DETECTOR_IDS.find((one) => one === rule && detectors.includes(one));
  return id === undefined
    ? []
    : [{ id, detectors, scenes: Object.values(scenes).filter((one) => !one.budgets && !one.at) }];
});

describe.each(OTHERS)('the runs of $id', ({ id, detectors, scenes }) => {
  const times = (settings: object): number =>
    scenes.reduce((sum, scene) => {
      const events = typeof scene.run === 'string' ? draw(scene.run) : scene.run(new Tale()).events;
      const text = reportsOf(events, detectors, {
        ...scene,
        settings: { ...scene.settings, ...settings },
        brief: true,
      });
      return sum + [...text.matchAll(new RegExp(`^ *\\d+ (?:warn|stuck) ${id}\\b`, 'gm'))].length;
    }, 0);

  const ways = Object.entries(SILENCED).filter(([way]) => !way.startsWith('less') || canBeClickedAway(id));
  it.each(ways)('are not reported: %s', (_way, silenced) => {
    expect(times({})).toBeGreaterThan(0);
    expect(times(silenced(id))).toBe(0);
  });
});
