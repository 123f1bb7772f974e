import { randomUUID } from 'node:crypto';
import type { LivenessProbe, LocateEnvironment } from '../agents/adapter';
import { registry } from '../agents/registry';
import {
  appendReceipt,
  inboxFolder,
  markSupervised,
  receipt,
  supervisorOf,
  takeMessages,
  unmarkSupervised,
} from '../inbox';
import { withMark } from '../inbox/mark';
import type { AgentId, DeliveryState, InboxMessage, Receipt } from '../model';
import { type AgentProcess, type Ended, exitCodeOf, PATIENCE, type Patience, startProcess } from './agent-process';
import { type Channel, isText, type Restart } from './channel';
import { ClaudeStreamChannel, isClaudeStream } from './claude-stream-channel';
import { CodexServerChannel, isCodexServer } from './codex-server-channel';
import { refuseRestart, RESTART_LIMITS, type RestartLimits } from './limits';
import { PlainChannel } from './plain-channel';
import { Input, passOutput, type Streams } from './streams';

/** How often the inbox is looked into, milliseconds: a person who clicked waits. */
const LOOK_INTERVAL = 300;
/** A program that ends sooner after its start did not really start, milliseconds. */
const STARTS_WITHIN = 700;
const BY = 'supervisor';

/** What the supervisor did, for the person and for `--json`. */
export interface SupervisorEvent {
  readonly event: 'started' | 'session' | 'delivered' | 'stopping' | 'restarting' | 'refused' | 'ended';
  /** One sentence. */
  readonly message: string;
  readonly session?: string;
  /** Id of the inbox message that asked for it. */
  readonly id?: string;
  readonly reason?: string;
}

export interface SuperviseOptions {
  readonly agent: AgentId;
  /** A program and its arguments, from the person's own command line. */
  readonly command: readonly string[];
  /** Workspace folder: where the command runs and the inbox lies. Absolute. */
  readonly folder: string;
  /** The session whose messages are for this command; where absent it is learned from what the agent says. */
  readonly session?: string;
  /** Further arguments for each start by the agent's template. */
  readonly args?: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly streams: Streams;
  readonly environment: LocateEnvironment;
  readonly probe: LivenessProbe;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly tell: (event: SupervisorEvent) => void;
  /** Calls back for each signal that we get; gives what ends that. */
  readonly onSignal: (listener: (signal: NodeJS.Signals) => void) => () => void;
  readonly limits?: RestartLimits;
  readonly patience?: Patience;
}

/** Runs a command and obeys its inbox. Gives the exit code of the command, of the last one where it was started again. */
export function supervise(options: SuperviseOptions): Promise<number> {
  return new Supervisor(options).run();
}

interface Current {
  readonly running: AgentProcess;
  readonly channel: Channel;
}

type Start = Extract<Restart, { how: 'start' }>;

class Supervisor {
  private readonly input: Input;
  private readonly restarts: number[] = [];
  private current: Current | null = null;
  private next: { readonly start: Start; readonly message: InboxMessage } | null = null;
  private looking: Promise<void> | null = null;
  private told = '';
  /** Sessions that are marked as obeyed by us. */
  private readonly marked = new Set<string>();

  constructor(private readonly options: SuperviseOptions) {
    this.input = new Input(options.streams.stdin);
  }

  async run(): Promise<number> {
    const { command, session, onSignal } = this.options;
    const timer = setInterval(() => this.look(), LOOK_INTERVAL);
    const stopListening = onSignal((signal) => this.current?.running.signal(signal));
    try {
      let restartedBy: InboxMessage | null = null;
      let start: Start = { how: 'start', argv: command, input: 'passed_on', ...(session !== undefined && { session }) };
      for (;;) {
        const ended = await this.runOnce(start, restartedBy);
        const { next } = this;
        this.next = null;
        if (next === null) {
          this.options.tell({ event: 'ended', message: endedWords(ended) });
          return exitCodeOf(ended);
        }
        start = next.start;
        restartedBy = next.message;
      }
    } finally {
      clearInterval(timer);
      stopListening();
      this.input.dispose();
      await this.looking;
      for (const session of this.marked) await unmarkSupervised(this.options.folder, session);
    }
  }

  private async runOnce(start: Start, restartedBy: InboxMessage | null): Promise<Ended> {
    const { folder, env, probe, streams, tell } = this.options;
    const running = startProcess(start.argv, { cwd: folder, env: { ...env, ...start.env }, input: start.input, probe });
    const channel = this.channelFor(running, start);
    const heard = () => {
      this.input.settle();
      this.sayWhichSession(channel);
    };
    passOutput(running, channel, streams, heard);
    this.current = { running, channel };
    for (const line of start.lines ?? []) {
      channel.told(Buffer.from(line));
      running.child.stdin?.write(`${line}\n`);
    }
    this.input.attach(running, channel);
    if (running.child.pid !== undefined)
      tell({ event: 'started', message: `Process ${running.child.pid} runs; its inbox is that of ${folder}.` });
    const settled = restartedBy === null ? undefined : this.settleRestart(restartedBy, start, running);
    const ended = await running.ended;
    await settled;
    if (ended.error !== undefined)
      tell({ event: 'refused', message: `The command could not be started: ${ended.error}.`, reason: 'not_started' });
    this.current = null;
    this.input.detach();
    return ended;
  }

  private channelFor(running: AgentProcess, start: Start): Channel {
    const { agent, folder, command, args = [] } = this.options;
    const { stdin, pid } = running.child;
    const write = (line: string) => {
      if (!stdin || stdin.writableEnded || stdin.destroyed) return false;
      stdin.write(`${line}\n`);
      return true;
    };
    if (agent === 'claude-code' && isClaudeStream(start.argv))
      return new ClaudeStreamChannel(start.argv, write, start.session);
    if (agent === 'codex' && isCodexServer(start.argv)) return new CodexServerChannel(folder, write);
    return new PlainChannel({
      agent,
      command,
      folder,
      args,
      registered: () => (pid === undefined ? undefined : this.registered(pid)),
      newId: randomUUID,
      ...(start.session !== undefined && { session: start.session }),
    });
  }

  /** The session that the agent's own registry names for a process. */
  private registered(pid: number): string | undefined {
    const { agent, environment, probe } = this.options;
    const adapter = registry.find((one) => one.id === agent);
    for (const [session, { pid: owner, alive }] of adapter?.liveness?.(environment, probe) ?? [])
      if (alive && owner !== undefined && this.isOf(owner, pid)) return session;
    return undefined;
  }

  /** Is a process the one that was started, or a child of it? Agents come with a small program that starts the real one. */
  private isOf(owner: number, pid: number): boolean {
    let one: number | undefined = owner;
    for (let generation = 0; one !== undefined && one > 1 && generation < 4; generation++) {
      if (one === pid) return true;
      const status = this.options.probe.read(`/proc/${one}/stat`);
      const parent = status?.slice(status.lastIndexOf(')') + 2).split(' ')[1];
      one = parent === undefined ? undefined : Number(parent);
    }
    return false;
  }

  private sayWhichSession(channel: Channel): void {
    const sessions = channel.sessions().join(', ');
    if (sessions === '' || sessions === this.told) return;
    this.told = sessions;
    this.options.tell({ event: 'session', message: `Takes the messages of session ${sessions}.`, session: sessions });
  }

  /** Tells windows that this session can be started again without a terminal. */
  private async mark(session: string): Promise<void> {
    if (this.marked.has(session)) return;
    this.marked.add(session);
    const { folder, probe, tell } = this.options;
    const other = supervisorOf(folder, session, probe);
    if (other !== null && other.pid !== process.pid)
      tell({ event: 'refused', message: `Process ${other.pid} supervises this session too.`, session, reason: 'two' });
    const marked = await markSupervised(folder, session, {
      pid: process.pid,
      start: probe.processStart(process.pid) ?? '',
    });
    if (!marked.ok) tell({ event: 'refused', message: marked.error.message, session, reason: marked.error.code });
  }

  private look(): void {
    this.looking ??= this.takeAll().finally(() => {
      this.looking = null;
    });
  }

  private async takeAll(): Promise<void> {
    const { current } = this;
    if (!current || this.next) return;
    this.sayWhichSession(current.channel);
    for (const session of current.channel.sessions()) {
      await this.mark(session);
      const taken = await takeMessages({
        root: this.options.folder,
        session,
        by: BY,
        now: this.options.now(),
        choose: (waiting) => chosen(waiting, current),
      });
      if (!taken.ok) {
        this.options.tell({ event: 'refused', message: taken.error.message, reason: taken.error.code });
        continue;
      }
      for (const message of taken.value.messages) await this.obey(message, current);
    }
  }

  private async obey(message: InboxMessage, current: Current): Promise<void> {
    const { session, id, kind } = message;
    switch (kind) {
      case 'nudge':
      case 'gate':
      case 'reassign':
      case 'checkpoint':
        if (!(await current.channel.deliver(session, withMark(message.text, id))))
          await this.refuse(message, 'not_running', 'The agent takes nothing any more.');
        else this.options.tell({ event: 'delivered', message: `Handed over: ${kind}.`, session, id });
        return;
      case 'stop':
        await this.stop(message, current);
        return;
      case 'restart':
      case 'escalate':
        await this.restart(message, current);
        return;
      case 'block':
        await this.refuse(message, 'not_for_me', 'Only a hook can refuse a call.');
    }
  }

  private async stop(message: InboxMessage, { running, channel }: Current): Promise<void> {
    const { session, id } = message;
    if (!running.isRunning()) return this.refuse(message, 'not_running', 'The agent does not run any more.');
    this.options.tell({ event: 'stopping', message: 'Stopping the agent.', session, id });
    const asked = channel.askToStop(session);
    if (asked !== 'done') await this.end(running, asked === 'ends');
    // Nothing of a stop shows in the transcript: that the process is gone is all there is to know.
    await this.write(message, 'acted', { outcome: 'changed', reason: 'stopped' });
  }

  private end(running: AgentProcess, asked: boolean): Promise<Ended> {
    const { agent, patience = PATIENCE } = this.options;
    // Agents take SIGINT for Ctrl-C and still write their last lines; a program that is not known is told to end.
    return running.end(() => asked, agent === 'generic' ? 'SIGTERM' : 'SIGINT', patience);
  }

  private async restart(message: InboxMessage, current: Current): Promise<void> {
    const { session, id, restart } = message;
    const { now, limits = RESTART_LIMITS, tell } = this.options;
    if (!restart) return this.refuse(message, 'no_prompt', 'The message says nothing about the restart.');
    const refusal = refuseRestart(this.restarts, now(), limits);
    if (refusal) return this.refuse(message, refusal, REFUSALS[refusal]);
    const { mode, model, thinking } = restart;
    const planned = await current.channel.restart({
      mode,
      session,
      prompt: withMark(restart.prompt.trim() === '' ? message.text : restart.prompt, id),
      ...(model !== undefined && { model }),
      ...(thinking !== undefined && { thinking }),
    });
    if (!planned.ok) return this.refuse(message, planned.error.reason, planned.error.message);
    this.restarts.push(now());
    tell({ event: 'restarting', message: `Starting the agent again (${mode}).`, session, id });
    if (planned.value.how === 'done') {
      if (planned.value.session !== session) await this.settleElsewhere(message, planned.value.session);
      return;
    }
    this.next = { start: planned.value, message };
    this.input.detach();
    await this.end(current.running, current.channel.askToStop(session) === 'ends');
  }

  /** What came of a restart, where the transcript of the old session will not show it. */
  private async settleRestart(message: InboxMessage, start: Start, running: AgentProcess): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const lives = new Promise<null>((done) => {
      timer = setTimeout(() => done(null), STARTS_WITHIN);
    });
    const ended = await Promise.race([running.ended, lives]);
    clearTimeout(timer);
    if (ended && exitCodeOf(ended) !== 0) return this.refuse(message, 'not_started', 'The agent ended at once.');
    if (message.restart?.mode !== 'resume') await this.settleElsewhere(message, start.session);
  }

  private settleElsewhere(message: InboxMessage, session: string | undefined): Promise<void> {
    const known = session !== undefined && session !== message.session;
    const reason = known ? `goes_on_as ${session}` : 'started_anew';
    return this.write(message, 'acted', { outcome: 'changed', reason });
  }

  private async refuse(message: InboxMessage, reason: string, words: string): Promise<void> {
    this.options.tell({ event: 'refused', message: words, session: message.session, id: message.id, reason });
    await this.write(message, 'failed', { reason });
  }

  private async write(
    message: InboxMessage,
    state: DeliveryState,
    more: Pick<Receipt, 'outcome' | 'reason'>,
  ): Promise<void> {
    const folder = inboxFolder(this.options.folder, message.session);
    await appendReceipt(folder, receipt(message.id, state, BY, this.options.now(), more));
  }
}

const REFUSALS = {
  restart_limit: 'This run has been started again as often as is allowed.',
  restarted_just_now: 'The agent was started again only just now.',
} as const;

/** Texts first, then one command: after it the process is another. */
function chosen(waiting: readonly InboxMessage[], { channel, running }: Current): readonly InboxMessage[] {
  if (!running.isRunning()) return [];
  const mine = waiting.filter(({ kind }) => channel.takes(kind));
  const commands = mine.filter((message) => !isText(message));
  const command = commands.find(({ kind }) => kind === 'stop') ?? commands[0];
  return [...mine.filter(isText), ...(command ? [command] : [])];
}

function endedWords({ code, signal }: Ended): string {
  return signal === null ? `The command ended with exit code ${code ?? 'unknown'}.` : `The command ended by ${signal}.`;
}
