import * as vscode from 'vscode';
import type { FleetBundle, SentMessage } from '../../fleet';
import { type Disposable, DisposableStore } from '../../base/util/disposable';
import { deliveryName, notTakenThere, refusalWords } from '../../core/words';
import type { Services } from '../services';
import { FleetCredentials } from './credentials';
import { Fleet } from './fleet';
import { FleetMessages } from './fleet-messages';
import { FleetRecovery } from './fleet-recovery';
import type { RemoteAgents } from './remote-agents';
import { warn } from '../voice';

/** The agents on other machines, in the form that the rest of the editor uses. */
export interface FleetParts extends Disposable {
  readonly connection: Fleet;
  readonly credentials: FleetCredentials;
  readonly messages: FleetMessages;
  readonly recovery: FleetRecovery;
}

/** Builds the parts that connect to other machines and act there. Loads nothing until a server is set. */
export function createFleet(
  { context, settings, log, now }: Services,
  agents: RemoteAgents,
  load: () => Promise<FleetBundle>,
): FleetParts {
  const owned = new DisposableStore();
  const credentials = new FleetCredentials(context);
  const servers = () => settings().fleetServers;
  const connection = owned.add(new Fleet({ servers, credentials, load, agents, log }));
  const follow = (sending: SentMessage, key: string) => {
    sending.onDidChange(({ state, reason = '' }) => {
      agents.messageChanged(key);
      if (state === 'refused' || state === 'lost') notify(sending, key, state === 'lost' ? state : reason);
    });
  };
  const notify = ({ message }: SentMessage, key: string, why: string) => {
    const title = agents.view(key)?.title ?? '';
    const text = notTakenThere(deliveryName(message.action, 0), title, message.machine, refusalWords(why));
    void warn(text);
  };
  const messages = new FleetMessages({
    agents,
    client: () => connection.client,
    isTrusted: () => vscode.workspace.isTrusted,
    now,
    expiryMs: () => settings().nudgeExpiryMs,
    follow,
  });
  return {
    connection,
    credentials,
    messages,
    recovery: new FleetRecovery(messages, now),
    dispose: () => owned.dispose(),
  };
}
