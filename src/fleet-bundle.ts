/**
 * What the command line loads to speak with a message server, `dist/fleet.js`, and only when a person asked for it. A window needs the client
 * alone and imports `connect-fleet`.
 */
export { connectFleet } from './fleet/connection/connect-fleet';
export { credentialsFile } from './fleet/connection/credentials';
export { runRelay } from './fleet/connection/run-relay';
export { serverFile, usersFile } from './fleet/server/config';
export { newUser } from './fleet/server/keys';
export { prepareServer } from './fleet/server/prepare';
export { readCredentials } from './fleet/connection/credentials';
