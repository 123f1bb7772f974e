import { randomUUID } from 'node:crypto';
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import type { Engine } from '../../engine/engine';
import type { Clock } from '../../base/clock';
import { DisposableStore } from '../../base/util/disposable';
import { type Result, fail, ok } from '../../base/util/result';
import type { SessionOptions } from '../../engine/session/session';
import { Counts, type Origin } from './counts';
import { createInstruments } from './meter';
import type { Measurement } from './metrics';
import { SENDING_MS, senderTo } from './sending';
import { type Served, serve } from './server';
import { LOOK_INTERVAL_MS, AgentStates } from './states';
import type { MetricsAddress } from './targets';

/** The part of an engine that is counted. */
type CountedEngine = Pick<
  Engine,
  'agents' | 'shownAgent' | 'onDidChange' | 'onDidChangeIncident' | 'onDidStep' | 'onDidUse'
>;

export interface CountingOptions {
  /** Address at which metrics can be fetched; absent if they cannot. */
  readonly metrics?: MetricsAddress;
  /** Target to which they are sent, as returned by `readTarget`; absent if they are not sent. */
  readonly otlp?: string;
  /** Export interval, milliseconds. */
  readonly intervalMs: number;
  /** Name of this machine, a label of every metric. */
  readonly machine: string;
  /** The version of Unstuck. */
  readonly version: string;
  readonly clock: Clock;
  /** Prints one line about sending for the person who started it. */
  readonly note: (text: string) => void;
}

export interface Counting {
  /** Address of the metrics, for example `http://127.0.0.1:9464/metrics`; null if they are only sent. */
  readonly url: string | null;
  /** Sends the last metrics and ends, after 3 s at the latest. */
  stop(): Promise<void>;
}

/**
 * Counts what an engine sees until stopped. Call this before the engine starts, so that no agent is missed. Errors carry the system's code that says
 * why the address could not be taken, for example `EADDRINUSE`.
 */
export async function startCounting(
  engine: CountedEngine,
  { metrics, otlp, intervalMs, machine, version, clock, note }: CountingOptions,
): Promise<Result<Counting, string>> {
  const scraped = metrics ? new PrometheusExporter(SCRAPED) : null;
  const sent = otlp
    ? new PeriodicExportingMetricReader({
        exporter: senderTo(otlp, (problem) => note(sendingNote(otlp, problem, intervalMs))),
        exportIntervalMillis: intervalMs,
        exportTimeoutMillis: Math.min(intervalMs, SENDING_MS),
      })
    : null;
  let served: Served | null = null;
  if (metrics && scraped) {
    const result = await serve(metrics, (request, response) => scraped.getMetricsRequestHandler(request, response));
    if (!result.ok) return fail(result.error);
    served = result.value;
  }
  const provider = new MeterProvider({
    // Carries no facts about the machine itself: not the user, not the path, not the words of the command.
    resource: resourceFromAttributes({
      'service.name': 'unstuck',
      'service.version': version,
      'service.instance.id': randomUUID(),
      'host.name': machine,
    }),
    readers: [scraped, sent].filter((reader) => reader !== null),
  });
  const counted = count(engine, clock, provider, version);
  return ok({
    url: served?.url ?? null,
    async stop() {
      counted.dispose();
      served?.dispose();
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((done) => {
        timer = setTimeout(done, SENDING_MS);
      });
      // The sender has reported any failure by now.
      await Promise.race([provider.shutdown().catch(() => undefined), late]);
      clearTimeout(timer);
    },
  });
}

/** Puts the machine's name on each metric, and nothing else about the process: the client that fetches the metrics names it. */
const SCRAPED = {
  preventServerStart: true,
  withoutScopeInfo: true,
  withoutTargetInfo: true,
  withResourceConstantLabels: /^host\.name$/,
} as const;

function count(engine: CountedEngine, clock: Clock, provider: MeterProvider, version: string): DisposableStore {
  const owned = new DisposableStore();
  const counts = new Counts(clock.now());
  const states = new AgentStates();
  const look = () => states.look(engine.agents(), clock.now());
  const record = createInstruments(provider, version, {
    'unstuck.agents': () => (look(), states.agents()),
    'unstuck.agents.needing_person': () => (look(), states.needingPerson()),
    'unstuck.agent.seconds': () => (look(), states.seconds()),
  });
  const add = (measurements: readonly Measurement[]) => measurements.forEach(record);
  owned.add(
    engine.onDidStep(({ step, session: { options } }) => {
      add(counts.agent(options.agent));
      add(counts.step({ ...originOf(options), at: step.at }, step.failed));
    }),
  );
  owned.add(
    engine.onDidUse(({ usage, session: { options } }) => {
      add(counts.usage({ ...originOf(options), at: usage.at }, usage));
    }),
  );
  owned.add(
    engine.onDidChangeIncident(({ incident, before }) => {
      add(counts.agent(incident.agent));
      add(counts.incident(incident, before));
    }),
  );
  owned.add(
    engine.onDidChange((sessions) => {
      for (const session of sessions) {
        const view = engine.shownAgent(session);
        if (view) add(counts.agent(view.agent));
        states.changed(session, view, clock.now());
      }
    }),
  );
  let timer = clock.after(LOOK_INTERVAL_MS, again);
  owned.add({ dispose: () => timer.dispose() });
  function again() {
    look();
    timer = clock.after(LOOK_INTERVAL_MS, again);
  }
  return owned;
}

/** The options of a session are made once for each reading of its transcript. */
function originOf(options: Pick<SessionOptions, 'agent' | 'session'>): Omit<Origin, 'at'> {
  return { agent: options.agent, session: options.session, reading: options };
}

function sendingNote(url: string, problem: string | null, intervalMs: number): string {
  const { host } = new URL(url);
  return problem === null
    ? `Metrics are sent to ${host} again.`
    : `Metrics could not be sent to ${host}: ${problem}. Retrying every ${Math.round(intervalMs / 1_000)} s.`;
}
