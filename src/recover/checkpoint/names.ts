const SESSION = /^[A-Za-z0-9_-]{1,64}$/;
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
const REF = /^refs\/unstuck\/[A-Za-z0-9_-]{1,64}\/[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** Returns the ref of a checkpoint; null if session or id could name something else. */
export function checkpointRef(session: string, id: string): string | null {
  return SESSION.test(session) && ULID.test(id) ? `refs/unstuck/${session}/${id}` : null;
}

export function isCheckpointRef(ref: string): boolean {
  return REF.test(ref);
}
