import { createUser } from '@nats-io/nkeys';

/** A new user of the message server: what the server knows, and what only the user has. */
export function newUser(): { readonly key: string; readonly seed: string } {
  const user = createUser();
  return { key: user.getPublicKey(), seed: new TextDecoder().decode(user.getSeed()) };
}
