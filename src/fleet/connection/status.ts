import { errors, type NatsConnection } from '@nats-io/transport-node';
import type { LinkChange } from '../relay/ports';

/** Tells when a connection comes and goes, and what the server refused meanwhile. */
export function followConnection(connection: NatsConnection, told: (change: LinkChange) => void): void {
  let refused: LinkChange | null = null;
  void (async () => {
    for await (const status of connection.status()) {
      switch (status.type) {
        case 'disconnect':
          told(refused ?? { kind: 'down', problem: 'unreachable', detail: 'The connection to the server was lost.' });
          break;
        case 'reconnect':
          refused = null;
          told({ kind: 'up', server: status.server });
          break;
        case 'error':
          if (
            status.error instanceof errors.AuthorizationError ||
            status.error instanceof errors.UserAuthenticationExpiredError
          ) {
            refused = {
              kind: 'down',
              problem: 'credentials',
              detail: 'The server does not accept these credentials any more.',
            };
            told(refused);
          }
          break;
        default:
      }
    }
  })();
}
