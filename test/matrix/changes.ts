import { type Act, type Call, type Run, WORDS, actsOf, filled } from './run';
import { randomOf } from './random';

/** Makes another run from a run, with the same answer to whether the agent is stuck. */
export type Change = (run: Run) => Run;

/** Reads one line of changes.txt, without its name. */
export function changeOf(text: string): Change {
  const [, where = '', what = ''] = /^(?:(call|command|output|do):\s*)?([^]*)$/.exec(text) ?? [];
  switch (where) {
    case 'do': {
      const change = FUNCTIONS[what];
      if (!change) throw new Error(`no such change: ${what}`);
      return change;
    }
    case 'command':
      return eachCall((call) =>
        withCommand(call, (command) =>
          what.includes("'…'")
            ? what.replace('…', () => command.replaceAll("'", String.raw`'\''`))
            : what.replace('…', () => command),
        ),
      );
    case 'output':
      return eachCall((call, round, index) => {
        const [before = '', after = ''] = filled(`${what} `, round, index).trimEnd().replaceAll('%l', '\n').split('…');
        return { ...call, output: `${before}${call.output}${after}` };
      });
    case 'call':
      return eachRound((acts, round) =>
        acts.flatMap((act, index) => (act.does === 'message' ? around(what, [act], round, index) : [act])),
      );
    default:
      return eachRound((acts, round) => around(what, acts, round, 0));
  }
}

/** The acts between those of a template's two halves. */
function around(template: string, acts: readonly Act[], round: number, index: number): Act[] {
  const [before = '', after = ''] = template.split('…');
  const drawn = (text: string): Act[] => actsOf(text.replaceAll('%n', String(round * 10 + index)), round, new Map());
  return [...drawn(before), ...acts, ...drawn(after)];
}

const FUNCTIONS: Readonly<Record<string, Change>> = {
  batches4: eachRound((acts, round) => batched(acts, round, 4)),
  batches8: eachRound((acts, round) => batched(acts, round, 8)),
  lateResults: eachRound((acts, round) =>
    batched(acts, round, 4).map((act) => (act.does === 'message' ? { ...act, resultsInReverse: true } : act)),
  ),
  colours: eachCall((call) => ({
    ...call,
    output: call.output
      .split('\n')
      .map((line) => (line === '' ? line : `\u001B[3${call.failed ? 1 : 2}m${line}\u001B[0m`))
      .join('\n'),
  })),
  reminders: eachCall((call, round) => {
    const files = Array.from(
      { length: round },
      (_, index) => `- docs/${WORDS[index % WORDS.length]}.md was changed by the user`,
    );
    return { ...call, output: `${call.output}\n\n<system-reminder>\n${files.join('\n')}\n</system-reminder>` };
  }),
  subAgent: eachRound((acts) => acts.flatMap((act): Act[] => [act, { does: 'sub-agent' }])),
  compaction: eachRound((acts, round) => (round === 3 ? [...acts, { does: 'compaction' }] : acts)),
  pipes: eachCall((call, round) => {
    if (call.code === undefined) return call;
    const piped = withCommand(call, (command) => `${command} 2>&1 | tail -${round % 2 === 0 ? 20 : 40}`);
    // the exit code is that of the last program
    return { ...piped, failed: false, code: 0 };
  }),
  noExitCode: eachCall((call) => ({ ...call, code: undefined })),
  noErrorFlag: eachCall((call) => ({ ...call, code: undefined, failed: false })),
  shuffledTests: eachCall((call, round) => ({ ...call, output: shuffled(call.output, round) })),
  shiftedLines: eachCall((call, round) => ({
    ...call,
    output: call.output.replace(
      /(\.ts:)(\d+)(?=:\d)/g,
      (_, before: string, line: string) => `${before}${Number(line) + round * 3}`,
    ),
  })),
  language: (run) =>
    eachText(run, (text) => GERMAN.reduce((done, [english, german]) => done.replaceAll(english, german), text)),
  windows: (run) =>
    eachText(run, (text) =>
      text.replace(/\b(?:src|test|docs|scratch|prisma|deploy)\/[\w/]+\.\w+/g, (path) => path.replaceAll('/', '\\')),
    ),
  copiedBeginning: (run) => ({
    ...run,
    rounds: run.rounds.map((acts, index) => (index === 3 ? [{ does: 'copies' }, ...acts] : acts)),
  }),
};

/** Words of messages that programs print in the language of the system. The output of test runners stays as it is. */
const GERMAN = [
  ['error:', 'Fehler:'],
  ['Error:', 'Fehler:'],
  ['No such file or directory', 'Datei oder Verzeichnis nicht gefunden'],
  ['No rule to make target', 'Keine Regel, um das Ziel zu erstellen'],
  ['is in use', 'wird schon verwendet'],
  ['Connection closed', 'Verbindung beendet'],
  ['Connection refused', 'Verbindungsaufbau abgelehnt'],
  ['Failed to connect', 'Keine Verbindung'],
  ['nothing to commit, working tree clean', 'nichts zu committen, Arbeitsverzeichnis unverändert'],
  ['not found', 'nicht gefunden'],
  ['Stop.', 'Schluss.'],
  ['continue', 'weiter'],
  ['Fix the cart', 'Reparieren Sie den Warenkorb'],
] as const;

function eachRound(change: (acts: readonly Act[], round: number) => readonly Act[]): Change {
  return (run) => ({ ...run, rounds: run.rounds.map((acts, index) => change(acts, index + 1)) });
}

function eachCall(change: (call: Call, round: number, index: number) => Call): Change {
  return (run) => ({
    ...run,
    rounds: run.rounds.map((acts, round) =>
      acts.map((act, index) =>
        act.does === 'message' ? { ...act, calls: act.calls.map((call) => change(call, round + 1, index)) } : act,
      ),
    ),
  });
}

function eachText(run: Run, change: (text: string) => string): Run {
  const changed = (acts: readonly Act[]): Act[] =>
    JSON.parse(JSON.stringify(acts), (_, value: unknown) =>
      typeof value === 'string' ? change(value) : value,
    ) as Act[];
  return { before: changed(run.before), rounds: run.rounds.map(changed), after: changed(run.after) };
}

function withCommand(call: Call, change: (command: string) => string): Call {
  if (call.code === undefined || typeof call.args === 'string') return call;
  return { ...call, args: { ...call.args, command: change(String(call.args['command'])) } };
}

/** Puts the calls of a round into messages of this size, padded with reads of files that were not read before. */
function batched(acts: readonly Act[], round: number, size: number): Act[] {
  const out: Act[] = [];
  let calls: Call[] = [];
  const flush = (): void => {
    if (calls.length === 0) return;
    for (let index = calls.length; index < size; index++) calls.push(...reads(round, index));
    out.push({ does: 'message', calls });
    calls = [];
  };
  for (const act of acts) {
    if (act.does !== 'message') {
      flush();
      out.push(act);
      continue;
    }
    if (calls.length + act.calls.length > size) flush();
    calls.push(...act.calls);
  }
  flush();
  return out;
}

const reads = (round: number, index: number): readonly Call[] =>
  actsOf(`R lib/${WORDS[round % WORDS.length]}${index}.ts`, round, new Map()).flatMap((act) =>
    act.does === 'message' ? act.calls : [],
  );

function shuffled(output: string, round: number): string {
  const [head = '', ...blocks] = output.split(/\n\n(?= {2}●)/);
  const last = blocks.pop();
  if (last === undefined) return output;
  const [block = '', rest = ''] = last.split(/\n\n(?=Tests:)/);
  const random = randomOf(`shuffled ${round}`);
  const order = [...blocks, block].map((one) => [random(), one] as const).sort(([a], [b]) => a - b);
  return [head, ...order.map(([, one]) => one), rest].join('\n\n');
}
