import { basename } from 'node:path';
import * as vscode from 'vscode';
import { DETECTOR_IDS } from '../../core/model';
import type { Facets } from '../../history/types';
import { CHIP_KINDS, LEVEL_NAMES, PERIODS, endingName, ruleName, whole } from '../../core/words';
import type { Chip } from '../trees/incident-groups';
import type { CommandParts } from './parts';
import { type ListRow, searchBox } from '../voice';

interface ChipRow extends ListRow {
  readonly chip?: Chip;
}

const KINDS = ['level', 'outcome', 'rule', 'agent', 'folder', 'time'] as const;
const COUNTED = { level: 'level', outcome: 'ending', rule: 'detector', agent: 'agent', folder: 'folder' } as const;

/**
 * *Search Incidents*: offers one box for words and for chips of all kinds. The list follows each key and each tick. Escape restores what it showed
 * before.
 */
export async function searchIncidents(parts: CommandParts): Promise<void> {
  const { incidents, services } = parts;
  const before = incidents.narrowing;
  await vscode.commands.executeCommand('unstuck.incidents.focus');
  const rows = await rowsOf(services, before.chips);
  const kept = await searchBox(rows, {
    title: 'Search Incidents',
    placeHolder: 'Search (typos are fine), or use level:stuck, since:7d, or tick what to show',
    value: before.text,
    changed: (text, ticked) => incidents.narrow({ text: text.trim(), chips: ticked.flatMap(({ chip }) => chip ?? []) }),
  });
  if (!kept) incidents.narrow(before);
  await vscode.commands.executeCommand('unstuck.incidents.focus');
}

async function rowsOf({ store, agentNames }: CommandParts['services'], on: readonly Chip[]): Promise<ChipRow[]> {
  const facets = await store.facets();
  return KINDS.flatMap((kind): ChipRow[] => {
    const chips = chipsOf(kind, facets, on);
    if (chips.length === 0) return [];
    return [
      { label: CHIP_KINDS[kind], isHeading: true },
      ...chips.map(({ chip, count }) => ({
        label: chipName(chip, agentNames),
        ...describe(chip, count),
        picked: on.some((one) => isSame(one, chip)),
        chip,
      })),
    ];
  });
}

/** Returns the chips to choose from, and those that are on although they no longer match an incident. */
function chipsOf(
  kind: Chip['kind'],
  facets: Facets,
  on: readonly Chip[],
): readonly { readonly chip: Chip; readonly count: number | null }[] {
  if (kind === 'time') return Object.keys(PERIODS).map((value) => ({ chip: { kind, value }, count: null }));
  const found = facets[COUNTED[kind]].map(({ value, count }) => ({ chip: { kind, value }, count }));
  const gone = on.filter((one) => one.kind === kind && !found.some(({ chip }) => isSame(one, chip)));
  return [...found, ...gone.map((chip) => ({ chip, count: 0 }))];
}

/** Says how many incidents match. For a folder also says where it is, since another may have the same name. */
function describe({ kind, value }: Chip, count: number | null): { readonly description?: string } {
  if (count === null) return {};
  return { description: kind === 'folder' ? `${whole(count)} · ${value}` : whole(count) };
}

function isSame(a: Chip, b: Chip): boolean {
  return a.kind === b.kind && a.value === b.value;
}

/** Names a chip. */
export function chipName({ kind, value }: Chip, agentNames: ReadonlyMap<string, string>): string {
  switch (kind) {
    case 'level':
      return value === 'stuck' || value === 'warn' ? LEVEL_NAMES[value] : value;
    case 'outcome':
      return endingName(value);
    case 'rule': {
      const detector = DETECTOR_IDS.find((id) => id === value);
      return detector ? ruleName(detector, null) : value;
    }
    case 'agent':
      return agentNames.get(value) ?? value;
    case 'folder':
      return basename(value) || value;
    case 'time':
      return PERIODS[value as keyof typeof PERIODS] ?? value;
  }
}
