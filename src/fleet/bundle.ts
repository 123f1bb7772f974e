/**
 * Entry of the message server client for the command line, `dist/fleet.js`, loaded only on request. A window needs the client alone and imports
 * `connect-fleet`.
 */
export { connectFleet } from './connection/connect-fleet';
export { credentialsFile } from './connection/credentials';
export { runRelay } from './connection/run-relay';
export { serverFile, usersFile } from './server/config';
export { newUser } from './server/keys';
export { prepareServer } from './server/prepare';
export { readCredentials } from './connection/credentials';
