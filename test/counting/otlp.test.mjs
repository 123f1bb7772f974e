import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { recording, startWatch } from './support/watch.mjs';

const PATIENCE = { timeout: 90_000, interval: 100 };

describe('a collector that receives data from unstuck watch', () => {
  /** @type {{ url: string, headers: import('node:http').IncomingHttpHeaders, text: string }[]} */
  const received = [];
  let status = 200;
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (part) => (text += part));
    request.on('end', () => {
      received.push({ url: request.url ?? '', headers: request.headers, text });
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
    });
  });
  /** @type {Awaited<ReturnType<typeof startWatch>>} */
  let watch;

  beforeAll(async () => {
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    watch = await startWatch({
      options: ['--otlp', `http://127.0.0.1:${server.address().port}`, '--name', 'devbox'],
      env: {
        OTEL_METRIC_EXPORT_INTERVAL: '1000',
        OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20of-the-test',
        // Would lead elsewhere and name the process: neither is read.
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://192.0.2.1:4318',
        OTEL_RESOURCE_ATTRIBUTES: 'process.command=/home/me/secret',
      },
    });
    await vi.waitFor(
      () => expect(watch.notes()).toMatch(/^Metrics are sent to 127\.0\.0\.1:\d+ every 1 s\.$/m),
      PATIENCE,
    );
  });
  afterAll(() => server.close());

  /** The newest points of a metric, as `label,label value`. */
  function points(name) {
    const { resourceMetrics } = JSON.parse(received.at(-1)?.text ?? '{}');
    const metrics = resourceMetrics.flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics));
    const metric = metrics.find((one) => one.name === name);
    const { dataPoints } = metric?.sum ?? metric?.gauge ?? metric?.histogram ?? { dataPoints: [] };
    return dataPoints
      .map(({ attributes, asInt, asDouble, sum }) => ({
        labels: attributes.map(({ value }) => value.stringValue).join(' '),
        value: Number(asInt ?? asDouble ?? sum),
      }))
      .filter(({ value }) => value > 0)
      .map(({ labels, value }) => `${labels} ${value}`);
  }

  it('sees a stuck agent', async () => {
    const run = recording('same-command.jsonl');
    const last = run.findLastIndex(
      ({ type, message }) => type === 'user' && message?.content?.[0]?.type === 'tool_result',
    );
    await watch.recorded('11111111-0000-4000-8000-0000000000bb', run.slice(0, last + 1));
    await vi.waitFor(() => {
      expect(points('unstuck.agents')).toEqual(['claude-code stuck 1']);
      expect(points('unstuck.alarms')).toEqual([
        'claude-code repeating_action warn 1',
        'claude-code repeating_action stuck 1',
      ]);
      expect(points('unstuck.steps')).toEqual(['claude-code failure 6']);
      expect(points('gen_ai.client.token.usage').map((line) => line.replace(/ \d+$/, ''))).toEqual([
        'claude-code chat input',
        'claude-code chat output',
      ]);
    }, PATIENCE);
  });

  it('receives the name of the machine and the version, and nothing else about the process', () => {
    const [{ resource }] = JSON.parse(received.at(-1)?.text ?? '{}').resourceMetrics;
    const attributes = Object.fromEntries(resource.attributes.map(({ key, value }) => [key, value.stringValue]));
    expect(Object.keys(attributes).sort()).toEqual([
      'host.name',
      'service.instance.id',
      'service.name',
      'service.version',
    ]);
    expect(attributes).toMatchObject({ 'host.name': 'devbox', 'service.name': 'unstuck' });
    const all = received.map(({ text }) => text).join('\n');
    expect(all).not.toMatch(/secret|Run the build|\/home|\/tmp|0000000000bb|build\.py|of-the-test/);
  });

  it('gets the headers that the environment names, at the path of the convention', () => {
    expect(new Set(received.map(({ url }) => url))).toEqual(new Set(['/v1/metrics']));
    expect(new Set(received.map(({ headers }) => headers.authorization))).toEqual(new Set(['Bearer of-the-test']));
  });

  it('is reported once when it refuses, with its number, and again when it accepts', async () => {
    status = 403;
    await vi.waitFor(
      () => expect(watch.notes()).toMatch(/could not be sent to 127\.0\.0\.1:\d+: it answered 403\./),
      PATIENCE,
    );
    status = 200;
    await vi.waitFor(() => expect(watch.notes()).toMatch(/Metrics are sent to 127\.0\.0\.1:\d+ again\./), PATIENCE);
    expect(watch.notes().match(/could not be sent/g)).toHaveLength(1);
    expect(watch.notes()).not.toContain('of-the-test');
  });

  it('gets the last metrics at the end', async () => {
    const before = received.length;
    expect(await watch.stop()).toBe(0);
    expect(received.length).toBeGreaterThan(before);
  });
});
