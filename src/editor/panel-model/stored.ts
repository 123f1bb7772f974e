/**
 * State of a panel that the editor keeps while it is hidden or the window reloads: the reader's place and the unsent text. The content comes from the
 * host again.
 */
export interface StoredPanel {
  readonly version: typeof STORED_VERSION;
  readonly session: string;
  /** The incident that was chosen or shown; absent if there was none. */
  readonly incident?: string;
}

/** Raised when stored state of an older version can no longer be read; such state is dropped. */
export const STORED_VERSION = 2;

/** Returns the agent and the incident that a stored panel showed; null if another version stored it. */
export function storedPlace(state: unknown): Pick<StoredPanel, 'session' | 'incident'> | null {
  const { version, session, incident } = (state ?? {}) as Readonly<Partial<Record<keyof StoredPanel, unknown>>>;
  if (version !== STORED_VERSION || typeof session !== 'string') return null;
  return { session, ...(typeof incident === 'string' && { incident }) };
}
