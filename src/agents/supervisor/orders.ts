import { appendReceipt, inboxFolder, receipt } from '../inbox';
import { withMark } from '../inbox/messages/mark';
import { type DeliveryState, type InboxMessage, isTextKind, type Receipt } from '../../core/model';
import { type SupervisedProcess, type Ended, shellExitCode, PATIENCE } from './agent-process';
import type { Channel } from './channel';
import { refuseRestart, RESTART_LIMITS } from './limits';
import { type Current, type StartCommand, SUPERVISOR, type SuperviseOptions } from './options';

/** Milliseconds within which a program that ends with an error failed to start. Agents need a second or two to find out that they cannot run. */
const STARTS_WITHIN = 3_000;

const REFUSALS = {
  restart_limit: 'This run has reached its limit of restarts.',
  restarted_just_now: 'The agent was restarted only seconds ago.',
} as const;

/** Carries out inbox messages, and writes the receipts that the transcript cannot provide. */
export class Orders {
  /** Times at which the agent was started again, in milliseconds since the epoch. */
  private readonly restarts: number[] = [];

  /** @param startNext the program to run once the current one has ended */
  constructor(
    private readonly options: SuperviseOptions,
    private readonly startNext: (start: StartCommand, message: InboxMessage) => void,
  ) {}

  async obey(message: InboxMessage, current: Current): Promise<void> {
    const { session, id, kind } = message;
    switch (kind) {
      case 'nudge':
      case 'gate':
      case 'reassign':
      case 'checkpoint':
        if (!(await current.channel.deliver(session, withMark(message.text, id))))
          await this.refuse(message, 'not_running', 'The agent no longer takes messages.');
        else this.options.report({ event: 'delivered', message: `Delivered: ${kind}.`, session, id });
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

  /** Writes the receipt of a restart that the old session's transcript will not show. */
  async settleRestart(message: InboxMessage, start: StartCommand, running: SupervisedProcess): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const lives = new Promise<null>((done) => {
      timer = setTimeout(() => done(null), STARTS_WITHIN);
    });
    const ended = await Promise.race([running.ended, lives]);
    clearTimeout(timer);
    if (ended && shellExitCode(ended) !== 0) return this.refuse(message, 'not_started', 'The agent ended at once.');
    if (message.restart?.mode !== 'resume') await this.settleElsewhere(message, start.session);
  }

  /** Writes the receipt of a restart whose agent is not started, because a person ended this command meanwhile. */
  cancelRestart(message: InboxMessage): Promise<void> {
    return this.refuse(message, 'cancelled', 'The restart was cancelled.');
  }

  private async stop(message: InboxMessage, { running, channel }: Current): Promise<void> {
    const { session, id } = message;
    if (!running.isRunning()) return this.refuse(message, 'not_running', 'The agent is no longer running.');
    this.options.report({ event: 'stopping', message: 'Stopping the agent.', session, id });
    const stop = channel.requestStop(session);
    if (stop !== 'done') await this.end(running, channel, stop === 'ends');
    // A stop leaves nothing in the transcript: the end of the process is the only sign.
    await this.write(message, 'acted', { outcome: 'changed', reason: 'stopped' });
  }

  private async restart(message: InboxMessage, current: Current): Promise<void> {
    const { session, id, restart } = message;
    const { now, limits = RESTART_LIMITS, report } = this.options;
    if (!restart) return this.refuse(message, 'no_prompt', 'The message does not say how to restart.');
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
    report({ event: 'restarting', message: `Restarting the agent (${mode}).`, session, id });
    if (planned.value.how === 'done') {
      if (planned.value.session !== session) await this.settleElsewhere(message, planned.value.session);
      return;
    }
    this.startNext(planned.value, message);
    await this.end(current.running, current.channel, current.channel.requestStop(session) === 'ends');
  }

  private end(running: SupervisedProcess, channel: Channel, endsOnItsOwn: boolean): Promise<Ended> {
    const { agent, patience = PATIENCE } = this.options;
    // Agents treat SIGINT like Ctrl-C and still write their last lines. An unknown program gets SIGTERM, and so does a loop: a shell whose agent
    // answers SIGINT with a normal exit starts the next one.
    const first = agent === 'generic' || channel.isLoop?.() === true ? 'SIGTERM' : 'SIGINT';
    return running.end(() => endsOnItsOwn, first, patience);
  }

  private settleElsewhere(message: InboxMessage, session: string | undefined): Promise<void> {
    const known = session !== undefined && session !== message.session;
    const reason = known ? `goes_on_as ${session}` : 'started_anew';
    return this.write(message, 'acted', { outcome: 'changed', reason });
  }

  private async refuse(message: InboxMessage, reason: string, words: string): Promise<void> {
    this.options.report({ event: 'refused', message: words, session: message.session, id: message.id, reason });
    await this.write(message, 'failed', { reason });
  }

  private async write(
    message: InboxMessage,
    state: DeliveryState,
    more: Pick<Receipt, 'outcome' | 'reason'>,
  ): Promise<void> {
    const folder = inboxFolder(this.options.folder, message.session);
    await appendReceipt(folder, receipt(message.id, state, SUPERVISOR, this.options.now(), more));
  }
}

/** Selects the messages to take now: all texts, then one command, because another process runs after it. */
export function nextMessages(waiting: readonly InboxMessage[], { channel, running }: Current): readonly InboxMessage[] {
  if (!running.isRunning()) return [];
  const mine = waiting.filter(({ kind }) => channel.takes(kind));
  const commands = mine.filter(({ kind }) => !isTextKind(kind));
  const command = commands.find(({ kind }) => kind === 'stop') ?? commands[0];
  return [...mine.filter(({ kind }) => isTextKind(kind)), ...(command ? [command] : [])];
}
