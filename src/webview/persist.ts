import { type PanelSnapshot, parseSnapshot } from '../panel';
import type { Local } from './panel-model';
import { FOLLOWING, NARROWEST, type TimelineWindow, WIDEST } from './timeline/window';

/** What the editor keeps of a hidden panel: the last snapshot for the first paint, and what the reader did. */
export interface Persisted {
  readonly snapshot: PanelSnapshot | null;
  readonly local: Pick<Local, 'window' | 'selected' | 'text' | 'boxOpen'>;
}

/** Steps of a stored timeline: more than a panel shows at its narrowest pitch. */
const STEPS = 5000;

/** The state as JSON can hold it. */
export function toState(snapshot: PanelSnapshot, local: Local): unknown {
  const { timeline } = snapshot;
  const cut = Math.max(0, timeline.at.length - STEPS);
  return {
    snapshot: {
      ...snapshot,
      timeline: {
        ...timeline,
        from: timeline.from + cut,
        at: encode(timeline.at.slice(cut)),
        flags: encode(timeline.flags.slice(cut)),
        outcomes: encode(timeline.outcomes.slice(cut)),
        lines: encode(timeline.lines.slice(cut)),
      },
    },
    window: local.window,
    selected: local.selected,
    text: local.text,
    boxOpen: local.boxOpen,
  };
}

/** What `toState` wrote, as far as it can be understood: another version may have written it. */
export function fromState(state: unknown): Persisted {
  const stored = record(state);
  return {
    snapshot: snapshotOf(stored['snapshot']),
    local: {
      window: windowOf(stored['window']),
      selected: whole(stored['selected']),
      text: typeof stored['text'] === 'string' ? stored['text'] : null,
      boxOpen: stored['boxOpen'] === true,
    },
  };
}

function snapshotOf(value: unknown): PanelSnapshot | null {
  const stored = record(value);
  const timeline = record(stored['timeline']);
  const parsed = parseSnapshot({
    ...stored,
    timeline: {
      ...timeline,
      at: decode(timeline['at']),
      flags: decode(timeline['flags']),
      outcomes: decode(timeline['outcomes']),
      lines: decode(timeline['lines']),
    },
  });
  return parsed.ok ? parsed.value : null;
}

function windowOf(value: unknown): TimelineWindow {
  const { pitch, from } = record(value);
  if (typeof pitch !== 'number' || !(pitch === 0 || (pitch >= NARROWEST && pitch <= WIDEST))) return FOLLOWING;
  return { pitch, from: whole(from) };
}

function whole(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

/** Characters that are made of bytes at a time: more arguments would overflow the stack. */
const CHUNK = 8192;

function encode(array: Float64Array | Uint32Array | Uint8Array): string {
  const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  let text = '';
  for (let from = 0; from < bytes.length; from += CHUNK) {
    text += String.fromCharCode(...bytes.subarray(from, from + CHUNK));
  }
  return btoa(text);
}

function decode(value: unknown): ArrayBuffer | undefined {
  if (typeof value !== 'string') return undefined;
  try {
    return Uint8Array.from(atob(value), (character) => character.charCodeAt(0)).buffer;
  } catch {
    return undefined;
  }
}
