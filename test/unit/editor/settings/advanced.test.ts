import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

interface Section {
  readonly properties: Readonly<Record<string, { readonly tags?: readonly string[] }>>;
}

const { contributes } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly contributes: { readonly configuration: readonly Section[] };
};

describe('the settings', () => {
  it('are at most 18, not counting those that hardly anyone changes', () => {
    const all = contributes.configuration.flatMap(({ properties }) => Object.values(properties));
    expect(all.filter(({ tags }) => !tags?.includes('advanced')).length).toBeLessThanOrEqual(18);
  });
});
