import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cardOf } from '../../../../src/rules';
import { presetOptions } from '../../../../src/rules/options';
import { schemaProblem } from '../../../../src/api/json-schema';
import { optionProblems } from '../../../../src/detect/session/options';
import { AGENT_IDS, DETECTOR_IDS } from '../../../../src/model';

const root = resolve(__dirname, '../../../..');
const texts = JSON.parse(readFileSync(resolve(root, 'package.nls.json'), 'utf8')) as Readonly<Record<string, string>>;
const manifest = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8')) as {
  contributes: { configuration: { properties: Record<string, Record<string, unknown>> }[] };
};
const schema = manifest.contributes.configuration.find(({ properties }) => 'unstuck.detectors' in properties)
  ?.properties['unstuck.detectors'] as { readonly properties: Readonly<Record<string, unknown>> };

describe('the setting unstuck.detectors', () => {
  test('knows every detector with all its numbers, and every agent', () => {
    const { agents, ...detectors } = schema.properties as unknown as Record<
      string,
      { properties: Record<string, unknown> }
    >;
    // what only names the finds of another rule has no settings of its own
    const settable = DETECTOR_IDS.filter((id) => cardOf(id).foundBy === undefined);
    expect(Object.keys(detectors)).toEqual(settable);
    expect(agents).toMatchObject({
      propertyNames: { enum: AGENT_IDS },
      additionalProperties: { propertyNames: { enum: settable } },
    });
    for (const id of settable) {
      const { stuck, extra } = presetOptions(id, 'balanced');
      const names = ['on', 'warn', ...(Number.isFinite(stuck) ? ['stuck'] : []), 'window', ...Object.keys(extra)];
      expect(Object.keys(detectors[id]?.properties ?? {})).toEqual(names);
      for (const option of Object.values(detectors[id]?.properties ?? {}))
        expect(texts[(option as { description: string }).description.slice(1, -1)]).toMatch(
          /^\S.* Default [^.]+\.$|^Default [^.]+\.$/,
        );
    }
  });

  test.each([
    [{ repeating_outcome: { warn: 4, stuck: 6, window: 30 } }, true],
    [{ cycle: false, stall: { tool: 30 } }, true],
    [{ agents: { codex: { repeating_action: { stuck: 6 }, stall: false } } }, true],
    [{ max_runtime: { calls: 0, cost: 2.5 } }, true],
    [{ repeating_outcome: { stuk: 6 } }, false],
    [{ no_such_detector: true }, false],
    [{ cycle: 3 }, false],
    [{ stall: { stuck: 5 } }, false],
  ])('%j: %s, by the schema and by what the program takes', (settings, isRight) => {
    expect(schemaProblem(settings, schema) === null).toBe(isRight);
    expect(optionProblems(settings).length === 0).toBe(isRight);
  });

  test('what the program leaves out is said in words', () => {
    const settings = {
      agents: { nobody: { cycle: false }, codex: { cycle: { stuk: 3 }, loops: true } },
      cycle: { warn: 0 },
      stall: { stuck: 5 },
    };
    expect(optionProblems(settings)).toEqual([
      'agents.nobody: no agent has this id',
      'agents.codex.cycle.stuk: no such option',
      'agents.codex.loops: no detector has this id',
      'cycle.warn: not a number above 0',
      'stall.stuck: no such option',
    ]);
  });
});
