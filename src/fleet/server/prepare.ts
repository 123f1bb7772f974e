import {
  addressOf,
  type ConnectFailure,
  type ConnectOptions,
  connectOnce,
  connectFailure,
} from '../connection/connect';
import { forgetMachine, prepareStreams, SIZES, type StreamSizes } from './streams';

export interface PrepareOptions extends Omit<ConnectOptions, 'role'> {
  readonly machines: readonly string[];
  /** Machines whose messages and consumer are deleted. */
  readonly gone?: readonly string[];
  readonly sizes?: Partial<StreamSizes>;
}

/** Creates what a message server needs, with the administrator's credentials. Can be repeated. Null: it is done. */
export async function prepareServer({
  machines,
  gone = [],
  sizes,
  ...to
}: PrepareOptions): Promise<ConnectFailure | null> {
  const address = addressOf({ ...to, role: 'admin' });
  if (!address.ok) return address.error;
  const over = new AbortController();
  const connection = await connectOnce(address.value, over.signal);
  if (!connection.ok) return connection.error;
  try {
    await prepareStreams(connection.value, machines, { ...SIZES, ...sizes });
    for (const machine of gone) await forgetMachine(connection.value, machine);
    return null;
  } catch (error) {
    return connectFailure(error);
  } finally {
    over.abort();
  }
}
