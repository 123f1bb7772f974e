import { type Result, fail, ok } from '../../base/util/result';

/** Address at which metrics can be fetched: on this machine, and out of reach of others. */
export interface MetricsAddress {
  /** `127.…` or `::1`. */
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
}

/** `address` and `url` cannot be read; `open` can be reached from other machines; `plain` would be sent unencrypted; `secret` contains a password. */
export type TargetProblem = 'address' | 'url' | 'open' | 'plain' | 'secret';

const ADDRESS = /^(?:\[([0-9a-f:]{2,39})\]|([\w.*-]{1,253}))?:(\d{1,5})$/i;
const HIGHEST_PORT = 65_535;

/**
 * Reads `--metrics HOST:PORT`. Accepts this machine only, since the metrics there have neither a password nor encryption. To fetch them from another
 * machine, use a tunnel, a proxy or `--otlp`.
 */
export function readAddress(text: string): Result<MetricsAddress, TargetProblem> {
  const [, six, name, digits] = ADDRESS.exec(text) ?? [];
  const port = Number(digits);
  if (digits === undefined || port > HIGHEST_PORT) return fail('address');
  const host = loopback(six ?? name ?? '');
  return host === null ? fail('open') : ok({ host, port });
}

/**
 * Reads `--otlp URL`, which must be encrypted or within this machine. Adds `/v1/metrics` if there is no path, as the standard environment variable
 * does.
 */
export function readTarget(text: string): Result<string, TargetProblem> {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return fail('url');
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return fail('url');
  // Every user of the machine can see the command lines of all programs.
  if (url.username !== '' || url.password !== '') return fail('secret');
  if (url.protocol === 'http:' && loopback(url.hostname.replace(/^\[|\]$/g, '')) === null) return fail('plain');
  if (url.pathname === '/') url.pathname = '/v1/metrics';
  url.hash = '';
  return ok(url.href);
}

/** Returns whether a request names this machine as its host. Otherwise a web page in a browser could reach it through a name that resolves to it. */
export function isOwnHost(header: string | undefined): boolean {
  const [, six, name] = /^(?:\[([0-9a-f:]{2,39})\]|([\w.-]{1,253}))(?::\d{1,5})?$/i.exec(header ?? '') ?? [];
  return loopback(six ?? name ?? '') !== null;
}

/** Returns the address of a name of this machine, without a name lookup; null for every other name. */
function loopback(host: string): string | null {
  const name = host.toLowerCase();
  if (name === 'localhost') return '127.0.0.1';
  if (name === '::1' || name === '0:0:0:0:0:0:0:1') return '::1';
  const parts = /^127\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(name)?.slice(1).map(Number);
  return parts?.every((part) => part <= 255) ? name : null;
}
