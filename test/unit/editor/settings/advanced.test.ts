import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

interface Section {
  readonly title: string;
  readonly order: number;
  readonly properties: Readonly<Record<string, { readonly order?: number; readonly tags?: readonly string[] }>>;
}

const { contributes } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly contributes: { readonly configuration: readonly Section[] };
};
const inOrder = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('the settings', () => {
  it('are at most 18 besides those that hardly anybody changes', () => {
    const all = contributes.configuration.flatMap(({ properties }) => Object.values(properties));
    expect(all.filter(({ tags }) => !tags?.includes('advanced')).length).toBeLessThanOrEqual(18);
  });

  it('stand in sections that are numbered as they are listed', () => {
    expect(contributes.configuration.map(({ order }) => order)).toEqual(inOrder(contributes.configuration.length));
  });

  // Without a number VS Code sorts by name, and what is needed first stands anywhere.
  it.each(contributes.configuration)('of $title are numbered as they are listed', ({ properties }) => {
    const orders = Object.values(properties).map(({ order }) => order);
    expect(orders).toEqual(inOrder(orders.length));
  });
});
