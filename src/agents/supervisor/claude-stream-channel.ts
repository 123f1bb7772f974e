import type { MessageKind } from '../../core/model';
import { fail, ok, type Result } from '../../base/util/result';
import type { Channel, Restart, RestartFailure, RestartRequest, WriteLine } from './channel';
import { objectIn, parseLine, textIn } from './lines';
import { hasOption, optionOf, withoutOptions } from './program';

const SESSION = /^[A-Za-z0-9_-]{1,64}$/;
const NAME = /^[A-Za-z0-9][A-Za-z0-9_.:/@[\]+-]{0,127}$/;

/** Returns whether this is Claude Code with JSON lines on both streams. */
export function isClaudeStream(command: readonly string[]): boolean {
  return hasOption(command, '--input-format', 'stream-json') && hasOption(command, '--output-format', 'stream-json');
}

/**
 * Claude Code with `--input-format stream-json`: a user message on its standard input reaches the model at the next tool call, and a control request
 * interrupts the running tool at once (measured with 2.1.329).
 */
export class ClaudeStreamChannel implements Channel {
  readonly passes = 'lines';
  private session: string | undefined;
  private busy = false;
  private requests = 0;

  constructor(
    private readonly command: readonly string[],
    private readonly write: WriteLine,
    session: string | undefined,
  ) {
    this.session = session ?? optionOf(command, ['--session-id', '--resume', '-r']);
    // A fork has a new session, not the one it was made from.
    if (command.includes('--fork-session')) this.session = undefined;
  }

  sessions(): readonly string[] {
    return this.session === undefined ? [] : [this.session];
  }

  programWrote(line: Buffer): boolean {
    const record = parseLine(line);
    switch (record?.['type']) {
      case 'system': {
        const session = textIn(record, 'session_id');
        if (record['subtype'] === 'init' && session !== undefined && SESSION.test(session)) this.session = session;
        return true;
      }
      case 'result':
        this.busy = false;
        return true;
      case 'control_response':
        return textIn(objectIn(record, 'response'), 'request_id')?.startsWith('unstuck-') !== true;
      default:
        return true;
    }
  }

  personWrote(line: Buffer): void {
    if (parseLine(line)?.['type'] === 'user') this.busy = true;
  }

  mayCloseInput(): boolean {
    return !this.busy;
  }

  takes(kind: MessageKind): boolean {
    return kind !== 'block';
  }

  deliver(_session: string, text: string): Promise<boolean> {
    const written = this.write(userLine(text));
    if (written) this.busy = true;
    return Promise.resolve(written);
  }

  requestStop(): 'ends' | 'cannot' {
    const request_id = `unstuck-${++this.requests}`;
    const line = JSON.stringify({ type: 'control_request', request_id, request: { subtype: 'interrupt' } });
    this.busy = false;
    return this.write(line) ? 'ends' : 'cannot';
  }

  restart(request: RestartRequest): Promise<Result<Restart, RestartFailure>> {
    return Promise.resolve(this.plan(request));
  }

  /** Returns the person's own command with another session, model or effort; its other options stay. */
  private plan({ mode, session, prompt, model, thinking }: RestartRequest): Result<Restart, RestartFailure> {
    if (mode !== 'fresh' && !SESSION.test(session))
      return fail({ reason: 'bad_session', message: 'The id of this session cannot be passed to a program safely.' });
    for (const value of [model, thinking]) {
      if (value !== undefined && !NAME.test(value))
        return fail({ reason: 'bad_value', message: 'This is not the name of a model or an effort.' });
    }
    const valued = [
      '--resume',
      '-r',
      '--session-id',
      ...(model === undefined ? [] : ['--model']),
      ...(thinking === undefined ? [] : ['--effort']),
    ];
    const base = withoutOptions(this.command, valued, ['--continue', '-c', '--fork-session']);
    const argv = [
      ...base,
      ...(mode === 'fresh' ? [] : ['--resume', session]),
      ...(mode === 'fork' ? ['--fork-session'] : []),
      ...(model === undefined ? [] : ['--model', model]),
      ...(thinking === undefined ? [] : ['--effort', thinking]),
    ];
    return ok({
      how: 'start',
      argv,
      lines: [userLine(prompt)],
      input: 'passed_on',
      ...(mode === 'resume' && { session }),
    });
  }
}

function userLine(text: string): string {
  return JSON.stringify({
    type: 'user',
    message: { role: 'user', content: [{ type: 'text', text }] },
    parent_tool_use_id: null,
  });
}
