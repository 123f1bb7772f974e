import type { AgentEvent, ToolCallEvent, ToolKind, ToolResultEvent } from '../../src/core/model';

const START = Date.parse('2026-11-20T10:00:00Z');

/** This many seconds after a run began, in milliseconds since the epoch. */
export const at = (seconds: number): number => START + seconds * 1000;

interface More {
  readonly call?: Partial<ToolCallEvent>;
  readonly result?: Partial<ToolResultEvent>;
}

/** A run told event by event, a second apart, with any fields that a rule reads. */
export class Tale {
  readonly events: AgentEvent[] = [];
  private at = START;
  private calls = 0;
  private session = 's';

  /** Puts the following events into this session. */
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

  /** Lets time pass before the next line. */
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
