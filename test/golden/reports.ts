import { createAcrossDetector } from '../../src/detect/session/across';
import { noteOfEvent, noteOfStep } from '../../src/detect/session/across-note';
import { resolveOptions } from '../../src/detect/session/options';
import { createSessionDetectors } from '../../src/detect/session/session-detectors';
import { DETECTORS } from '../../src/detect/rules';
import type { AgentEvent, DetectorId, Finding } from '../../src/core/model';

const clock = (at: number): string => new Date(at).toISOString().slice(11, 19);

/** Everything that a finding says, one field per line. */
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

export interface ReportOptions {
  /** Settings, as a person writes them. */
  readonly settings?: object;
  readonly budgets?: object;
  /** The format does not show a running tool. */
  readonly hidden?: boolean;
  /** Only the rule, level and count of an alert. */
  readonly brief?: boolean;
  /** Reports when the rules want to be checked again, too. */
  readonly dues?: boolean;
  /** Actions besides events, each before the event of this line. */
  readonly at?: Readonly<Record<number, (session: ReturnType<typeof createSessionDetectors>) => void>>;
}

/** Returns the reports of the rules across sessions for a run in several sessions, each in the folder `/w`. */
export function reportsAcross(events: readonly AgentEvent[], { settings = {}, brief = false }: ReportOptions): string {
  const lines: string[] = [];
  const began = events[0]?.at ?? 0;
  const seconds = (at: number): string => `${(at - began) / 1000} s`;
  const options = resolveOptions({ preset: 'balanced', detectors: settings });
  const known = new Map<string, string>();
  let line = 0;
  const say = (what: string): void => void lines.push(`${String(line).padStart(4)} ${what}`);
  const across = createAcrossDetector(() => options, {
    finding(session, finding) {
      const { key, detector, rule, level, count, limit } = finding;
      const streak = `${session} ${key}`;
      const name = `${level} ${detector}/${rule}`;
      const judged = `${name} of ${limit}`;
      say(`${session}: ${name} ${known.get(streak) === judged ? count : `${count} of ${limit}`}`);
      known.set(streak, judged);
      if (!brief) for (const one of whole(finding, seconds)) lines.push(`       ${one}`);
    },
    clearing(session, { detector, key, reason, at: when, source }) {
      known.delete(`${session} ${key}`);
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
        { agent, showsRunningTool: true, options },
        { finding() {}, clearing() {}, nearMiss() {}, step: (step) => across.take(from, noteOfStep(step, '/w')) },
      );
    sessions.set(session, detectors);
    const note = noteOfEvent(event);
    if (note) across.take(from, note);
    detectors.push(event);
  }
  return `${lines.join('\n')}\n`;
}

/**
 * Returns the reports of these detectors for a run: each finding in full where it is new or graver, otherwise its count, with the limit if that
 * changed; what ended it; and how near they came. Each line begins with the line of the event.
 */
export function reportsOf(
  events: readonly AgentEvent[],
  detectors: readonly DetectorId[],
  { settings = {}, budgets, hidden = false, dues = false, brief = false, at: also = {} }: ReportOptions = {},
): string {
  const lines: string[] = [];
  const began = events[0]?.at ?? 0;
  const steps = (at: number): string => `${(at - began) / 1000} s`;
  const known = new Map<string, { readonly name: string; readonly limit: number }>();
  let line = 0;
  const say = (what: string): void => void lines.push(`${String(line).padStart(4)} ${what}`);
  const session = createSessionDetectors(
    {
      agent: events[0]?.agent ?? 'generic',
      showsRunningTool: !hidden,
      options: resolveOptions({ preset: 'balanced', detectors: settings, budgets }, 'generic'),
    },
    {
      finding(finding) {
        const { key, detector, rule, level, count, limit, why, evidence } = finding;
        const name = `${level} ${detector}${rule === null ? '' : `/${rule}`}`;
        const last = known.get(key);
        const again = last?.name === name;
        const much = again && last.limit === limit ? count : `${count} of ${limit}`;
        if (brief) say(`${name} ${much} :${finding.first.line}-${finding.source.line} ${evidence.length} ${key}`);
        else say(`${name} ${much}`);
        if (!brief && again) lines.push(`       ${why} (${evidence.length})`);
        else if (!brief) for (const one of whole(finding, steps)) lines.push(`       ${one}`);
        known.set(key, { name, limit });
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
