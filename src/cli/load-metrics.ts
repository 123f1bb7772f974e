import { hostname } from 'node:os';
import { version } from '../../package.json';
import type * as Bundle from './metrics/bundle';
import type { Counting } from './metrics/start';
import { type MetricsAddress, type TargetProblem, readAddress, readTarget } from './metrics/targets';
import type { Engine } from '../engine/engine';
import type { Clock } from '../base/clock';
import { type Output, UsageError } from './output';

/** Loads the code that counts, which is in a bundle of its own. */
export type LoadCounting = () => typeof Bundle;

/** The options with which a command counts; `name` is the machine's name. */
export const COUNTING_OPTIONS = {
  metrics: { type: 'string' },
  otlp: { type: 'string' },
  name: { type: 'string' },
} as const;

/** Parsed options for metrics. */
export interface Wanted {
  readonly metrics?: MetricsAddress;
  readonly otlp?: string;
  readonly machine: string;
  /** Export interval, milliseconds. */
  readonly intervalMs: number;
}

/** Names of hosts, at most 64 characters, since every metric carries the name. */
const NAME = /^[\w.-]{1,64}$/;
/** Default of the standard environment variable. */
const INTERVAL_MS = 60_000;
/** A shorter interval is a mistake in the unit. */
const SHORTEST_INTERVAL_MS = 1_000;

/**
 * Reads the options for metrics; null if there are none. An impossible combination is a usage error, reported before anything has started.
 *
 * @param machine name of this machine if no option sets it
 */
export function readCounting(
  command: string,
  values: {
    readonly metrics?: string | undefined;
    readonly otlp?: string | undefined;
    readonly name?: string | undefined;
  },
  machine = hostname(),
): Wanted | null {
  if (values.name !== undefined && !NAME.test(values.name))
    throw new UsageError(
      'usage',
      `unstuck ${command}: --name takes at most 64 letters, digits, dots, dashes and underscores.`,
    );
  if (values.metrics === undefined && values.otlp === undefined) return null;
  const metrics = values.metrics === undefined ? undefined : readAddress(values.metrics);
  if (metrics && !metrics.ok) throw refused(command, `--metrics ${values.metrics}`, metrics.error);
  const otlp = values.otlp === undefined ? undefined : readTarget(values.otlp);
  // The address may hold a password, so it is not repeated.
  if (otlp && !otlp.ok)
    throw refused(command, otlp.error === 'secret' ? '--otlp' : `--otlp ${values.otlp}`, otlp.error);
  const intervalMs = Number(process.env['OTEL_METRIC_EXPORT_INTERVAL']);
  return {
    machine: values.name ?? machine,
    ...(metrics && { metrics: metrics.value }),
    ...(otlp && { otlp: otlp.value }),
    intervalMs: intervalMs >= SHORTEST_INTERVAL_MS && Number.isFinite(intervalMs) ? intervalMs : INTERVAL_MS,
  };
}

/** Loads the code that counts, and starts it. Call this before the engine starts, and stop it before the engine ends. */
export async function countWhatIsWanted(
  command: string,
  engine: Engine,
  wanted: Wanted,
  {
    clock,
    output,
    loadCounting,
  }: { readonly clock: Clock; readonly output: Output; readonly loadCounting: LoadCounting },
): Promise<Counting> {
  const { startCounting } = loadCounting();
  const note = (text: string) => output.note(text);
  const started = await startCounting(engine, { ...wanted, version, clock, note });
  if (started.ok) {
    if (started.value.url !== null) note(`Metrics: ${started.value.url}`);
    if (wanted.otlp !== undefined)
      note(`Metrics are sent to ${new URL(wanted.otlp).host} every ${Math.round(wanted.intervalMs / 1_000)} s.`);
    return started.value;
  }
  const { host, port } = wanted.metrics ?? { host: '', port: 0 };
  const why =
    started.error === 'EADDRINUSE' ? 'another program uses this port' : `the system refuses it (${started.error})`;
  throw new UsageError('usage', `unstuck ${command}: --metrics ${host}:${port}: ${why}. Name another port.`);
}

function refused(command: string, what: string, problem: TargetProblem): UsageError {
  return new UsageError('usage', `unstuck ${command}: ${what}: ${WHY[problem]}`);
}

const WHY: Readonly<Record<TargetProblem, string>> = {
  address: 'write an address of this machine and a port, for example 127.0.0.1:9464.',
  url: 'write a URL, for example https://collector.example:4318.',
  open: 'other machines could reach this address without a password. Use 127.0.0.1, or send metrics with --otlp.',
  plain: 'metrics would leave this machine unencrypted. Use https.',
  secret: 'other users can see a password on a command line. Put it in OTEL_EXPORTER_OTLP_HEADERS.',
};
