import { createUser } from '@nats-io/nkeys';

/** Creates a user of the message server: the part that the server knows, and the part that only the user has. */
export function newUser(): { readonly key: string; readonly seed: string } {
  const user = createUser();
  return { key: user.getPublicKey(), seed: new TextDecoder().decode(user.getSeed()) };
}
