import { takeMessages } from '../inbox';
import type { InboxMessage } from '../../core/model';
import { type Ended, shellExitCode, startProcess } from './agent-process';
import { chooseChannel } from './choose-channel';
import { type Current, type StartCommand, SUPERVISOR, type SuperviseOptions } from './options';
import { nextMessages, Orders } from './orders';
import { ObeyedSessions } from './sessions';
import { Input, passOutput } from './streams';

/** Interval at which the inbox is checked, in milliseconds. Short, because a person who clicked is waiting. */
const LOOK_INTERVAL = 300;

/** Runs a command and obeys its inbox. Resolves to the exit code of the last command that ran. */
export function supervise(options: SuperviseOptions): Promise<number> {
  return new Supervisor(options).run();
}

class Supervisor {
  private readonly input: Input;
  private readonly sessions: ObeyedSessions;
  private readonly orders: Orders;
  private current: Current | null = null;
  private next: { readonly start: StartCommand; readonly message: InboxMessage; cancelled: boolean } | null = null;
  private looking: Promise<void> | null = null;

  constructor(private readonly options: SuperviseOptions) {
    this.input = new Input(options.streams.stdin);
    this.sessions = new ObeyedSessions(options);
    this.orders = new Orders(options, (start, message) => {
      this.next = { start, message, cancelled: false };
      this.input.detach();
    });
  }

  async run(): Promise<number> {
    const { command, session, onSignal } = this.options;
    const timer = setInterval(() => this.look(), LOOK_INTERVAL);
    const stopListening = onSignal((signal) => {
      // Whoever ends this command, or closes its terminal, while the agent is being restarted wants no other agent.
      if (this.next) this.next.cancelled = true;
      this.current?.running.signal(signal);
    });
    try {
      let restartedBy: InboxMessage | null = null;
      let start: StartCommand = {
        how: 'start',
        argv: command,
        input: 'passed_on',
        ...(session !== undefined && { session }),
      };
      for (;;) {
        const ended = await this.runOnce(start, restartedBy);
        const { next } = this;
        this.next = null;
        if (next?.cancelled) await this.orders.cancelRestart(next.message);
        if (next === null || next.cancelled) {
          this.options.report({ event: 'ended', message: endedWords(ended) });
          return shellExitCode(ended);
        }
        start = next.start;
        restartedBy = next.message;
      }
    } finally {
      clearInterval(timer);
      stopListening();
      this.input.dispose();
      await this.looking;
      await this.sessions.unmarkAll();
    }
  }

  private async runOnce(start: StartCommand, restartedBy: InboxMessage | null): Promise<Ended> {
    const { folder, env, probe, streams, report } = this.options;
    const running = startProcess(start.argv, { cwd: folder, env: { ...env, ...start.env }, input: start.input, probe });
    const channel = chooseChannel(running, start, this.options);
    const heard = () => {
      this.input.settle();
      this.sessions.announce(channel);
    };
    passOutput(running, channel, streams, heard);
    this.current = { running, channel };
    for (const line of start.lines ?? []) {
      channel.personWrote(Buffer.from(line));
      running.child.stdin?.write(`${line}\n`);
    }
    this.input.attach(running, channel);
    if (running.child.pid !== undefined)
      report({
        event: 'started',
        message: `Process ${running.child.pid} is running. Its inbox is the one of ${folder}.`,
      });
    const settled = restartedBy === null ? undefined : this.orders.settleRestart(restartedBy, start, running);
    const ended = await running.ended;
    await settled;
    if (ended.error !== undefined)
      report({ event: 'refused', message: `The command could not be started: ${ended.error}.`, reason: 'not_started' });
    this.current = null;
    this.input.detach();
    return ended;
  }

  private look(): void {
    this.looking ??= this.takeAll().finally(() => {
      this.looking = null;
    });
  }

  private async takeAll(): Promise<void> {
    const { current } = this;
    if (!current || this.next) return;
    this.sessions.announce(current.channel);
    const sessions = current.channel.sessions();
    await this.sessions.unmarkOthers(sessions);
    for (const session of sessions) {
      await this.sessions.mark(session);
      const taken = await takeMessages({
        root: this.options.folder,
        session,
        by: SUPERVISOR,
        now: this.options.now(),
        choose: (waiting) => nextMessages(waiting, current),
      });
      if (!taken.ok) {
        this.options.report({ event: 'refused', message: taken.error.message, reason: taken.error.code });
        continue;
      }
      for (const message of taken.value.messages) await this.orders.obey(message, current);
    }
  }
}

function endedWords({ code, signal }: Ended): string {
  return signal === null ? `The command ended with exit code ${code ?? 'unknown'}.` : `The command ended by ${signal}.`;
}
