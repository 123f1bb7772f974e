import { STORED_VERSION, type PanelSnapshot, type StoredPanel, storedPlace } from '../panel-model';
import { FRESH, type Local } from './panel-model';
import { FOLLOWING, NARROWEST, type TimelineWindow, WIDEST } from './timeline/window';

/** The part of the reader's state that outlives a hidden panel and a reload. */
type Kept = Pick<Local, 'window' | 'selected' | 'text' | 'boxOpen'>;

/** Returns the state for the editor to keep: where the reader is in the panel, and what is not sent yet. */
export function toState({ session, incident }: PanelSnapshot, local: Local): StoredPanel & Kept {
  const { window, selected, text, boxOpen } = local;
  return {
    version: STORED_VERSION,
    session,
    ...(incident && { incident: incident.id }),
    window,
    selected,
    text,
    boxOpen,
  };
}

/** Returns the session that `toState` was about and the reader's state in it; null if another version stored it. */
export function fromState(state: unknown): { readonly session: string; readonly local: Local } | null {
  const place = storedPlace(state);
  if (!place) return null;
  const { window, selected, text, boxOpen } = state as Readonly<Partial<Record<keyof Kept, unknown>>>;
  const local = {
    ...FRESH,
    window: windowOf(window),
    selected: whole(selected),
    text: typeof text === 'string' ? text : null,
    boxOpen: boxOpen === true,
  };
  return { session: place.session, local };
}

function windowOf(value: unknown): TimelineWindow {
  const { pitch, from } = (value ?? {}) as Readonly<Partial<Record<keyof TimelineWindow, unknown>>>;
  if (typeof pitch !== 'number' || !(pitch === 0 || (pitch >= NARROWEST && pitch <= WIDEST))) return FOLLOWING;
  return { pitch, from: whole(from) };
}

function whole(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}
