import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { CommandParts } from '../../../../src/editor/commands/parts';
import { searchIncidents } from '../../../../src/editor/commands/search-incidents';
import type { IncidentNarrowing } from '../../../../src/editor/trees/incident-groups';
import { editor, resetEditor } from '../support/vscode';

vi.mock('vscode', () => import('../support/vscode'));
beforeEach(resetEditor);

const BEFORE: IncidentNarrowing = { text: 'pytest', chips: [{ kind: 'agent', value: 'codex' }] };

async function stage() {
  const facets = {
    level: [{ value: 'stuck', count: 4 }],
    ending: [],
    detector: [],
    folder: [{ value: '/work/shop', count: 3 }],
    agent: [],
  };
  const narrowings: IncidentNarrowing[] = [];
  const parts = {
    services: { store: { facets: () => Promise.resolve(facets) }, agentNames: new Map([['codex', 'Codex CLI']]) },
    incidents: { narrowing: BEFORE, narrow: (one: IncidentNarrowing) => void narrowings.push(one) },
  } as unknown as CommandParts;
  const done = searchIncidents(parts);
  await vi.waitUntil(() => editor.boxes.length === 1);
  const [box] = editor.boxes;
  if (!box) throw new Error('no box');
  return { box, narrowings, done };
}

describe('Search Incidents', () => {
  it('starts with the filter of the list, and can untick a value that nothing matches any more', async () => {
    const { box } = await stage();
    expect(box.value).toBe('pytest');
    expect(box.items.filter(({ picked }) => picked).map(({ label }) => label)).toEqual(['Codex CLI']);
    expect(box.selectedItems.map(({ label }) => label)).toEqual(['Codex CLI']);
  });

  it('names a folder by its name, followed by its path', async () => {
    const { box } = await stage();
    expect(box.items.find(({ label }) => label === 'shop')).toMatchObject({ description: '3 · /work/shop' });
  });

  it('narrows the list on each key and tick, and keeps the filter on Enter', async () => {
    const { box, narrowings, done } = await stage();
    box.type('pytest -q ');
    expect(narrowings).toEqual([{ ...BEFORE, text: 'pytest -q' }]);
    const [first = ''] = box.items.map(({ label }) => label).filter((label) => /stuck/i.test(label));
    box.tick(first);
    expect(narrowings.at(-1)).toEqual({ text: 'pytest -q', chips: [{ kind: 'level', value: 'stuck' }] });
    box.press('Enter');
    await done;
    expect(narrowings).toHaveLength(2);
  });

  it('restores on Escape what the list showed before', async () => {
    const { box, narrowings, done } = await stage();
    box.type('x');
    box.press('Escape');
    await done;
    expect(narrowings.at(-1)).toEqual(BEFORE);
  });
});
