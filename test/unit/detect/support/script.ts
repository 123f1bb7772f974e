import { createDecoder } from '../../../../src/agents/decoders';
import { generic } from '../../../../src/agents/generic/adapter';
import type { AgentEvent, DetectorId, DetectorOptions } from '../../../../src/core/model';
import { type RunResult, type ReportedIncident, run } from './run';

export interface Answer {
  readonly output?: string;
  readonly isError?: boolean;
  readonly exitCode?: number;
  readonly size?: number;
  /** Seconds until the answer; 1 by default. */
  readonly after?: number;
  readonly batch?: string;
}

/** A run of an agent, as the generic transcript would hold it: one line after the other, one second apart. */
export interface Script {
  readonly lines: Record<string, unknown>[];
  line(type: string, fields?: Record<string, unknown>): Script;
  /** Lets time pass before the next line. */
  wait(seconds: number): Script;
  user(text: string, automated?: boolean): Script;
  say(text: string): Script;
  /** A call with its answer, two lines. */
  call(name: string, args: unknown, answer?: Answer): Script;
  /** A call whose answer does not come. */
  start(name: string, args: unknown): Script;
  /** A shell command; `ok` or the error text that it fails with. */
  bash(command: string, failure?: string): Script;
  turnEnd(reason?: string): Script;
  times(count: number, what: (script: Script, index: number) => void): Script;
  events(): AgentEvent[];
  run(options?: Readonly<Record<DetectorId, DetectorOptions>>): RunResult;
  /** The reports of one detector, incident by incident. */
  incidentsOf(detector: DetectorId, options?: Readonly<Record<DetectorId, DetectorOptions>>): ReportedIncident[];
}

const START = Date.parse('2026-11-20T10:00:00Z');

export function script(): Script {
  let at = START;
  let calls = 0;
  const lines: Record<string, unknown>[] = [];
  const self: Script = {
    lines,
    line(type, fields = {}) {
      lines.push({ v: 1, t: at, session: 's', agent: 'test', type, ...fields });
      at += 1000;
      return self;
    },
    wait(seconds) {
      at += (seconds - 1) * 1000;
      return self;
    },
    user: (text, automated = false) => self.line('user', { text, ...(automated && { automated }) }),
    say: (text) => self.line('assistant', { text }),
    call(name, args, { after = 1, batch, ...answer } = {}) {
      const id = `c${++calls}`;
      self.line('tool_call', { id, name, args, ...(batch !== undefined && { batch }) });
      self.wait(after);
      return self.line('tool_result', { id, output: 'ok', ...answer });
    },
    start: (name, args) => self.line('tool_call', { id: `c${++calls}`, name, args }),
    bash: (command, failure) =>
      self.call(
        'bash',
        { command },
        failure === undefined ? { output: `did ${command}` } : { output: failure, isError: true, exitCode: 1 },
      ),
    turnEnd: (reason = 'done') => self.line('turn_end', { reason }),
    times(count, what) {
      for (let index = 0; index < count; index++) what(self, index);
      return self;
    },
    events: () => decoded(lines),
    run: (options) => run(self.events(), options),
    incidentsOf: (detector, options) => self.run(options).incidents.filter((one) => one.first.detector === detector),
  };
  return self;
}

function decoded(lines: readonly Record<string, unknown>[]): AgentEvent[] {
  const events: AgentEvent[] = [];
  const decoder = createDecoder(generic, { file: '/t.agent.jsonl', readSmall: () => undefined });
  if (decoder.unit !== 'line') throw new Error('the generic format is read by lines');
  let offset = 0;
  lines.forEach((record, index) => {
    const text = JSON.stringify(record);
    decoder.decode(
      { text, line: index + 1, offset },
      {
        event: (event) => void events.push(event),
        problem: (problem) => {
          throw new Error(`line ${problem.line}: ${problem.why}`);
        },
      },
    );
    offset += text.length + 1;
  });
  return events;
}
