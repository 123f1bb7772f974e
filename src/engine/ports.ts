import type { Delivery, DetectorId, DetectorOptions, Incident } from '../model';
import type { AgentAdapter, LivenessProbe, LocateEnvironment } from '../agents/adapter';
import type { Log } from '../util/log';
import type { Disposable } from '../util/disposable';
import type { Tail } from '../tail';

/** The clock and its timers, passed in so that tests need not sleep. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  after(milliseconds: number, run: () => void): Disposable;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(milliseconds, run) {
    const timer = setTimeout(run, milliseconds);
    return { dispose: () => clearTimeout(timer) };
  },
};

/** What the engine reads of the settings. */
export interface EngineSettings {
  /** Open workspace folders, absolute. */
  readonly folders: readonly string[];
  /** Is this path, inside a workspace folder, a transcript by the user's globs? */
  readonly included: (path: string) => boolean;
  /** Sessions without a line for so long, whose process does not live, are history. Milliseconds. */
  readonly maxAgeMs: number;
  readonly disabled: ReadonlySet<string>;
  readonly detectors: (agent: string) => Readonly<Record<DetectorId, DetectorOptions>>;
}

/** The mail of agents as the engine needs it: where messages stand, and what the transcript told of them. */
export interface Mail {
  /** Deliveries of a session, oldest first; empty where it has no inbox. */
  deliveries(session: string, cwd: string | undefined): readonly Delivery[];
  /** A receipt of our own: the message shows in the transcript, or was acted upon. */
  receipt(
    session: string,
    cwd: string | undefined,
    id: string,
    state: 'seen' | 'acted' | 'failed' | 'expired',
    detail?: { readonly outcome?: 'changed' | 'same'; readonly reason?: string },
  ): void;
}

export const noMail: Mail = { deliveries: () => [], receipt() {} };

export interface EngineParts {
  readonly adapters: readonly AgentAdapter[];
  readonly environment: LocateEnvironment;
  readonly probe: LivenessProbe;
  readonly tail: Tail;
  readonly clock: Clock;
  readonly log: Log;
  readonly mail: Mail;
  /** Incident as it is stored, if it is: a reload must not forget that it was muted or notified. */
  readonly stored: (id: string) => Incident | undefined;
  /** Text of a small file, at most 64 KB. */
  readonly readSmall: (path: string) => string | undefined;
}
