import { registry } from '../../../src/agents/registry';
import { resolveOptions } from '../../../src/detect/session/options';
import { Session } from '../../../src/engine/session/session';
import type { AgentEvent } from '../../../src/core/model';
import { mutateLines } from '../mutate';
import { decoded } from '../reading';
import { passagesOf } from '../seeds';
import type { FuzzTarget, Stopwatch } from '../target';

const HEAD = 65_536;
const MOST_SESSIONS = 20;
const options = resolveOptions({ preset: 'eager', detectors: undefined });

/** Decoders, detectors, incidents and the session's state, over the events of a mutated transcript. */
export function detectorTarget(texts: readonly string[]): FuzzTarget {
  return {
    name: 'detectors',
    counts: 'lines',
    seeds: texts.flatMap(passagesOf),
    mutate: mutateLines,
    run(input, stopwatch) {
      const head = input.slice(0, HEAD);
      const adapter =
        registry.find((one) => one.unit !== 'database' && one.recognises(head, '/work/session.jsonl') === 'yes') ??
        registry.find(({ id }) => id === 'generic');
      if (!adapter) throw new Error('there is no generic adapter');
      const sessions = new Map<string, Session>();
      const sink = {
        event(event: AgentEvent) {
          const session = sessions.get(event.session) ?? sessionOf(event.session, adapter.showsRunningTool);
          if (sessions.size < MOST_SESSIONS) sessions.set(event.session, session);
          session.push(event);
        },
        problem() {},
      };
      const lines = decoded(adapter, input, sink, stopwatch);
      for (const session of sessions.values()) end(session, stopwatch);
      return lines;
    },
  };
}

function sessionOf(id: string, showsRunningTool: boolean): Session {
  return new Session({
    agent: 'generic',
    agentName: 'agent',
    session: id,
    file: '/work/session.jsonl',
    showsRunningTool,
    detectors: options,
    isHistory: () => false,
    live: true,
    onIncident(incident) {
      if (!Number.isFinite(incident.count) || incident.why === '') throw new Error('an incident without its reason');
      if (incident.evidence.length > 24) throw new Error('more evidence than is kept');
    },
  });
}

/** Lets time pass without a write, and then the process end. */
function end(session: Session, stopwatch: Stopwatch): void {
  for (let ticks = 0; ticks < 8; ticks++) {
    const due = session.deadline();
    if (!Number.isFinite(due)) break;
    stopwatch.step(() => session.tick(due));
  }
  stopwatch.step(() => session.end(Number.MAX_SAFE_INTEGER));
}
