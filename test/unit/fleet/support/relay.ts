import type { MessageRecord } from '../../../../src/fleet';
import type {
  IncomingMessage,
  LinkChange,
  RelayAgents,
  RelayLink,
  RelayMailbox,
} from '../../../../src/fleet/relay/ports';
import { Relay, type RelayState } from '../../../../src/fleet/relay/relay';
import type { AgentView, FleetProblem, Incident } from '../../../../src/core/model';
import { Emitter } from '../../../../src/base/util/emitter';
import { silentLog } from '../../../../src/base/util/log';
import { fail, ok, type Result } from '../../../../src/base/util/result';
import { FakeClock, settle } from './clock';

/** The agents of a machine, set by a test. */
class FakeAgents implements RelayAgents {
  readonly views = new Map<string, AgentView>();
  private readonly changed = new Emitter<readonly string[]>();
  private readonly incident = new Emitter<{ incident: Incident; before: Incident | null; session: string }>();
  readonly onDidChange = this.changed.event;
  readonly onDidChangeIncident = this.incident.event;

  agents = () => [...this.views.values()];
  shownAgent = (session: string) => this.views.get(session);

  set(...views: readonly AgentView[]): void {
    for (const view of views) this.views.set(view.session, view);
    this.changed.fire(views.map(({ session }) => session));
  }

  remove(session: string): void {
    this.views.delete(session);
    this.changed.fire([session]);
  }

  raise(session: string, incident: Incident, before: Incident | null = null): void {
    this.incident.fire({ incident, before, session });
  }
}

/** A message server that stores what it is given, fails when told to, and delivers messages. */
export class FakeLink implements RelayLink {
  up = true;
  /** The answer to everything that is stored; null: success. */
  failing: FleetProblem | null = null;
  claims: ('free' | 'taken' | 'unknown')[] = [];
  readonly states = new Map<string, unknown>();
  readonly puts: string[] = [];
  readonly published: { readonly subject: string; readonly id: string; readonly record: unknown }[] = [];
  readonly done: string[] = [];
  drained = false;
  taking = false;
  private readonly changed = new Emitter<LinkChange>();
  readonly onDidChange = this.changed.event;
  private handle: ((message: IncomingMessage) => Promise<void>) | undefined;
  private answer: ((run: string) => boolean) | undefined;

  isUp = () => this.up;

  async putState(key: string, bytes: Uint8Array): Promise<Result<void, FleetProblem>> {
    if (this.failing) return fail(this.failing);
    this.puts.push(key);
    this.states.set(key, JSON.parse(new TextDecoder().decode(bytes)));
    return ok(undefined);
  }

  async removeState(key: string): Promise<Result<void, FleetProblem>> {
    if (this.failing) return fail(this.failing);
    this.states.delete(key);
    return ok(undefined);
  }

  async publish(subject: string, id: string, bytes: Uint8Array): Promise<Result<void, FleetProblem>> {
    if (this.failing) return fail(this.failing);
    if (!this.published.some((one) => one.id === id))
      this.published.push({ subject, id, record: JSON.parse(new TextDecoder().decode(bytes)) });
    return ok(undefined);
  }

  takeMessages(handle: (message: IncomingMessage) => Promise<void>) {
    this.handle = handle;
    this.taking = true;
    return { dispose: () => void (this.taking = false) };
  }

  answerClaims(answer: (run: string) => boolean) {
    this.answer = answer;
    return { dispose: () => undefined };
  }

  claim = async () => this.claims.shift() ?? 'free';

  async drain(): Promise<void> {
    this.drained = true;
  }

  dispose(): void {}

  /** Asks for the name as another relay does. */
  asks(run: string): boolean {
    return this.answer?.(run) ?? false;
  }

  lose(): void {
    this.up = false;
    this.changed.fire({ kind: 'down', problem: 'unreachable', detail: '' });
  }

  find(): void {
    this.up = true;
    this.changed.fire({ kind: 'up', server: 'x' });
  }

  async deliver(message: MessageRecord | object, viewer = 'me'): Promise<void> {
    const bytes = new TextEncoder().encode(JSON.stringify(message));
    const { id = '-' } = message as { id?: string };
    await this.handle?.({ viewer, bytes, done: async () => void this.done.push(id) });
    await settle();
  }

  records(subject: string): readonly object[] {
    return this.published.filter((one) => one.subject === subject).map(({ record }) => record as object);
  }
}

/** Inboxes that keep what is written. */
class FakeMailbox implements RelayMailbox {
  readonly written: string[] = [];
  allowed: readonly ('nudge' | 'stop' | 'restart')[] = ['nudge'];
  failing = false;

  accepts = () => this.allowed;

  async write(_view: AgentView, { id }: MessageRecord) {
    if (this.failing) return fail({ why: 'inbox' as const, detail: 'the disk is full' });
    if (this.written.includes(id)) return ok('known' as const);
    this.written.push(id);
    return ok('queued' as const);
  }
}

/** A relay of machine alpha over all of these. Runs are numbered, so that the second relay's is later. */
export function relayKit() {
  const [link, agents, mailbox, clock] = [new FakeLink(), new FakeAgents(), new FakeMailbox(), new FakeClock()];
  const states: RelayState[] = [];
  let ids = 0;
  const newId = () => `01JD${String(++ids).padStart(22, '0')}`;
  const options = { machine: 'alpha', host: 'alpha', version: '1', platform: 'linux', allow: ['nudge' as const] };
  const relay = new Relay({ link, agents, mailbox, clock, log: silentLog, newId }, options, (state) =>
    states.push(state),
  );
  return { relay, link, agents, mailbox, clock, states };
}
