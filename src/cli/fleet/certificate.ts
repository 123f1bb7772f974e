import { spawnSync } from 'node:child_process';
import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import { readTextNow } from '../../base/files';
import { UsageError } from '../output';
import { replace } from './files';

/** Size limit of a certificate, bytes. */
const LARGEST = 64 * 1024;
const VALID_DAYS = '825';

/** Returns the paths of the certificate and its key in a fleet's folder. */
export function certificatePaths(folder: string): { readonly certificate: string; readonly key: string } {
  return { certificate: join(folder, 'server.crt'), key: join(folder, 'server.key') };
}

/** Reads the certificate in a fleet's folder. Null if there is none because an earlier version set the fleet up in plain text. */
export function readCertificate(folder: string): string | null {
  const text = readTextNow(certificatePaths(folder).certificate, { limit: LARGEST });
  return text.ok ? text.value : null;
}

/** Returns the host that a certificate was made for. */
export function hostOf(certificate: string): string | undefined {
  try {
    return /^CN=(.+)$/m.exec(new X509Certificate(certificate).subject)?.[1];
  } catch {
    return undefined;
  }
}

/**
 * Makes and returns a self-signed certificate for the server, valid for its host and for this machine. Machines of one person or team have no common
 * authority, so the certificate vouches for itself.
 */
export function makeCertificate(folder: string, host: string): string {
  const paths = certificatePaths(folder);
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const names = [`${/^\d+(?:\.\d+){3}$/.test(host) ? 'IP' : 'DNS'}:${host}`, 'DNS:localhost', 'IP:127.0.0.1', 'IP:::1'];
  replace(paths.key, String(privateKey.export({ type: 'pkcs8', format: 'pem' })));
  const request = ['req', '-x509', '-new', '-key', paths.key, '-days', VALID_DAYS, '-subj', `/CN=${host}`];
  const made = spawnSync('openssl', [...request, '-addext', `subjectAltName=${[...new Set(names)].join()}`], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  if (made.status !== 0 || hostOf(made.stdout) !== host)
    throw new UsageError('unreadable', 'unstuck fleet: openssl could not make a certificate. Install openssl.');
  replace(paths.certificate, made.stdout);
  return made.stdout;
}
