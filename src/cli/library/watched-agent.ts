import { createDecoder } from '../../agents/generic/decoder';
import type { GenericType } from '../../agents/generic/fields';
import { generic } from '../../agents/generic/adapter';
import { valueText } from '../../base/util/value-text';
import { type AgentView, type DetectorId, type DetectorOptions, type Incident } from '../../core/model';
import { Session } from '../../engine/session/session';
import { ticksUpTo } from '../../engine/session/ticks';

/** A record of the generic transcript (docs/transcript.md) without `v` and `session`. */
export interface AgentRecord {
  readonly type: GenericType;
  /** Time of the record: ISO 8601, or milliseconds since the epoch. */
  readonly t?: string | number;
}

/** One agent of a StuckDetector. Takes its records, and reports its state and what became stuck. */
export class WatchedAgent {
  private readonly session: Session;
  private readonly decoder;
  private readonly file: string;
  private stuck: Incident[] = [];
  private records = 0;

  constructor(
    private readonly id: string,
    detectors: Readonly<Record<DetectorId, DetectorOptions>>,
  ) {
    this.file = `${id}.agent.jsonl`;
    this.decoder = createDecoder({ file: this.file, readSmall: () => undefined });
    this.session = new Session({
      agent: generic.id,
      agentName: 'agent',
      session: id,
      file: this.file,
      showsRunningTool: generic.showsRunningTool,
      turnEnds: generic.turnEnds,
      detectors,
      isHistory: () => false,
      // Only its records show how it is: there is no process and no file.
      live: false,
      onIncident: (incident, before) => {
        if (incident.stuckAt !== null && (before?.stuckAt ?? null) === null) this.stuck.push(incident);
      },
    });
  }

  /** Returns what is wrong with the record; null if it counts. `now` is in milliseconds since the epoch, for a record without a time. */
  push(record: AgentRecord, now: number): string | null {
    let problem: string | null = null;
    const line = ++this.records;
    const text = valueText({ ...record, t: record.t ?? now, v: 1, session: this.id });
    this.session.lineRead(record.type === 'tool_call' ? 1 : 0);
    this.decoder.decode(
      { text, line, offset: 0 },
      {
        event: (event) => {
          ticksUpTo(this.session, event.at);
          this.session.push(event);
        },
        problem: (found) => {
          problem ??= found.why;
          this.session.problem(found);
        },
      },
    );
    return problem;
  }

  /** Advances time to `now`, milliseconds since the epoch. */
  pass(now: number): void {
    ticksUpTo(this.session, now);
  }

  view(now: number): AgentView {
    return this.session.view(now);
  }

  /** Returns the incidents that became stuck since the last call. */
  takeStuck(): readonly Incident[] {
    const taken = this.stuck;
    this.stuck = [];
    return taken;
  }
}
