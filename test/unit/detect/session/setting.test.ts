import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cardOf } from '../../../../src/core/rules';
import { presetOptions } from '../../../../src/core/rules/options';
import { schemaProblem } from '../../../../src/base/schema/json-schema';
import { optionProblems } from '../../../../src/detect/session/options';
import { AGENT_IDS, DETECTOR_IDS } from '../../../../src/core/model';

const root = resolve(__dirname, '../../../..');
const manifest = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8')) as {
  contributes: { configuration: { properties: Record<string, Record<string, unknown>> }[] };
};
const schema = manifest.contributes.configuration.find(({ properties }) => 'unstuck.detectors' in properties)
  ?.properties['unstuck.detectors'] as {
  readonly propertyNames: { readonly enum: readonly string[] };
  readonly additionalProperties: { readonly propertyNames: { readonly enum: readonly string[] } };
};

describe('the setting unstuck.detectors', () => {
  test('knows every detector, every number that one has, and every agent', () => {
    // what only names the finds of another rule has no settings of its own
    const settable = DETECTOR_IDS.filter((id) => cardOf(id).foundBy === undefined);
    expect(schema.propertyNames.enum).toEqual([...settable, 'agents']);
    const numbers = settable.flatMap((id) => Object.keys(presetOptions(id, 'balanced').extra));
    expect(schema.additionalProperties.propertyNames.enum).toEqual([
      ...new Set(['on', 'warn', 'stuck', 'window', ...numbers]),
    ]);
    expect(schema).toMatchObject({ properties: { agents: { propertyNames: { enum: AGENT_IDS } } } });
  });

  test.each([
    [{ repeating_outcome: { warn: 4, stuck: 6, window: 30 } }, true],
    [{ cycle: false, stall: { tool: 30 } }, true],
    [{ agents: { codex: { repeating_action: { stuck: 6 }, stall: false } } }, true],
    [{ max_runtime: { calls: 0, cost: 2.5 } }, true],
    [{ repeating_outcome: { stuk: 6 } }, false],
    [{ no_such_detector: true }, false],
    [{ cycle: 3 }, false],
  ])('%j: %s, by the schema and by what the program takes', (settings, isRight) => {
    expect(schemaProblem(settings, schema) === null).toBe(isRight);
    expect(optionProblems(settings).length === 0).toBe(isRight);
  });

  test('the schema has one shape for all detectors; the program says which of them lacks a number', () => {
    const settings = { stall: { stuck: 5 } };
    expect(schemaProblem(settings, schema)).toBeNull();
    expect(optionProblems(settings)).toEqual(['stall.stuck: no such option']);
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
