/**
 * What the command line loads to speak with a message server, `dist/fleet.js`, and only when a person asked for it. A window needs the client
 * alone and imports `connect-fleet`.
 */
export { connectFleet } from './connection/connect-fleet';
export { credentialsFile } from './connection/credentials';
export { runRelay } from './connection/run-relay';
export { serverFile, usersFile } from './server/config';
export { newUser } from './server/keys';
export { prepareServer } from './server/prepare';
export { readCredentials } from './connection/credentials';
