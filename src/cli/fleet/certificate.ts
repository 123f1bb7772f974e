import { spawnSync } from 'node:child_process';
import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import { readTextNow } from '../../base/files';
import { UsageError } from '../output';
import { replace } from './files';

/** Bytes of a certificate. */
const LARGEST = 64 * 1024;
const VALID_DAYS = '825';

/** Returns the paths of the certificate and its key in the folder of a fleet. */
export function certificatePaths(folder: string): { readonly certificate: string; readonly key: string } {
  return { certificate: join(folder, 'server.crt'), key: join(folder, 'server.key') };
}

/** Reads the certificate in the folder of a fleet; null where there is none: an earlier version set it up in plain text. */
export function readCertificate(folder: string): string | null {
  const text = readTextNow(certificatePaths(folder).certificate, { limit: LARGEST });
  return text.ok ? text.value : null;
}

/** The host that a certificate was made for. */
export function hostOf(certificate: string): string | undefined {
  try {
    return /^CN=(.+)$/m.exec(new X509Certificate(certificate).subject)?.[1];
  } catch {
    return undefined;
  }
}

/**
 * Makes a certificate of the server's own, for its host and for this machine, and returns it. There is no authority between machines that
 * belong to one person or team: it vouches for itself.
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
