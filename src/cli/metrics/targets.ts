import { type Result, fail, ok } from '../../base/util/result';

/** Address at which metrics can be fetched, on this machine and out of reach of others. */
export interface MetricsAddress {
  /** `127.…` or `::1`. */
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
}

/** `address` and `url` cannot be read; `open` can be reached from other machines; `plain` would be sent without encryption; `secret` holds a password. */
export type TargetProblem = 'address' | 'url' | 'open' | 'plain' | 'secret';

const ADDRESS = /^(?:\[([0-9a-f:]{2,39})\]|([\w.*-]{1,253}))?:(\d{1,5})$/i;
const HIGHEST_PORT = 65_535;

/**
 * `--metrics HOST:PORT`. Only this machine: what is fetched there has neither a password nor encryption, and whoever wants it from
 * another machine has a tunnel, a proxy or `--otlp`.
 */
export function readAddress(text: string): Result<MetricsAddress, TargetProblem> {
  const [, six, name, digits] = ADDRESS.exec(text) ?? [];
  const port = Number(digits);
  if (digits === undefined || port > HIGHEST_PORT) return fail('address');
  const host = loopback(six ?? name ?? '');
  return host === null ? fail('open') : ok({ host, port });
}

/** `--otlp URL`: encrypted, or within this machine. `/v1/metrics` is added where there is no path, as the standard environment variable does. */
export function readTarget(text: string): Result<string, TargetProblem> {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return fail('url');
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return fail('url');
  // Every user of the machine sees the command lines of all programs.
  if (url.username !== '' || url.password !== '') return fail('secret');
  if (url.protocol === 'http:' && loopback(url.hostname.replace(/^\[|\]$/g, '')) === null) return fail('plain');
  if (url.pathname === '/') url.pathname = '/v1/metrics';
  url.hash = '';
  return ok(url.href);
}

/**
 * Returns whether a request names this machine as its host. A web page in a browser could otherwise reach it through a name
 * that resolves here.
 */
export function isOwnHost(header: string | undefined): boolean {
  const [, six, name] = /^(?:\[([0-9a-f:]{2,39})\]|([\w.-]{1,253}))(?::\d{1,5})?$/i.exec(header ?? '') ?? [];
  return loopback(six ?? name ?? '') !== null;
}

/** The address that a name of this machine stands for, without asking the name system; null for every other name. */
function loopback(host: string): string | null {
  const name = host.toLowerCase();
  if (name === 'localhost') return '127.0.0.1';
  if (name === '::1' || name === '0:0:0:0:0:0:0:1') return '::1';
  const parts = /^127\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(name)?.slice(1).map(Number);
  return parts?.every((part) => part <= 255) ? name : null;
}
