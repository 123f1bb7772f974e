import { Recovery } from '../../../../src/recover/act/service';
import { MINUTE, T0 } from '../../history/support/incidents';
import { recordingLog } from '../../support/log';

export interface OwnMessageParts {
  readonly root: string;
  readonly mailChanged?: (session: string) => void;
  readonly appendEvent?: (event: unknown) => Promise<void>;
  readonly log?: ReturnType<typeof recordingLog>;
}

/** The real recovery of a window in which nothing is stuck. It writes a person's messages. */
export function ownMessages({ root, mailChanged, appendEvent, log = recordingLog() }: OwnMessageParts): Recovery {
  const never = () => ({ dispose: () => undefined });
  return new Recovery({
    engine: {
      onDidChange: never,
      onDidChangeIncident: never,
      agents: () => [],
      session: () => undefined,
      mailChanged: mailChanged ?? (() => undefined),
    },
    store: { onDidChange: never, appendEvent: appendEvent ?? (() => Promise.resolve()) },
    clock: { now: () => T0, after: never },
    log,
    folders: () => [root],
    settings: () => ({ automatic: false, expiryMs: 10 * MINUTE }),
    trusted: () => true,
  } as never);
}
