import * as z from 'zod/mini';

/** Id of a session. On another machine it includes the name of the machine. */
const session = z.string().check(z.maxLength(256));

const intent = z.discriminatedUnion('type', [
  /** The page has loaded: send all rows. */
  z.object({ type: z.literal('ready') }),
  /** Show the panel of an agent to the side; with `focus` also go there. */
  z.object({ type: z.literal('open'), session, focus: z.boolean() }),
  /** Send the drafted nudge. */
  z.object({ type: z.literal('nudge'), session }),
  /** Go to the place where the agent can be answered. */
  z.object({ type: z.literal('go'), session }),
  z.object({ type: z.literal('replay') }),
]);

/** A request of the reader of the overview. */
export type OverviewIntent = Readonly<z.output<typeof intent>>;

/** Parses a request of the page; null if it is not understood. */
export function parseOverviewIntent(value: unknown): OverviewIntent | null {
  const parsed = intent.safeParse(value);
  return parsed.success ? parsed.data : null;
}
