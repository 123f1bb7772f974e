import type { FleetBundle, FleetClient, FleetStatus } from '../../fleet';
import type { Disposable } from '../../base/util/disposable';
import { Emitter } from '../../base/util/emitter';
import type { Log } from '../../base/util/log';
import { type FleetTrouble, fleetNote } from '../../core/words';
import type { Note } from '../trees/notes';
import type { FleetCredentials } from './credentials';
import type { RemoteAgents } from './remote-agents';

export interface FleetHost {
  /** Returns the addresses from the setting. If there are none, nothing is loaded and no connection is made. */
  readonly servers: () => readonly string[];
  readonly credentials: Pick<FleetCredentials, 'get' | 'askOnce' | 'onDidChange'>;
  /** Loads the bundle that opens sockets. */
  readonly load: () => Promise<FleetBundle>;
  readonly agents: Pick<RemoteAgents, 'follow'>;
  readonly log: Log;
}

/** The connection to the message server. Follows the setting and the credentials. */
export class Fleet implements Disposable {
  private readonly changed = new Emitter<void>();
  /** Fires when the note about the connection changed. */
  readonly onDidChange = this.changed.event;
  private readonly subscription: Disposable;
  private current: FleetClient | null = null;
  private trouble: FleetTrouble | null = null;
  /** Settings of the present connection. */
  private made = '';
  /** Number of the newest connection attempt. Connecting has asynchronous steps, and only the newest attempt counts. */
  private turn = 0;

  constructor(private readonly host: FleetHost) {
    this.subscription = host.credentials.onDidChange(() => this.configure());
  }

  dispose(): void {
    this.turn++;
    this.subscription.dispose();
    this.close();
    this.changed.dispose();
  }

  get client(): FleetClient | null {
    return this.current;
  }

  /** Called when the setting or the credentials may have changed. */
  configure(): void {
    const turn = ++this.turn;
    this.connect(turn).catch((error: unknown) => {
      this.host.log.error(`other machines: ${String(error)}`);
      if (turn === this.turn) this.say('broken');
    });
  }

  /** Returns one line to show below the agents; null if there is nothing to say. */
  note(): Note | null {
    if (this.trouble === null) return null;
    const { text, command } = fleetNote(this.trouble);
    return { id: 'fleet', text, ...(command && { command }) };
  }

  private async connect(turn: number): Promise<void> {
    const { servers, credentials, load, agents, log } = this.host;
    const list = servers();
    if (list.length === 0) {
      this.close();
      return this.say(null);
    }
    const secret = await credentials.get();
    if (turn !== this.turn) return;
    if (secret === undefined) {
      this.close();
      this.say('no_credentials');
      return credentials.askOnce(list);
    }
    const made = JSON.stringify([list, secret]);
    if (this.current && made === this.made) return;
    const bundle = await load();
    if (turn !== this.turn) return;
    this.close();
    this.made = made;
    this.current = bundle.connectFleet({ servers: list, credentials: secret, log });
    this.current.onDidChangeStatus((status) => this.statusChanged(status));
    this.statusChanged(this.current.status());
    agents.follow(this.current);
  }

  private statusChanged(status: FleetStatus): void {
    switch (status.kind) {
      case 'connecting':
        return this.say('connecting');
      case 'connected':
        this.host.log.info(`other machines: connected to ${status.server}`);
        return this.say(null);
      case 'disconnected':
        this.host.log.warn(`other machines: ${status.problem}: ${status.detail}`);
        return this.say(status.problem);
    }
  }

  private close(): void {
    if (!this.current) return;
    this.host.agents.follow(null);
    this.current.dispose();
    this.current = null;
    this.made = '';
  }

  private say(trouble: FleetTrouble | null): void {
    if (trouble === this.trouble) return;
    this.trouble = trouble;
    this.changed.fire();
  }
}
