import { describeCall } from '../../src/agents/shared/decode/tools';
import { partsOf, signsOf, toolOf } from './signs';
import type { AgentEvent, Source, ToolResultEvent } from '../../src/core/model';

/**
 * Runs drawn as small text: one sign a step, `·` between steps.
 *
 *   R a.py            reads a file; the result is its content, which every edit of it changes
 *   E a.py            edits a file, with other content each time;  E a.py =x  always with the content x;  long:text or ok:text is its answer
 *   B "pytest -q"     runs a command;  fail:text (exit code 1) / ok:text is its output, `done` otherwise;  crash:text  prints it, with no code;
 *                     running:text  prints it and continues in the background;  refused:  the person does not allow it;  held:  our hook does not
 *   G pattern         searches;  ok:text is what it finds, nothing otherwise
 *   M name {"a":1}    a tool unknown to every table, with its arguments as JSON;  M look:name  one that only looks;  also  change:  wait:  delegate:
 *   W                 waits: an empty line to a running program;  ok:text is its screen
 *   P                 a to-do update, another one each time;  P =x  always the same;  fail:text / ok:text is its answer
 *   T  Q              a sub-agent, a question to the person
 *   U "text"          a person writes;  N  our own nudge, or another program
 *   F "text"          a program sends feedback;  S "text"  a schedule of the person's opens a turn
 *   A "text"          the agent says something;  C  its context is compacted;  X text  an error that is no result; X "API Error …"  one of the service
 *   I "make"          runs a command that the person interrupts
 *   V                 a malformed call;  L  a request that the service refuses;  D  the agent claims to be done
 *   K 85              this many percent of its context are used;  ?  it asks and waits;  tick  a line that only says the time
 *   . / end           the turn ends;  the session ends
 *   +90s              time passes before what follows; otherwise a step takes two seconds
 *   [ … ]             what is inside is called in parallel
 *   ( … ) x3          what is inside happens three times
 *
 * In texts `%n` is a number that counts up, `%t` a clock time, `%i` an image, `%L` 250,000 characters, `%l` a line
 * feed, `_` a space where there are no quotes.
 */
export function draw(text: string): AgentEvent[] {
  return new Drawing().events(signsOf(text));
}

const STEP_MS = 2000;

/** The fields of a result in addition to its text and error flag. */
type Answer = Partial<Pick<ToolResultEvent, 'output' | 'denied' | 'interrupted' | 'running'>> & {
  readonly exitCode?: undefined;
};

/** Calls that were not allowed, by who refused them. */
const REFUSALS: Readonly<Record<string, Answer>> = {
  'refused:': { output: 'The user does not want to proceed with this tool use.', denied: 'user' },
  'held:': { output: 'This call was refused once. [unstuck 01JD0000000000000000000000]', denied: 'hook' },
};

class Drawing {
  private readonly out: AgentEvent[] = [];
  private at = Date.parse('2026-11-20T12:00:00Z');
  private line = 0;
  private calls = 0;
  private count = 0;
  private plans = 0;
  private batch: string | undefined;
  private readonly waiting: (() => void)[] = [];
  private readonly versions = new Map<string, number>();

  events(signs: readonly string[]): AgentEvent[] {
    for (const sign of signs) this.sign(sign);
    return this.out;
  }

  private sign(drawn: string): void {
    const sign = this.filled(drawn);
    if (sign === '[') {
      this.batch = `batch-${this.calls}`;
      return;
    }
    if (sign === ']') {
      this.batch = undefined;
      for (const answer of this.waiting.splice(0)) answer();
      return;
    }
    const pause = /^\+(\d+)s$/.exec(sign);
    if (pause) {
      this.at += Number(pause[1]) * 1000;
      return;
    }
    const { letter, subject, tail, rest } = partsOf(sign);
    const failing = /^(?:=\S+ )?fail:/.test(tail);
    const said = tail
      .replace(/^(?:=\S+ )?(?:fail|ok|crash|running):/, '')
      .replace(/^"(.*)"$/s, '$1')
      .replaceAll('_', ' ');
    switch (letter) {
      case 'R':
        this.step('Read', { file_path: subject }, `content of ${subject}, version ${this.versions.get(subject) ?? 0}`);
        break;
      case 'E': {
        const content = tail.startsWith('=') ? tail.slice(1) : `content ${++this.count}`;
        if (!failing) this.versions.set(subject, (this.versions.get(subject) ?? 0) + 1);
        this.step(
          'edit_file',
          { file_path: subject, new_string: failing ? said : content },
          failing || tail.startsWith('ok:') ? said : (/^long:"(.*)"$/s.exec(tail)?.[1] ?? 'The file has been updated.'),
          failing,
        );
        break;
      }
      case 'B':
        this.step(
          'Bash',
          { command: subject, description: `run number ${++this.count}` },
          tail === '' ? 'done' : (REFUSALS[tail]?.output ?? said),
          failing || tail in REFUSALS,
          {
            ...REFUSALS[tail],
            ...(tail.startsWith('crash:') && { exitCode: undefined }),
            ...(tail.startsWith('running:') && { exitCode: undefined, running: true }),
          },
        );
        break;
      case 'I':
        this.step('Bash', { command: subject }, 'Interrupted by the user', true, { interrupted: true });
        break;
      case 'G':
        this.step('Grep', { pattern: subject }, said, failing);
        break;
      case 'M': {
        const args = tail.startsWith('{') ? (JSON.parse(tail.replace(/(?:fail|ok):.*$/s, '')) as unknown) : {};
        this.step(
          toolOf(subject, args),
          args,
          /(?:fail|ok):(.*)$/s.exec(tail)?.[1]?.replaceAll('_', ' ') ?? 'done',
          tail.includes('fail:'),
        );
        break;
      }
      case 'W':
        this.step(
          'write_stdin',
          { session_id: 1, chars: '' },
          rest.replace(/^ok:/, '').replaceAll('_', ' ') || 'running',
        );
        break;
      case 'P':
        this.step(
          'TodoWrite',
          { todos: [{ content: subject.startsWith('=') ? subject : `item ${++this.plans}` }] },
          /(?:fail|ok):/.test(rest)
            ? rest.replace(/^.*?(?:fail|ok):/, '').replace(/^"(.*)"$/s, '$1')
            : 'Todos have been modified',
          rest.includes('fail:'),
        );
        break;
      case 'T':
        this.step('Task', { prompt: 'look around' }, 'nothing');
        break;
      case 'Q':
        this.step('AskUserQuestion', { question: 'which one?' }, 'that one');
        break;
      case 'U':
        this.put({ type: 'user', text: subject || 'go on', automated: false });
        break;
      case 'N':
        this.put({
          type: 'user',
          text: 'Unstuck, an automated watcher, wrote this. [unstuck 01JD0000000000000000000000]',
          automated: true,
        });
        break;
      case 'S':
        this.put({ type: 'user', text: subject, automated: true, scheduled: true });
        break;
      case 'F':
        this.put({ type: 'user', text: subject, automated: true });
        break;
      case 'A':
        this.put({ type: 'assistant', text: subject, chunk: false });
        break;
      case 'C':
        this.put({ type: 'compaction' });
        break;
      case 'X':
        this.put({ type: 'error', kind: subject.startsWith('API Error') ? 'api' : 'other', message: subject });
        break;
      case 'V':
        this.step('Bash', '{"command": "ls', 'the arguments are not valid JSON', true, {
          malformed: 'the arguments are not valid JSON',
        });
        break;
      case 'L':
        this.put({ type: 'error', kind: 'rate_limit', message: '529 Overloaded' });
        break;
      case 'D':
        this.put({ type: 'completion', claim: 'TASK_COMPLETE' });
        break;
      case 'K':
        this.put({ type: 'usage', contextTokens: Number(subject) * 1000, contextWindow: 100_000 });
        break;
      case '?':
        this.put({ type: 'waiting', for: 'input' });
        break;
      case 'tick':
        this.put({ type: 'clock' });
        break;
      case '.':
        this.put({ type: 'turn_end', reason: 'done' });
        break;
      case 'end':
        this.put({ type: 'session_end', reason: 'clean' });
        break;
      default:
        throw new Error(`no such sign: ${sign}`);
    }
  }

  private step(
    name: string,
    args: unknown,
    output: string,
    isError = false,
    { malformed, ...result }: Answer & { readonly malformed?: string } = {},
  ): void {
    const id = `call-${++this.calls}`;
    this.put({
      type: 'tool_call',
      id,
      name,
      args,
      // as a decoder does, so that a story cannot draw a tool as something that it is not
      ...describeCall(name, malformed === undefined ? args : {}),
      ...(this.batch && { batch: this.batch }),
      ...(malformed !== undefined && { malformed }),
    });
    const answer = (): void =>
      this.put({
        type: 'tool_result',
        id,
        output,
        isError,
        ...(name === 'Bash' && { exitCode: isError ? 1 : 0 }),
        ...result,
      });
    if (this.batch) this.waiting.push(answer);
    else answer();
  }

  private put(event: { type: AgentEvent['type'] } & Record<string, unknown>): void {
    this.at += STEP_MS / 2;
    const source: Source = { file: 'drawn.jsonl', line: ++this.line, offset: this.line * 100 };
    this.out.push({ agent: 'generic', session: 'drawn', at: this.at, source, ...event } as AgentEvent);
  }

  private filled(text: string): string {
    return text
      .replaceAll('%i', '[image]')
      .replaceAll('%l', '\n')
      .replaceAll('%L', () => 'x'.repeat(250_000))
      .replaceAll('%n', () => String(++this.count))
      .replaceAll('%t', () => new Date(this.at).toISOString());
  }
}
