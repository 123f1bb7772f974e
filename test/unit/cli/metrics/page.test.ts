import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { METRICS } from '../../../../src/cli/metrics/metrics';
import { AGENT_STATE_KINDS } from '../../../../src/core/model';

const root = join(__dirname, '../../../..');
const page = readFileSync(join(root, 'docs/metrics.md'), 'utf8');
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );

describe('docs/metrics.md', () => {
  it('has each metric with its kind, unit and labels', () => {
    const listed = rows.filter((cells) => cells.length === 5).map((cells) => cells.slice(0, 4));
    expect(listed).toEqual(
      Object.entries(METRICS).map(([name, { kind, unit, labels }]) => [
        `\`${name}\``,
        kind,
        `\`${unit}\``,
        labels.map((label) => `\`${label}\``).join(', '),
      ]),
    );
  });

  it('has each label, and each state', () => {
    const listed = new Map(rows.filter((cells) => cells.length === 2).map(([name = '', what = '']) => [name, what]));
    for (const label of new Set(Object.values(METRICS).flatMap(({ labels }) => [...labels])))
      expect(listed.has(`\`${label}\``), label).toBe(true);
    for (const state of AGENT_STATE_KINDS) expect(listed.get('`unstuck.state`')).toContain(`\`${state}\``);
  });
});

describe('docs/grafana-dashboard.json', () => {
  it('uses only metrics and labels that exist', () => {
    const dashboard = readFileSync(join(root, 'docs/grafana-dashboard.json'), 'utf8');
    const names = Object.entries(METRICS).flatMap(([name, { kind }]) => {
      const base = name.replaceAll('.', '_');
      if (kind === 'histogram') return [`${base}_bucket`, `${base}_sum`, `${base}_count`];
      return [kind === 'counter' ? `${base}_total` : base];
    });
    const labels = Object.values(METRICS).flatMap((metric) => metric.labels.map((label) => label.replaceAll('.', '_')));
    const known = new Set([...names, ...labels]);
    const asked = new Set(dashboard.match(/\b(?:unstuck|gen_ai)_\w+/g));
    expect(asked.size).toBeGreaterThan(10);
    expect([...asked].filter((word) => !known.has(word))).toEqual([]);
    // Each metric has its place on it.
    for (const name of Object.keys(METRICS)) expect(dashboard).toContain(name.replaceAll('.', '_'));
  });
});
