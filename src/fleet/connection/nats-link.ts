import { errors, type NatsConnection } from '@nats-io/nats-core';
import type { FleetProblem } from '../../core/model';
import { Emitter } from '../../base/util/emitter';
import type { Log } from '../../base/util/log';
import { fail, ok, type Result } from '../../base/util/result';
import type { LinkChange } from '../relay/ports';
import { connectFailure } from './connect';

/** Timeout for an answer or a confirmation of the server, milliseconds. */
export const ANSWERS_WITHIN_MS = 5_000;

/** Common base of the connections of a relay and of a window. */
export abstract class NatsLink {
  private readonly changed = new Emitter<LinkChange>((error) => this.log.error(String(error)));
  readonly onDidChange = this.changed.event;
  protected closed = false;
  private up = true;

  constructor(
    protected readonly connection: NatsConnection,
    protected readonly log: Log,
  ) {
    followConnection(connection, (change) => {
      this.up = change.kind === 'up';
      if (!this.closed) this.changed.fire(change);
    });
  }

  isUp(): boolean {
    return this.up && !this.closed;
  }

  dispose(): void {
    this.closed = true;
    void this.connection.close().catch(() => undefined);
  }
}

/** Awaits an answer of the server and classifies an error of the library. */
export async function answered<T>(request: () => Promise<T>): Promise<Result<T, FleetProblem>> {
  try {
    return ok(await request());
  } catch (error) {
    return fail(connectFailure(error).problem);
  }
}

/** Does the same where only the success matters. */
export function confirmed(request: () => Promise<unknown>): Promise<Result<void, FleetProblem>> {
  return answered(async () => void (await request()));
}

/** Reports when a connection comes and goes, and what the server refused meanwhile. */
function followConnection(connection: NatsConnection, onChange: (change: LinkChange) => void): void {
  let refused: LinkChange | null = null;
  void (async () => {
    for await (const status of connection.status()) {
      switch (status.type) {
        case 'disconnect':
          onChange(
            refused ?? { kind: 'down', problem: 'unreachable', detail: 'The connection to the server was lost.' },
          );
          break;
        case 'reconnect':
          refused = null;
          onChange({ kind: 'up', server: status.server });
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
            onChange(refused);
          }
          break;
        default:
      }
    }
  })();
}
