import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { runCommandLine } from '../../../src/cli/command-line';
import * as bundle from '../../../src/cli/metrics/bundle';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'unstuck-metrics-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs `watch` until it has started, and returns whether the code that counts was loaded. */
async function watch(...options: readonly string[]) {
  const [lines, notes]: [string[], string[]] = [[], []];
  let loads = 0;
  const output = {
    line: (text: string) => void lines.push(text),
    note: (text: string) => void notes.push(text),
    isTerminal: false,
  };
  const load = () => {
    loads++;
    return bundle;
  };
  const code = await runCommandLine(
    ['watch', folder, ...options],
    output,
    Promise.resolve(),
    undefined,
    undefined,
    load,
  );
  return { code, lines, notes, loads };
}

describe('unstuck watch', () => {
  it('loads the code that counts for metrics only', async () => {
    expect(await watch()).toEqual({ code: 0, lines: [], notes: [], loads: 0 });
    expect(await watch('--name', 'devbox')).toMatchObject({ code: 0, loads: 0 });
    const { code, lines, notes, loads } = await watch('--metrics', 'localhost:0');
    expect({ code, lines, loads }).toEqual({ code: 0, lines: [], loads: 1 });
    expect(notes).toEqual([expect.stringMatching(/^Metrics: http:\/\/127\.0\.0\.1:\d+\/metrics$/)]);
  });

  it.each([
    [
      ['--metrics', '0.0.0.0:9464'],
      '--metrics 0.0.0.0:9464: other machines could reach this address without a password. Use 127.0.0.1, or send metrics with --otlp.',
    ],
    [['--metrics', '9464'], '--metrics 9464: write an address of this machine and a port, for example 127.0.0.1:9464.'],
    [
      ['--otlp', 'http://collector.example:4318'],
      '--otlp http://collector.example:4318: metrics would leave this machine unencrypted. Use https.',
    ],
    [['--otlp', 'collector'], '--otlp collector: write a URL, for example https://collector.example:4318.'],
    [
      ['--otlp', 'https://me:hunter2@collector.example'],
      '--otlp: other users can see a password on a command line. Put it in OTEL_EXPORTER_OTLP_HEADERS.',
    ],
    [
      ['--name', 'my box', '--metrics', '127.0.0.1:0'],
      '--name takes at most 64 letters, digits, dots, dashes and underscores.',
    ],
  ])('refuses %j in one sentence, before anything is loaded', async (options, why) => {
    expect(await watch(...options)).toEqual({ code: 2, lines: [], notes: [`unstuck watch: ${why}`], loads: 0 });
  });

  it('reports that the port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await new Promise((listening) => other.once('listening', listening));
    const { port } = other.address() as AddressInfo;
    expect(await watch('--metrics', `127.0.0.1:${port}`)).toMatchObject({
      code: 2,
      notes: [`unstuck watch: --metrics 127.0.0.1:${port}: another program uses this port. Name another port.`],
    });
  });
});
