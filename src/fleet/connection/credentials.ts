import { isName } from '../wire';
import { fieldsOf, parseJson } from '../../base/util/json';
import { fail, ok, type Result } from '../../base/util/result';

/** Content of a credentials file. */
export interface Credentials {
  readonly role?: FleetRole;
  /** Name of the machine or the viewer. */
  readonly name?: string;
  /** Secret half of an NKey, `SU…`. */
  readonly seed: string;
  /** The whole text, for a server that knows its users by JWT. */
  readonly jwt: boolean;
  /** The only certificates that are trusted, in PEM; absent: those that the system trusts. */
  readonly certificates?: string;
}

const ROLES = ['machine', 'viewer', 'admin'] as const;
export type FleetRole = (typeof ROLES)[number];

/** Characters of a credentials file at most: a chain of certificates has a few thousand. */
const LARGEST_CREDENTIALS = 64 * 1024;

const SEED = /^SU[A-Z2-7]{56}$/m;
const JWT = /-----BEGIN NATS USER JWT-----\s+([\w.-]+)\s/;
const WHOSE = /^# unstuck (machine|viewer|admin) (\S+)$/m;
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]{1,20000}-----END CERTIFICATE-----/g;

/**
 * Reads credentials: an NKey seed, or a JWT with its seed as `nsc` writes it, and the certificates of the server if it made its own. A line
 * `# unstuck viewer anna` names the owner; a JWT has the name in its `name`.
 */
export function readCredentials(text: string): Result<Credentials, 'no_credentials'> {
  if (text.length > LARGEST_CREDENTIALS) return fail('no_credentials');
  const seed = SEED.exec(text)?.[0];
  if (seed === undefined) return fail('no_credentials');
  const [, role, said] = WHOSE.exec(text) ?? [];
  const token = JWT.exec(text)?.[1];
  const name = said ?? (token === undefined ? undefined : nameInToken(token));
  const certificates = text.match(CERTIFICATE)?.join('\n');
  return ok({
    ...(role !== undefined && { role: role as FleetRole }),
    ...(name !== undefined && isName(name) && { name }),
    seed,
    jwt: token !== undefined,
    ...(certificates !== undefined && { certificates }),
  });
}

function nameInToken(token: string): string | undefined {
  const claims = parseJson(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
  const { name } = fieldsOf(claims);
  return typeof name === 'string' ? name : undefined;
}

/** Returns the text of a credentials file. */
export function credentialsFile(role: FleetRole, name: string, seed: string, certificates: string): string {
  return `# unstuck ${role} ${name}
# Whoever has this file is "${name}" for the message server. Keep it as you keep a private key.
-----BEGIN USER NKEY SEED-----
${seed}
------END USER NKEY SEED------

# The server's own certificate: it alone is trusted.
${certificates.trim()}
`;
}
