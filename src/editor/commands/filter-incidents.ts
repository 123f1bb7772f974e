import * as vscode from 'vscode';
import { DETECTOR_IDS } from '../../core/model';
import type { Facets } from '../../history/types';
import { CHIP_KINDS, LEVEL_NAMES, PERIODS, endingName, ruleName, whole } from '../../core/words';
import type { Chip } from '../trees/incident-groups';
import type { CommandParts } from './parts';
import { type ListRow, pickSome } from '../voice';

interface ChipItem extends ListRow {
  readonly chip?: Chip;
}

const KINDS = ['level', 'outcome', 'rule', 'agent', 'folder', 'time'] as const;
const COUNTED = { level: 'level', outcome: 'ending', rule: 'detector', agent: 'agent', folder: 'folder' } as const;

/** *Filter Incidents*: chips of all kinds in one list, with how many incidents each has; those that are on are ticked. */
export async function filterIncidents(parts: CommandParts): Promise<void> {
  const { store, agentNames } = parts.services;
  const facets = await store.facets();
  const on = parts.incidents.narrowing.chips;
  const items = KINDS.flatMap((kind): ChipItem[] => {
    const chips = chipsOf(kind, facets, on);
    if (chips.length === 0) return [];
    return [
      { label: CHIP_KINDS[kind], isHeading: true },
      ...chips.map(({ chip, count }) => ({
        label: chipName(chip, agentNames),
        ...(count !== null && { description: whole(count) }),
        picked: on.some((one) => isSame(one, chip)),
        chip,
      })),
    ];
  });
  const picked = await pickSome(items, {
    title: 'Filter Incidents',
    placeHolder: 'Show only these; within one kind any of them',
  });
  if (!picked) return;
  parts.incidents.narrow({ ...parts.incidents.narrowing, chips: picked.flatMap(({ chip }) => chip ?? []) });
  await vscode.commands.executeCommand('unstuck.incidents.focus');
}

/** The chips to choose from, and those that are on although no incident matches them any more. */
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
      return value;
    case 'time':
      return PERIODS[value as keyof typeof PERIODS] ?? value;
  }
}
