import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { descriptors, registry } from '../../../src/agents/registry';
import { AGENT_IDS } from '../../../src/core/model';

const root = join(__dirname, '../../..');

// test/unit/core/rules/generated.test.ts compares all generated files with the existing ones.
describe('text generated from the descriptors of the agents', () => {
  it('has one descriptor for each agent, with the id of its adapters', () => {
    expect(descriptors.map(({ id }) => id)).toEqual([...AGENT_IDS]);
    expect(new Set(registry.map(({ id }) => id))).toEqual(new Set(AGENT_IDS));
  });

  it('names every agent in each setting that takes agents', () => {
    const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      contributes: { configuration: readonly { properties: Record<string, unknown> }[] };
    };
    const settings: Record<string, unknown> = {};
    for (const { properties } of manifest.contributes.configuration) Object.assign(settings, properties);
    const ids = [...AGENT_IDS];
    expect(settings).toMatchObject({
      'unstuck.agents.disabled': { items: { enum: ids } },
      'unstuck.recovery.models': { propertyNames: { enum: ids } },
      'unstuck.launch': { propertyNames: { enum: ids } },
      'unstuck.detectors': { properties: { agents: { propertyNames: { enum: ids } } } },
    });
  });
});
