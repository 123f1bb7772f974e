import { type PanelMarker } from '../../panel-model';
import { clockSeconds } from '../../../core/words';
import type { IconName } from '../icons';
import { type Geometry, xBefore } from './window';

interface MarkLook {
  readonly icon: IconName;
  /** Rank of a marker. Of markers that are too close to each other, the one with the lowest rank is shown. */
  readonly rank: number;
}

const WORDS: Readonly<Record<PanelMarker['kind'], string>> = {
  stuck: 'Stuck',
  nudge: 'Nudge',
  gate_failed: 'Gate failed',
  gate_passed: 'Gates passed',
  user: 'You',
  compacted: 'Compacted',
  recovered: 'Recovered',
  commit: 'Commit',
};

const LOOKS: Readonly<Record<PanelMarker['kind'], MarkLook>> = {
  stuck: { icon: 'warning', rank: 0 },
  nudge: { icon: 'send', rank: 1 },
  gate_failed: { icon: 'checklist', rank: 2 },
  gate_passed: { icon: 'checklist', rank: 2 },
  user: { icon: 'account', rank: 3 },
  compacted: { icon: 'fold', rank: 4 },
  recovered: { icon: 'pass', rank: 5 },
  commit: { icon: 'git-commit', rank: 6 },
};

/** Icons closer than this are merged. */
const MERGE = 12;
/** Space between a word and the next icon or word. */
const AIR = 12;
/** Distance from the middle of an icon to its word. */
const TO_WORD = 11;
const ICON = 14;

/** A marker as it is drawn. */
export interface Mark {
  readonly kind: PanelMarker['kind'];
  readonly icon: IconName;
  /** Position of the stem: the left edge of its step, or by the clock its own time. */
  readonly x: number;
  /** Middle of the icon, moved in from the edges. */
  readonly iconX: number;
  readonly words: string;
  readonly wordsAt: 'right' | 'left' | 'none';
  readonly all: readonly PanelMarker[];
}

function markWords(marker: PanelMarker): string {
  const words = WORDS[marker.kind];
  return marker.kind === 'nudge' && (marker.number ?? 0) > 1 ? `${words} ${marker.number}` : words;
}

/** Lays out the markers of the visible steps: merged if they are too close, with their words if there is room. */
export function layoutMarks(
  markers: readonly PanelMarker[],
  geometry: Geometry,
  measure: (text: string) => number,
): Mark[] {
  const visible = markers
    .filter((marker) => marker.step >= geometry.from && marker.step <= geometry.to)
    .map((marker) => ({ marker, x: xBefore(geometry, marker.step, marker.at) }))
    .sort((a, b) => a.x - b.x);

  const groups: { x: number; all: PanelMarker[]; shown: PanelMarker }[] = [];
  for (const { marker, x } of visible) {
    const last = groups.at(-1);
    if (!last || x - last.x >= MERGE) {
      groups.push({ x, all: [marker], shown: marker });
      continue;
    }
    last.all.push(marker);
    if (LOOKS[marker.kind].rank < LOOKS[last.shown.kind].rank) {
      last.shown = marker;
      last.x = x;
    }
  }

  let taken = geometry.left - AIR;
  return groups.map(({ x, all, shown }, index) => {
    const iconX = Math.min(Math.max(x, geometry.left + ICON / 2), geometry.width - ICON / 2);
    const words = markWords(shown);
    const width = measure(words);
    const nextIcon = (groups[index + 1]?.x ?? geometry.width + ICON / 2) - ICON / 2;
    const edge = index + 1 < groups.length ? nextIcon - (AIR - ICON / 2) : geometry.width;
    let wordsAt: Mark['wordsAt'] = 'none';
    if (iconX + TO_WORD + width <= edge) wordsAt = 'right';
    else if (iconX - TO_WORD - width >= taken + AIR) wordsAt = 'left';
    taken = wordsAt === 'right' ? iconX + TO_WORD + width : iconX + ICON / 2;
    return { kind: shown.kind, icon: LOOKS[shown.kind].icon, x, iconX, words, wordsAt, all };
  });
}

/** Returns the words of a merged marker in the readout: `17:09:12: Stuck, Nudge 2`. */
export function markReadout(mark: Mark): string {
  const said = mark.all.map((marker) => {
    const detail = marker.kind === 'commit' && marker.text ? ` (${marker.text})` : '';
    return `${clockSeconds(marker.at)}: ${markWords(marker)}${detail}`;
  });
  return said.join(', ');
}

/** Returns the mark whose icon or word is at a place. */
export function markAt(marks: readonly Mark[], x: number): Mark | undefined {
  return marks.find((mark) => Math.abs(mark.iconX - x) <= ICON / 2 + 2);
}
