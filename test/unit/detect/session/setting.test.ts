import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cardOf } from '../../../../src/core/rules';
import { namesOf } from '../../../../src/core/rules/options';
import { schemaProblem } from '../../../../src/base/schema/json-schema';
import { optionProblems } from '../../../../src/detect/session/options';
import { AGENT_IDS, DETECTOR_IDS, PRESETS } from '../../../../src/core/model';

const root = resolve(__dirname, '../../../..');
const manifest = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8')) as {
  contributes: { configuration: { properties: Record<string, Record<string, unknown>> }[] };
};
const properties = (name: string) =>
  manifest.contributes.configuration.find((section) => name in section.properties)?.properties[name];
const schema = properties('unstuck.detectors') as { readonly propertyNames: { readonly enum: readonly string[] } };
const budgets = properties('unstuck.budgets');

describe('the setting unstuck.detectors', () => {
  test('knows every detector, every number that one has, and every agent', () => {
    // a rule that only gives a name to findings of another one has no settings of its own
    const settable = DETECTOR_IDS.filter((id) => cardOf(id).foundBy === undefined);
    expect(schema.propertyNames.enum).toEqual([...settable, 'agents']);
    const names = new Set(settable.flatMap(namesOf));
    expect(schema).toMatchObject({
      additionalProperties: { oneOf: [{ enum: ['off', ...PRESETS] }, { propertyNames: { enum: [...names] } }] },
      properties: { agents: { propertyNames: { enum: AGENT_IDS } } },
    });
  });

  test.each([
    [{ repeating_outcome: { warn: 4, stuck: 6, window: 30 } }, true],
    [{ cycle: 'off', stall: { tool: 30 }, text_loop: 'patient' }, true],
    [{ agents: { codex: { repeating_action: { stuck: 6 }, stall: 'off' } } }, true],
    [{ repeating_outcome: { stuk: 6 } }, false],
    [{ repeating_outcome: { stuck: 0 } }, false],
    [{ no_such_detector: 'off' }, false],
    [{ cycle: 3 }, false],
    [{ cycle: false }, false],
    [{ cycle: 'loud' }, false],
  ])('%j: %s, by the schema and by the program', (detectors, isRight) => {
    expect(schemaProblem(detectors, schema) === null).toBe(isRight);
    expect(optionProblems({ detectors }).length === 0).toBe(isRight);
  });

  test('the schema has one shape for all detectors; the program says which of them lacks a number', () => {
    const detectors = { stall: { stuck: 5 } };
    expect(schemaProblem(detectors, schema)).toBeNull();
    expect(optionProblems({ detectors })).toEqual(['detectors.stall.stuck: no such option; it has model, tool, build']);
  });
});

test.each([
  [{ hours: 4, calls: 500, tokens: 1e6, cost: 2.5 }, true],
  [{}, true],
  [{ hours: 0 }, false],
  [{ days: 1 }, false],
  [{ cost: '2' }, false],
])('unstuck.budgets, %j: %s, by the schema and by the program', (given, isRight) => {
  expect(schemaProblem(given, budgets ?? {}) === null).toBe(isRight);
  expect(optionProblems({ detectors: {}, budgets: given }).length === 0).toBe(isRight);
});
