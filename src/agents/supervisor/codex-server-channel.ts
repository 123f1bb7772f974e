import type { MessageKind } from '../../core/model';
import { fail, ok, type Result } from '../../base/util/result';
import type { Channel, Restart, RestartFailure, RestartRequest, WriteLine } from './channel';
import { objectIn, parseLine, textIn } from './lines';

type Fields = Readonly<Record<string, unknown>>;

/** Milliseconds within which the server must answer. */
const ANSWER_WITHIN = 10_000;
const OURS = 'unstuck-';
const PLAIN_SESSION = /^[A-Za-z0-9_-]{1,64}$/;

export function isCodexServer(command: readonly string[]): boolean {
  return command.includes('app-server') && !command.some((word) => word.startsWith('--listen'));
}

/**
 * `codex app-server` over its standard streams, together with the program that talks to it: our requests have our own ids, and their answers are not
 * passed on. `turn/steer` reaches the model with its next request, `turn/interrupt` ends the turn (measured with 0.169).
 */
export class CodexServerChannel implements Channel {
  readonly passes = 'lines';
  /** Threads of this server, each with the id of its running turn, or null. */
  private readonly threads = new Map<string, string | null>();
  private readonly waiting = new Map<string, (answer: Fields) => void>();
  private requests = 0;

  constructor(
    private readonly folder: string,
    private readonly write: WriteLine,
  ) {}

  sessions(): readonly string[] {
    return [...this.threads.keys()];
  }

  programWrote(line: Buffer): boolean {
    const record = parseLine(line);
    const id = textIn(record, 'id');
    if (record && id?.startsWith(OURS) && record['method'] === undefined) {
      this.waiting.get(id)?.(record);
      this.waiting.delete(id);
      return false;
    }
    const params = objectIn(record, 'params');
    const thread = textIn(params, 'threadId');
    switch (record?.['method']) {
      case 'thread/started':
        this.learn(textIn(objectIn(params, 'thread'), 'id'), null);
        break;
      case 'turn/started':
        this.learn(thread, textIn(objectIn(params, 'turn'), 'id') ?? null);
        break;
      case 'turn/completed':
        this.learn(thread, null);
        break;
      case 'thread/closed':
        if (thread !== undefined) this.threads.delete(thread);
        break;
      default:
        break;
    }
    return true;
  }

  personWrote(): void {}

  mayCloseInput(): boolean {
    return [...this.threads.values()].every((turn) => turn === null);
  }

  takes(kind: MessageKind): boolean {
    return kind !== 'block';
  }

  async deliver(session: string, text: string): Promise<boolean> {
    const turn = this.threads.get(session);
    const input = [{ type: 'text', text, text_elements: [] }];
    if (turn) {
      const steered = await this.request('turn/steer', { threadId: session, expectedTurnId: turn, input });
      // A server that has not answered yet may still do it: the text would come twice.
      if (steered.ok || steered.error.reason === 'not_answered') return steered.ok;
    }
    // No turn is running, or it just ended: start one with the text.
    return (await this.request('turn/start', { threadId: session, input })).ok;
  }

  /** Ends the turn. The server stays alive, since other threads may be running in it. */
  requestStop(session: string): 'done' | 'cannot' {
    const turn = this.threads.get(session);
    if (!turn) return 'done';
    return this.send('turn/interrupt', { threadId: session, turnId: turn }) ? 'done' : 'cannot';
  }

  async restart(request: RestartRequest): Promise<Result<Restart, RestartFailure>> {
    const { mode, session, prompt, model, thinking } = request;
    const turn = this.threads.get(session);
    if (turn) {
      const interrupted = await this.request('turn/interrupt', { threadId: session, turnId: turn });
      // A turn that has just ended on its own need not be interrupted.
      if (!interrupted.ok && this.threads.get(session) === turn) return interrupted;
    }
    const thread = await this.threadFor(mode, session, model);
    if (!thread.ok) return thread;
    const started = await this.request('turn/start', {
      threadId: thread.value,
      input: [{ type: 'text', text: prompt, text_elements: [] }],
      ...(model !== undefined && { model }),
      ...(thinking !== undefined && { effort: thinking }),
    });
    return started.ok ? ok({ how: 'done', session: thread.value }) : started;
  }

  private async threadFor(
    mode: RestartRequest['mode'],
    session: string,
    model: string | undefined,
  ): Promise<Result<string, RestartFailure>> {
    if (mode === 'resume') return ok(session);
    const more = model === undefined ? {} : { model };
    const answer =
      mode === 'fork'
        ? await this.request('thread/fork', { threadId: session, ...more })
        : await this.request('thread/start', { cwd: this.folder, ...more });
    if (!answer.ok) return answer;
    const id = textIn(objectIn(answer.value, 'thread'), 'id');
    if (id === undefined) return fail({ reason: 'not_answered', message: 'The server named no thread.' });
    this.learn(id, this.threads.get(id) ?? null);
    return ok(id);
  }

  private learn(thread: string | undefined, turn: string | null): void {
    if (thread !== undefined && PLAIN_SESSION.test(thread)) this.threads.set(thread, turn);
  }

  private send(method: string, params: Fields, id = `${OURS}${++this.requests}`): boolean {
    return this.write(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
  }

  private request(method: string, params: Fields): Promise<Result<Fields, RestartFailure>> {
    const id = `${OURS}${++this.requests}`;
    return new Promise((resolve) => {
      const late = setTimeout(() => {
        this.waiting.delete(id);
        resolve(fail({ reason: 'not_answered', message: `The server did not answer ${method}.` }));
      }, ANSWER_WITHIN);
      this.waiting.set(id, (answer) => {
        clearTimeout(late);
        const error = textIn(objectIn(answer, 'error'), 'message');
        if (error === undefined) resolve(ok(objectIn(answer, 'result') ?? {}));
        else resolve(fail({ reason: 'refused', message: `The server refused ${method}: ${error}` }));
      });
      if (this.send(method, params, id)) return;
      clearTimeout(late);
      this.waiting.delete(id);
      resolve(fail({ reason: 'not_running', message: 'The server no longer takes messages.' }));
    });
  }
}
