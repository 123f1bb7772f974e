import { createAcrossDetector } from '../../src/detect/session/across';
import { resolveOptions } from '../../src/detect/session/options';
import { createSessionDetectors } from '../../src/detect/session/session-detectors';
import { DETECTORS } from '../../src/detect/rules';
import type { AgentEvent, DetectorId, Finding, ToolCallEvent, ToolKind, ToolResultEvent } from '../../src/model';

const START = Date.parse('2026-11-20T10:00:00Z');

/** So many seconds after a run began, in milliseconds since the epoch. */
export const at = (seconds: number): number => START + seconds * 1000;

interface More {
  readonly call?: Partial<ToolCallEvent>;
  readonly result?: Partial<ToolResultEvent>;
}

/** A run that is told event by event, a second apart, with whatever fields a rule looks at. */
export class Tale {
  readonly events: AgentEvent[] = [];
  private at = START;
  private calls = 0;
  private session = 's';

  /** What follows happens in this session. */
  in(session: string): this {
    this.session = session;
    return this;
  }

  line(type: AgentEvent['type'], fields: object = {}): this {
    const { session } = this;
    const source = { file: session, line: this.events.length + 1, offset: this.events.length * 100 };
    this.events.push({ agent: 'generic', session, at: this.at, source, type, ...fields } as AgentEvent);
    this.at += 1000;
    return this;
  }

  /** Time passes before the next line. */
  wait(minutes: number): this {
    this.at += minutes * 60_000;
    return this;
  }

  user = (text: string): this => this.line('user', { text, automated: false });
  told = (text: string): this => this.line('user', { text, automated: true });
  say = (text: string): this => this.line('assistant', { text, chunk: false });
  piece = (text: string): this => this.line('assistant', { text, chunk: true });
  fault = (kind: string, message: string, more: object = {}): this => this.line('error', { kind, message, ...more });
  used = (fields: object): this => this.line('usage', fields);

  /** A call that has no answer yet. */
  start(name: string, kind: ToolKind, subject: string, more: Partial<ToolCallEvent> = {}): this {
    return this.line('tool_call', { id: `c${++this.calls}`, name, args: {}, kind, subject, ...more });
  }

  answer(output: string, more: Partial<ToolResultEvent> = {}): this {
    return this.line('tool_result', { id: `c${this.calls}`, output, isError: false, ...more });
  }

  run(command: string, output = 'done', { call, result }: More = {}): this {
    return this.start('Bash', 'ran', command, { command, args: { command }, ...call }).answer(output, {
      exitCode: 0,
      ...result,
    });
  }

  fail(command: string, output = 'it broke', { call, result }: More = {}): this {
    return this.run(command, output, { call: call ?? {}, result: { isError: true, exitCode: 1, ...result } });
  }

  /** A command that only shows something. */
  show(command: string, output = 'shown', more: More = {}): this {
    return this.run(command, output, { ...more, call: { kind: 'looked', ...more.call } });
  }

  read(path: string, output = `text of ${path}`, { call, result }: More = {}): this {
    return this.start('Read', 'looked', `Read ${path}`, { target: path, args: { file_path: path }, ...call }).answer(
      output,
      result,
    );
  }

  edit(path: string, args: object = {}, { call, result }: More = {}): this {
    const change = { file_path: path, old_string: `old ${this.calls}`, new_string: `new ${this.calls}`, ...args };
    return this.start('edit_file', 'changed', `Edit ${path}`, { target: path, args: change, ...call }).answer(
      'The file has been updated.',
      result,
    );
  }

  tool(name: string, args: object, output: string, { call, result }: More = {}): this {
    return this.start(name, 'other', name, { args, ...call }).answer(output, result);
  }

  times(count: number, what: (tale: this, index: number) => unknown): this {
    for (let index = 0; index < count; index++) what(this, index);
    return this;
  }
}

const clock = (at: number): string => new Date(at).toISOString().slice(11, 19);

/** Everything that a finding says, a field a line. */
function whole(finding: Finding, steps: (at: number) => string): string[] {
  const { evidence, clears, why, suggestion, firstSample, lastSample, situations, pattern, moved, ...rest } = finding;
  const {
    detector: _d,
    rule: _r,
    level: _l,
    count: _c,
    limit: _m,
    at,
    source,
    firstAt,
    first,
    subject,
    key,
    ...flat
  } = rest;
  const sample = (name: string, one: typeof firstSample): string[] =>
    one === undefined
      ? []
      : [`${name} :${one.source.line} ${steps(one.at)} ${short(one.text)} without ${JSON.stringify(one.ignored)}`];
  const { confidence: _confidence, ...marks } = flat;
  return [
    `${subject} (${key}) :${source.line} ${steps(at)}, since :${first.line} ${steps(firstAt)}`,
    JSON.stringify(marks),
    `why ${why}`,
    `try ${suggestion}`,
    `ends ${clears.join('; ')}`,
    ...(situations ? [`in ${situations.join(' ')}`] : []),
    ...(moved ? [`moved ${moved.join(' ')}`] : []),
    ...(pattern ?? []).map((one) => `${one.letter} ${one.subject}: ${one.steps.join(' ')}`),
    ...evidence.map(
      ({ role, letter = '', source: from, end, at: when, step, subject: what, text }) =>
        `${role} ${letter} :${from.line}-${end?.line ?? ''} ${steps(when)} ${step ?? ''} ${what} | ${text}`,
    ),
    ...sample('first', firstSample),
    ...sample('last', lastSample),
  ];
}

function short(text: string): string {
  return JSON.stringify(text.length > 160 ? `${text.slice(0, 80)}… ${text.length} …${text.slice(-60)}` : text);
}

export interface Telling {
  /** Settings, as a person writes them. */
  readonly settings?: object;
  /** The format does not show a tool that runs. */
  readonly hidden?: boolean;
  /** No more of an alert than its rule, level and count. */
  readonly brief?: boolean;
  /** Also when the rules want to be asked again. */
  readonly dues?: boolean;
  /** What happens besides events, before the event of this line. */
  readonly at?: Readonly<Record<number, (session: ReturnType<typeof createSessionDetectors>) => void>>;
}

/** What the rules across sessions say of a run in several sessions, each in the folder `/w`. */
export function toldAcross(events: readonly AgentEvent[], { settings = {}, brief = false }: Telling): string {
  const lines: string[] = [];
  const began = events[0]?.at ?? 0;
  const seconds = (at: number): string => `${(at - began) / 1000} s`;
  const options = resolveOptions('balanced', settings);
  let line = 0;
  const say = (what: string): void => void lines.push(`${String(line).padStart(4)} ${what}`);
  const across = createAcrossDetector(() => options, {
    finding(session, finding) {
      const { detector, rule, level, count, limit } = finding;
      say(`${session}: ${level} ${detector}/${rule} ${count} of ${limit}`);
      if (!brief) for (const one of whole(finding, seconds)) lines.push(`       ${one}`);
    },
    clearing(session, { detector, key, reason, at: when, source }) {
      say(`${session}: over ${detector} (${key}) ${reason} :${source?.line ?? ''} ${seconds(when)}`);
    },
  });
  const sessions = new Map<string, ReturnType<typeof createSessionDetectors>>();
  for (const event of events) {
    line = event.source.line;
    const { agent, session } = event;
    const from = { agent, session, agentName: `agent ${session}`, cwd: '/w' };
    const detectors =
      sessions.get(session) ??
      createSessionDetectors(
        { agent, session, showsRunningTool: true, options },
        { finding() {}, clearing() {}, nearMiss() {}, step: (step) => across.step(from, step) },
      );
    sessions.set(session, detectors);
    across.event(from, event);
    detectors.push(event);
  }
  return `${lines.join('\n')}\n`;
}

/**
 * What these detectors say of a run: each finding whole where it is new or graver, else its count; what ended it; and how near they came.
 * Each line begins with the line of the event.
 */
export function told(
  events: readonly AgentEvent[],
  detectors: readonly DetectorId[],
  { settings = {}, hidden = false, dues = false, brief = false, at: also = {} }: Telling = {},
): string {
  const lines: string[] = [];
  const began = events[0]?.at ?? 0;
  const steps = (at: number): string => `${(at - began) / 1000} s`;
  const known = new Map<string, string>();
  let line = 0;
  const say = (what: string): void => void lines.push(`${String(line).padStart(4)} ${what}`);
  const session = createSessionDetectors(
    {
      agent: events[0]?.agent ?? 'generic',
      session: 's',
      showsRunningTool: !hidden,
      options: resolveOptions('balanced', settings),
    },
    {
      finding(finding) {
        const { key, detector, rule, level, count, limit, why, evidence } = finding;
        const name = `${level} ${detector}${rule === null ? '' : `/${rule}`}`;
        if (brief)
          say(`${name} ${count} of ${limit} :${finding.first.line}-${finding.source.line} ${evidence.length} ${key}`);
        else say(`${name} ${count} of ${limit}`);
        if (!brief && known.get(key) === name) lines.push(`       ${why} (${evidence.length})`);
        else if (!brief) for (const one of whole(finding, steps)) lines.push(`       ${one}`);
        known.set(key, name);
      },
      clearing({ detector, key, reason, at, source }) {
        known.delete(key);
        say(`over ${detector} (${key}) ${reason} :${source?.line ?? ''} ${steps(at)}`);
      },
      nearMiss({ detector, rule, nearest, reached, limit, heldBackBy, at, source }) {
        const held = heldBackBy === undefined ? '' : `, but: ${heldBackBy}`;
        const much = Number.isInteger(reached) ? reached : reached.toFixed(2);
        say(
          `near ${detector}${rule === null ? '' : `/${rule}`} ${much} of ${limit} ${nearest} :${source?.line ?? ''} ${steps(at)}${held}`,
        );
      },
    },
    DETECTORS.filter(({ id }) => detectors.includes(id)),
  );
  let due = Number.POSITIVE_INFINITY;
  const ask = (): void => {
    if (!dues || session.deadline() === due) return;
    due = session.deadline();
    say(`due ${Number.isFinite(due) ? clock(due) : 'never'}`);
  };
  for (const event of events) {
    for (let next = session.deadline(), ticks = 0; next <= event.at && ticks < 99; ticks++) {
      session.tick(next);
      const later = session.deadline();
      if (later <= next) break;
      next = later;
      ask();
    }
    line = event.source.line;
    also[line]?.(session);
    session.push(event);
    ask();
  }
  return `${lines.join('\n')}\n`;
}
