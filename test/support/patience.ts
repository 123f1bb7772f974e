/**
 * For `vi.waitFor`: how long a test waits for an event before it fails, in milliseconds. Long, because a busy machine is no fault; a wait ends
 * as soon as the event came. No test asserts how long something took.
 */
export const PATIENCE = { timeout: 90_000, interval: 20 } as const;
