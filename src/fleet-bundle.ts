/**
 * The bundle that speaks with a message server, `dist/fleet.js`. Extension and command line load it only when a person asked for it; nothing
 * else of the project opens a socket.
 */
export { connectFleet } from './fleet/connection/connect-fleet';
export { credentialsFile } from './fleet/connection/credentials';
export { runRelay } from './fleet/connection/run-relay';
export { serverFile, usersFile } from './fleet/server/config';
export { newUser } from './fleet/server/keys';
export { prepareServer } from './fleet/server/prepare';
export { readCredentials } from './fleet/connection/credentials';
