import { fail, ok, type Result } from '../../base/util/result';

/** Servers to connect to. */
export interface Servers {
  /** `host:port` */
  readonly addresses: readonly [string, ...string[]];
  /** True if one of them is this machine itself. */
  readonly onLoopback: boolean;
}

const PORT = 4222;
const MOST = 16;

/** Reads the addresses of servers: `tls://box:4222`, `nats://box:4222` or `box:4222`. All mean TLS. */
export function readServers(addresses: readonly string[]): Result<Servers, 'address'> {
  const found: string[] = [];
  let onLoopback = false;
  for (const address of addresses) {
    const text = address.trim();
    const url = parsed(text.includes('://') ? text : `nats://${text}`);
    if (!url) return fail('address');
    found.push(`${url.hostname}:${url.port === '' ? PORT : url.port}`);
    if (isLoopback(url.hostname)) onLoopback = true;
  }
  const [first, ...others] = found;
  if (first === undefined || found.length > MOST) return fail('address');
  return ok({ addresses: [first, ...others], onLoopback });
}

function parsed(text: string): URL | null {
  try {
    const url = new URL(text);
    const isServer = url.protocol === 'nats:' || url.protocol === 'tls:';
    // A name and a password in an address would end up in settings and logs.
    const isPlain =
      url.username === '' && url.password === '' && /^\/?$/.test(url.pathname) && url.search === '' && url.hash === '';
    return isServer && isPlain && url.hostname !== '' ? url : null;
  } catch {
    return null;
  }
}

/** True if the host is this machine itself, so that nothing is sent over a network. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}
