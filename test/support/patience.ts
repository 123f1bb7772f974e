/**
 * Limit for `vi.waitFor`: how long a test waits for an event before it fails, in milliseconds. It is long because a busy machine is no fault.
 * A wait ends as soon as the event comes, and no test asserts how long something took.
 */
export const PATIENCE = { timeout: 90_000, interval: 20 } as const;
