import { describe, expect, it } from 'vitest';
import { messageSituation } from '../../../../src/recover/decisions/message-situation';
import type { AgentEvent, PermissionMode, ToolResultEvent } from '../../../../src/core/model';
import { messageHindrance } from '../../../../src/recover/decisions/reach';
import { source } from '../../support/findings';
import { sessionWith } from './support';

type Loose = { type: AgentEvent['type'] } & Record<string, unknown>;

/** A Claude Code session, fed as it runs: each line one second after the one before. */
class Run {
  private at = 1_000_000;
  private line = 0;
  private calls = 0;
  readonly session = sessionWith({ agent: 'claude-code', agentName: 'Claude Code' });

  constructor(permissionMode: PermissionMode | undefined, more: object = { mode: 'interactive' }) {
    this.tell({ type: 'session_info', cwd: '/work', ...(permissionMode && { permissionMode }), ...more });
    this.tell({ type: 'user', text: 'Fix the parser', automated: false });
    this.tell({ type: 'turn_start' });
  }

  tell(event: Loose): this {
    this.at += 1000;
    this.tickUntil(this.at);
    this.line++;
    const base = { agent: 'claude-code', session: 's', at: this.at, source: source(this.line) };
    this.session.push({ ...base, ...event } as AgentEvent);
    return this;
  }

  /** A command that has no result yet. */
  start(command: string, more: object = {}): this {
    return this.called('Bash', { command, description: 'x' }, { kind: 'ran', command, subject: command, ...more });
  }

  edit(file = 'src/parser.ts'): this {
    return this.called('Edit', { file_path: file }, { kind: 'changed', target: file, subject: `Edit ${file}` });
  }

  look(file: string): this {
    return this.called('Read', { file_path: file }, { kind: 'looked', target: file, subject: `Read ${file}` });
  }

  /** The result of a call, the newest one by default. */
  answer(more: Partial<ToolResultEvent> = {}): this {
    return this.tell({ type: 'tool_result', id: `c${this.calls}`, output: 'done', isError: false, ...more });
  }

  /** Lets time pass in silence, and returns the state after it. */
  after(seconds: number): string {
    this.at += seconds * 1000;
    this.tickUntil(this.at);
    const { kind, waitingFor, probable } = this.session.view(this.at).state;
    return [kind, waitingFor, probable && 'probably'].filter(Boolean).join(' ');
  }

  private called(name: string, args: object, more: object): this {
    return this.tell({ type: 'tool_call', id: `c${++this.calls}`, name, args, ...more });
  }

  private tickUntil(at: number): void {
    for (let n = 0; n < 64 && this.session.deadline() <= at; n++) this.session.tick(this.session.deadline());
  }
}

const WAITS = 'waiting permission probably';

describe('a call that may need permission, and nothing is written', () => {
  it('probably waits for it after 20 s, until its result comes', () => {
    const run = new Run('all').edit();
    expect(run.after(19)).toBe('working');
    expect(run.after(1)).toBe(WAITS);
    expect(run.answer().after(0)).toBe('working');
    expect(run.after(30)).toBe('working');
  });

  it('has waited since the call was made, and is named', () => {
    const { session } = new Run('all').edit();
    const view = session.view(1_000_000 + 60_000);
    const calls = [{ id: 'c1', name: 'Edit', subject: 'Edit src/parser.ts' }];
    expect(view.state).toEqual({ kind: 'waiting', since: 1_004_000, waitingFor: 'permission', probable: true, calls });
    expect(view.doing).toMatchObject({ kind: 'tool', subject: 'Edit src/parser.ts' });
  });

  it('is stalled after an hour, without an incident: Claude Code would have ended what runs', () => {
    const run = new Run('all').start('npm publish');
    expect(run.after(30)).toBe(WAITS);
    expect(run.after(59 * 60)).toBe(WAITS);
    expect(run.after(9 * 60 * 60)).toBe('stalled');
    expect(run.session.book.all()).toEqual([]);
  });

  it('waits from when the call would have been ended, if no permission seemed to be needed', () => {
    const run = new Run('commands').start('git status', { args: { command: 'git status' } });
    expect(run.after(5 * 60)).toBe('working');
    expect(run.after(7 * 60)).toBe(WAITS);
    expect(run.after(9 * 60 * 60)).toBe('stalled');
    expect(run.session.book.all()).toEqual([]);
  });

  it('twin: a tool that nothing ends counts as silence like any other, once its patience is over', () => {
    const run = new Run('all').start('npm publish', { name: 'shell' });
    expect(run.after(30)).toBe(WAITS);
    expect(run.after(61 * 60)).toBe('stalled');
  });

  it('twin: so does a call in a mode that asks for nothing', () => {
    expect(new Run('nothing').start('npm publish').after(11 * 60)).toBe('stalled');
  });

  it('raises no incident', () => {
    const run = new Run('all').start('npm publish');
    run.after(59 * 60);
    expect(run.session.book.all()).toEqual([]);
  });

  it.each<[PermissionMode, string, string]>([
    ['all', WAITS, WAITS],
    ['commands', 'working', WAITS],
    ['edits', WAITS, 'working'],
    ['escalation', 'working', 'working'],
    ['nothing', 'working', 'working'],
  ])('in a mode that asks for %s: an edit is %s, a command %s', (permissionMode, edit, command) => {
    expect(new Run(permissionMode).edit().after(40)).toBe(edit);
    expect(new Run(permissionMode).start('npm run migrate').after(40)).toBe(command);
  });

  it('is not guessed if no mode is known', () => {
    expect(new Run(undefined).edit().after(40)).toBe('working');
  });

  it('runs if no person could be asked', () => {
    expect(new Run('all', { mode: 'print' }).start('npm run migrate').after(40)).toBe('working');
  });

  it('runs if the mode changed before it was made; a call made in a mode that asks still waits', () => {
    const allowed: Loose = { type: 'session_info', permissionMode: 'nothing' };
    expect(new Run('all').tell(allowed).start('npm run migrate').after(40)).toBe('working');
    const asking: Loose = { type: 'session_info', permissionMode: 'all' };
    expect(new Run('nothing').start('npm run migrate').tell(asking).after(40)).toBe('working');
  });
});

describe('a command that needs no permission', () => {
  it('only reads', () => {
    expect(new Run('all').start('grep -rn word /usr').after(40)).toBe('working');
    expect(new Run('all').look('src/parser.ts').after(40)).toBe('working');
  });

  it('only waits', () => {
    expect(new Run('all').start('sleep 120').after(40)).toBe('working');
  });

  it('was allowed before: the same program and sub-command ran', () => {
    const run = new Run('all').start('npm run build').answer();
    expect(run.start('npm run build -- --prod').after(40)).toBe('working');
  });

  it('twin: another sub-command of the program was allowed', () => {
    const run = new Run('all').start('npm run build').answer();
    expect(run.start('npm run migrate').after(40)).toBe(WAITS);
  });

  it('twin: it was refused before', () => {
    const run = new Run('all').start('npm run build').answer({ isError: true, denied: 'user' });
    expect(run.start('npm run build').after(40)).toBe(WAITS);
  });

  it('twin: one part of the line has not been allowed yet', () => {
    const run = new Run('all').start('git add .').answer();
    expect(run.start('git add . && git commit -m x').after(40)).toBe(WAITS);
  });

  it('twin: it ran while the mode asked for nothing', () => {
    const run = new Run('nothing').start('npm run build').answer();
    run.tell({ type: 'session_info', permissionMode: 'all' });
    expect(run.start('npm run build').after(40)).toBe(WAITS);
  });
});

describe('what is not the silence of a waiting call', () => {
  it('is a line that says that the command runs', () => {
    const run = new Run('all').start('npm run migrate');
    for (let second = 0; second < 60; second++) run.tell({ type: 'other', name: 'command runs' });
    expect(run.after(5)).toBe('working');
  });

  it('is the model that answers', () => {
    expect(new Run('all').edit().answer().after(60)).toBe('working');
  });

  it('is a call behind another one, which runs', () => {
    const run = new Run('all').start('npm test', { batch: 'b' }).answer();
    run.start('npm test', { batch: 'b2' });
    run.tell({
      type: 'tool_call',
      id: 'behind',
      name: 'Edit',
      args: {},
      kind: 'changed',
      subject: 'Edit a',
      batch: 'b2',
    });
    expect(run.after(60)).toBe('working');
    // Once the first one has its result, the edit has its own 20 s.
    expect(run.answer().after(19)).toBe('working');
    expect(run.after(1)).toBe(WAITS);
  });

  it('is a call that was never answered before the person continued', () => {
    const run = new Run('all').edit().tell({ type: 'user', text: 'Go on', automated: false });
    expect(run.after(60)).toBe('working');
  });

  it('is a call before the next request', () => {
    expect(new Run('all').edit().tell({ type: 'request' }).after(60)).toBe('working');
  });

  it('is the end of a turn, or of the session', () => {
    expect(new Run('all').edit().tell({ type: 'turn_end', reason: 'interrupted' }).after(60)).toBe('waiting turn_end');
    expect(new Run('all').edit().tell({ type: 'session_end', reason: 'clean' }).after(60)).toBe('finished');
  });

  it('is a call whose arguments could not be read', () => {
    expect(new Run('all').start('npm run', { malformed: 'no JSON' }).after(60)).toBe('working');
  });
});

describe('a message to an agent that probably waits', () => {
  it('may be sent by a person: a guess disables no button', () => {
    const { session } = new Run('all').edit();
    const view = session.view(2_000_000);
    expect(view.state.probable).toBe(true);
    const given = { trusted: true, inFolder: true };
    expect(messageHindrance(messageSituation(view, session, given))).toBeNull();
    expect(messageHindrance(messageSituation(view, undefined, given))).toBeNull();
  });
});

describe('something else that says whether it waits', () => {
  it('is a registry of running sessions, either way', () => {
    const run = new Run('all').edit();
    run.session.liveness = { alive: true, status: 'busy' };
    expect(run.after(60)).toBe('working');
    run.session.liveness = { alive: true, status: 'waiting', waitingFor: 'permission' };
    expect(run.after(0)).toBe('waiting permission');
    // A registry without a status, as of a lock, says only that the process lives.
    run.session.liveness = { alive: true };
    expect(run.after(0)).toBe(WAITS);
  });

  it('is a line of the format', () => {
    const run = new Run('all').edit().tell({ type: 'waiting', for: 'permission' });
    expect(run.after(60)).toBe('waiting permission');
  });
});
