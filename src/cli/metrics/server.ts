import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { Disposable } from '../../base/util/disposable';
import { type Result, fail, ok } from '../../base/util/result';
import { type MetricsAddress, isOwnHost } from './targets';

/** Maximum number of connections. A client that fetches metrics needs only one. */
const MOST_CONNECTIONS = 16;
const LONGEST_HEADERS = 8 * 1_024;
const PATIENCE_MS = 5_000;
/** Interval at which connections without a complete request are checked. With Node's own 30 s, a few of them could shut all others out. */
const LOOK_MS = 1_000;

export interface Served extends Disposable {
  /** Includes the port that was taken, for example `http://127.0.0.1:9464/metrics`. */
  readonly url: string;
}

/**
 * Serves `GET /metrics` on an address of this machine. Errors carry the system's code, for example `EADDRINUSE`.
 *
 * @param answer writes the metrics
 */
export async function serve(
  { host, port }: MetricsAddress,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Result<Served, string>> {
  const server = createServer(
    {
      maxHeaderSize: LONGEST_HEADERS,
      requestTimeout: PATIENCE_MS,
      headersTimeout: PATIENCE_MS,
      connectionsCheckingInterval: LOOK_MS,
    },
    (request, response) => {
      const refusal = refusalOf(request);
      response.setHeader('cache-control', 'no-store');
      response.setHeader('x-content-type-options', 'nosniff');
      if (refusal === null) answer(request, response);
      else response.writeHead(refusal.status, { 'content-type': 'text/plain' }).end(`${refusal.why}\n`);
    },
  );
  server.maxConnections = MOST_CONNECTIONS;
  const problem = await new Promise<string | null>((done) => {
    // Also handles later errors, of a connection that could not be accepted: the next one may succeed.
    server.on('error', (error: NodeJS.ErrnoException) => done(error.code ?? 'UNKNOWN'));
    server.listen(port, host, () => done(null));
  });
  if (problem !== null) return fail(problem);
  const bound = server.address();
  const taken = typeof bound === 'object' && bound !== null ? bound.port : port;
  return ok({
    url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}/metrics`,
    dispose() {
      server.close();
      server.closeAllConnections();
    },
  });
}

function refusalOf({
  headers,
  method,
  url,
}: IncomingMessage): { readonly status: number; readonly why: string } | null {
  if (!isOwnHost(headers.host))
    return { status: 403, why: 'Only requests to this machine by its own name are answered.' };
  if (method !== 'GET' && method !== 'HEAD') return { status: 405, why: 'Only GET is answered.' };
  return url?.split('?', 1)[0] === '/metrics' ? null : { status: 404, why: 'The metrics are at /metrics.' };
}
