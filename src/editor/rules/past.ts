import { registry } from '../../agents/registry';
import { type AgentId, type DetectorId, type DetectorOptions, PRESETS, type Preset } from '../../core/model';
import { cardOf } from '../../core/rules';
import { resolveOptions } from '../../detect/session/options';
import type { EarlierTranscript } from '../../engine/follow/discovery';
import type { AgentPorts } from '../agent-ports';
import type { Past, PastOfRule } from '../panel-model';
import type { Services } from '../services';

/** Transcripts larger than this would take too long to read three times; `backtest` reads them. */
const LARGEST = 64 * 1024 * 1024;
/** Maximum number of heads that are read to find out whose a file is. */
const MOST_HEADS = 2_000;
/** Pause between two readings, since nothing waits for the whole. */
const REST_MS = 50;

type Found = Pick<EarlierTranscript, 'adapter' | 'file' | 'sessions'>;
type Options = Readonly<Record<DetectorId, DetectorOptions>>;

/** Reads the transcripts of one kind of agent in this folder again in idle time, once with each preset. Stores nothing. */
export class RulesPast {
  constructor(
    private readonly services: Pick<Services, 'engine' | 'log'>,
    private readonly scan: AgentPorts['scan'],
  ) {}

  /**
   * @param since milliseconds since the epoch; alarms from then on count
   * @param counted called with the counts after each transcript, and once before the first
   */
  async read(agent: AgentId, since: number, signal: AbortSignal, counted: (past: Past) => void): Promise<void> {
    const found = await this.transcripts(agent, since);
    const counts = new Map<string, { alarms: number; stuck: number }>();
    const of = (rule: DetectorId): PastOfRule =>
      PRESETS.map((preset) => ({ preset, ...(counts.get(`${preset} ${rule}`) ?? { alarms: 0, stuck: 0 }) }));
    const count = (preset: Preset, detector: DetectorId, isStuck: boolean): void => {
      const key = `${preset} ${cardOf(detector).foundBy ?? detector}`;
      const before = counts.get(key) ?? { alarms: 0, stuck: 0 };
      counts.set(key, { alarms: before.alarms + 1, stuck: before.stuck + Number(isStuck) });
    };
    for (const [read, one] of found.entries()) {
      if (signal.aborted) return;
      counted({ read, all: found.length, of });
      for (const preset of PRESETS)
        for (const { detector, level, openedAt } of await this.incidents(one, preset))
          if (openedAt >= since) count(preset, detector, level === 'stuck');
    }
    if (!signal.aborted) counted({ read: found.length, all: found.length, of });
  }

  private async transcripts(agent: AgentId, since: number): Promise<readonly Found[]> {
    const { engine } = this.services;
    const adapter = registry.find(({ id }) => id === agent);
    if (!adapter) return [];
    const { transcripts } = await engine.earlierTranscripts(() => false, MOST_HEADS);
    const earlier = transcripts.filter(
      (one) => one.adapter.id === agent && one.modifiedAt >= since && one.size <= LARGEST,
    );
    const followed = engine.agents().filter((view) => view.agent === agent);
    const known = new Set(earlier.map(({ file }) => file));
    const now = followed.filter(({ file }) => !known.has(file)).map(({ file }) => ({ adapter, file }));
    return [...new Map([...now, ...earlier].map((one) => [one.file, one])).values()];
  }

  private async incidents(one: Found, preset: Preset) {
    const options: Options = resolveOptions({ preset, detectors: {} }, one.adapter.id);
    try {
      const { sessions } = await this.scan(one.file, {
        adapter: one.adapter,
        detectors: () => options,
        ...(one.sessions && { only: one.sessions }),
      });
      return sessions.flatMap(({ incidents }) => incidents);
    } catch (error) {
      this.services.log.warn(`${one.file} could not be read for the page of rules: ${String(error)}`);
      return [];
    } finally {
      await new Promise((rest) => setTimeout(rest, REST_MS));
    }
  }
}
