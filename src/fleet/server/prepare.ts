import {
  addressOf,
  type ConnectFailure,
  type ConnectOptions,
  connectOnce,
  connectFailure,
} from '../connection/connect';
import { prepareStreams } from './streams';

export interface PrepareOptions extends Omit<ConnectOptions, 'role'> {
  readonly machines: readonly string[];
  /** Number of servers that each keep all data: 1, 3 or 5. */
  readonly replicas: number;
}

/** Creates what a message server needs, with the administrator's credentials. Can be repeated. Null: it is done. */
export async function prepareServer({ machines, replicas, ...to }: PrepareOptions): Promise<ConnectFailure | null> {
  const address = addressOf({ ...to, role: 'admin' });
  if (!address.ok) return address.error;
  const over = new AbortController();
  const connection = await connectOnce(address.value, over.signal);
  if (!connection.ok) return connection.error;
  try {
    await prepareStreams(connection.value, machines, replicas);
    return null;
  } catch (error) {
    return connectFailure(error);
  } finally {
    over.abort();
  }
}
