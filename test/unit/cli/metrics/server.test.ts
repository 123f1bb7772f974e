import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { serve } from '../../../../src/cli/metrics/server';
import { PATIENCE } from '../../../support/patience';

const CONNECTIONS = 16;

/** A connection that sends half a request. */
function half(port: number, text: string) {
  const socket = connect(port, '127.0.0.1', () => socket.write(text));
  socket.on('error', () => {});
  socket.resume();
  onTestFinished(() => void socket.destroy());
  return once(socket, 'close');
}

describe('connections to the metrics that send no request', () => {
  it(
    'are dropped long before Node’s own check, and real requests get in',
    async () => {
      // Node itself, with the same timeout and its own check every 30 s.
      const plain = createServer({ requestTimeout: 5_000, headersTimeout: 5_000 }).listen(0, '127.0.0.1');
      await once(plain, 'listening');
      onTestFinished(() => {
        plain.close();
        plain.closeAllConnections();
      });
      const later = half((plain.address() as AddressInfo).port, 'GET / HT').then(() => 'Node');

      const started = await serve({ host: '127.0.0.1', port: 0 }, (_, response) => response.end('figures'));
      if (!started.ok) throw new Error(started.error);
      onTestFinished(() => started.value.dispose());
      const { url } = started.value;
      const port = Number(new URL(url).port);
      const texts = ['', 'G', 'GET /metrics HTTP/1.1\r\nhost: 127.0.0.1\r\n', 'GET /metrics HTTP/1.1\r\nx: '];
      const held = Array.from({ length: CONNECTIONS }, (_, at) => half(port, texts[at % texts.length] ?? ''));
      const all = Promise.all(held).then(() => 'ours');
      expect(await Promise.race([all, later])).toBe('ours');
      expect(await (await fetch(url)).text()).toBe('figures');
    },
    PATIENCE.timeout,
  );

  it(
    'do not include those that wait for a slow answer',
    async () => {
      let take: (response: ServerResponse) => void = () => {};
      const asked = new Promise<ServerResponse>((resolve) => {
        take = resolve;
      });
      const started = await serve({ host: '127.0.0.1', port: 0 }, (_, response) => take(response));
      if (!started.ok) throw new Error(started.error);
      onTestFinished(() => started.value.dispose());
      const scrape = fetch(started.value.url).then((response) => response.text());
      const response = await asked;
      // A connection without a request is dropped meanwhile.
      await half(Number(new URL(started.value.url).port), 'GET /met');
      response.end('figures');
      expect(await scrape).toBe('figures');
    },
    PATIENCE.timeout,
  );
});
