import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { METRICS } from '../../../../src/cli/metrics/metrics';
import { type CountingOptions, startCounting } from '../../../../src/cli/metrics/start';
import { systemClock } from '../../../../src/base/clock';
import { PATIENCE } from '../../../support/patience';
import { stage } from '../../engine/support';

const ANY = { host: '127.0.0.1', port: 0 } as const;

/** An engine over an empty folder that is counted until the test ends. */
async function counted(options: Partial<CountingOptions> = {}) {
  const notes: string[] = [];
  const { engine, workspace } = stage();
  const started = await startCounting(engine, {
    metrics: ANY,
    intervalMs: 60_000,
    machine: 'devbox',
    version: '1.2.3',
    clock: systemClock,
    note: (text) => void notes.push(text),
    ...options,
  });
  if (!started.ok) throw new Error(started.error);
  onTestFinished(() => started.value.stop());
  engine.start();
  const write = (...records: readonly object[]) => {
    const t = Date.now();
    const lines = records.map((record) => `${JSON.stringify({ v: 1, t, session: 's', ...record })}\n`);
    appendFileSync(join(workspace, 'run.agent.jsonl'), lines.join(''));
  };
  return { counting: started.value, url: started.value.url ?? '', write, notes };
}

interface Answer {
  readonly status: number | undefined;
  readonly text: string;
}

async function ask(url: string, { method = 'GET', host }: { method?: string; host?: string } = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, agent: false, ...(host && { headers: { host } }) }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part) => (text += part));
      response.on('end', () => resolve({ status: response.statusCode, text }));
    });
    asked.on('error', reject);
    asked.end();
  });
}

const failing = (id: number) => [
  { type: 'tool_call', id: `${id}`, name: 'bash', args: { command: 'make /home/me/secret-project' } },
  { type: 'usage', inputTokens: 100, outputTokens: 20 },
  { type: 'tool_result', id: `${id}`, output: 'error: no rule', isError: true },
];

describe('the counts', () => {
  it('are fetched with the name of the machine, and no label that a transcript could fill', async () => {
    const { url, write } = await counted();
    write({ type: 'user', text: 'Mend the parser' }, ...[1, 2, 3, 4, 5, 6].flatMap(failing));
    const text = await vi.waitFor(async () => {
      const { text } = await ask(url);
      expect(text).toContain('unstuck_state="stuck",host_name="devbox"} 1\n');
      expect(text).toContain('unstuck_outcome="failure",host_name="devbox"} 6\n');
      return text;
    }, PATIENCE);
    const series = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    const value = (start: string) =>
      series
        .find((line) => line.startsWith(start))
        ?.split(' ')
        .at(-1);
    expect(value('unstuck_agents_needing_person{')).toBe('1');
    expect(
      value(
        'gen_ai_client_token_usage_sum{gen_ai_agent_name="generic",gen_ai_operation_name="chat",gen_ai_token_type="input"',
      ),
    ).toBe('600');
    const alarms = 'unstuck_alarms_total{gen_ai_agent_name="generic",unstuck_rule="repeating_action"';
    expect([value(`${alarms},unstuck_level="warn"`), value(`${alarms},unstuck_level="stuck"`)]).toEqual(['1', '1']);

    // Each label is a declared one, with a word of ours; the name of the machine is the only other one.
    const labels = new Set(series.flatMap((line) => [...line.matchAll(/(\w+)="([^"]*)"/g)].map(([, name]) => name)));
    const declared = Object.values(METRICS).flatMap((metric) =>
      metric.labels.map((label) => label.replaceAll('.', '_')),
    );
    expect(labels).toEqual(new Set([...declared, 'host_name', 'le']));
    expect(text).not.toMatch(/secret-project|Mend|\/home|run\.agent|make|bash|"s"/);
  });

  it('do not include what was there before', async () => {
    const { engine, workspace } = stage();
    const t = Date.now() - 60_000;
    const lines = [{ type: 'user', text: 'Mend' }, ...[1, 2, 3, 4, 5, 6].flatMap(failing)];
    appendFileSync(
      join(workspace, 'old.agent.jsonl'),
      lines.map((record) => `${JSON.stringify({ v: 1, t, session: 'old', ...record })}\n`).join(''),
    );
    const started = await startCounting(engine, {
      metrics: ANY,
      intervalMs: 60_000,
      machine: 'devbox',
      version: '1.2.3',
      clock: systemClock,
      note: () => {},
    });
    if (!started.ok) throw new Error(started.error);
    onTestFinished(() => started.value.stop());
    engine.start();
    const text = await vi.waitFor(async () => {
      const { text } = await ask(started.value.url ?? '');
      expect(text).toContain('unstuck_state="stuck",host_name="devbox"} 1\n');
      return text;
    }, PATIENCE);
    expect(text.match(/^unstuck_(steps|alarms|freed)_total\{.* [1-9]\d*$/gm)).toBeNull();
    expect(text).not.toContain('gen_ai_client_token_usage');
  });

  it('include each step once, of a long transcript whose past is read meanwhile, and of one that is rewritten', async () => {
    const { engine, workspace } = stage();
    const file = join(workspace, 'long.agent.jsonl');
    const line = (t: number, record: object) => `${JSON.stringify({ v: 1, t, session: 'long', ...record })}\n`;
    const step = (id: number, t: number) =>
      line(t, { type: 'tool_call', id: `${id}`, name: 'Read', args: { file: `${id}.ts` } }) +
      line(t, { type: 'tool_result', id: `${id}`, output: `${id} ${'x'.repeat(1_000)}` });
    const before = Date.now() - 3_600_000;
    // More than the newest lines, which are read first.
    const past = Array.from({ length: 400 }, (_, id) => step(id, before + id)).join('');
    appendFileSync(file, line(before, { type: 'user', text: 'Mend the parser' }) + past);
    const started = await startCounting(engine, {
      metrics: ANY,
      intervalMs: 60_000,
      machine: 'devbox',
      version: '1.2.3',
      clock: systemClock,
      note: () => {},
    });
    if (!started.ok) throw new Error(started.error);
    onTestFinished(() => started.value.stop());
    engine.start();
    const url = started.value.url ?? '';
    const steps = async () => /unstuck_outcome="success",host_name="devbox"\} (\d+)/.exec((await ask(url)).text)?.[1];

    const begun = Date.now();
    for (let id = 400; id < 410; id++) appendFileSync(file, step(id, begun + id));
    await vi.waitFor(async () => {
      expect(engine.agent('long')?.coverage.seen).toBe(410);
      expect(await steps()).toBe('10');
    }, PATIENCE);

    // The same lines in another file of the same name, and two more.
    const text = readFileSync(file, 'utf8');
    rmSync(file);
    await vi.waitFor(() => expect(engine.agent('long')?.deleted ?? true).toBe(true), PATIENCE);
    writeFileSync(file, text + step(410, begun + 410) + step(411, begun + 411));
    await vi.waitFor(async () => {
      expect(engine.agent('long')?.coverage.seen).toBe(412);
      expect(await steps()).toBe('12');
    }, PATIENCE);
  });
});

describe('the address', () => {
  it('answers this machine at /metrics, and nothing else', async () => {
    const { url } = await counted();
    expect(await ask(url)).toMatchObject({ status: 200 });
    expect(await ask(url, { method: 'HEAD' })).toEqual({ status: 200, text: '' });
    expect(await ask(`${url}?name=x`)).toMatchObject({ status: 200 });
    expect(await ask(url, { host: 'localhost:9464' })).toMatchObject({ status: 200 });
    expect(await ask(url, { method: 'POST' })).toMatchObject({ status: 405 });
    expect(await ask(url.replace('/metrics', '/'))).toMatchObject({ status: 404 });
    // A web page whose name was made to lead here.
    expect(await ask(url, { host: 'evil.example' })).toMatchObject({ status: 403 });
  });

  it('is free again after the end, with the connections of its clients', async () => {
    const { counting, url } = await counted();
    await ask(url);
    await counting.stop();
    await expect(ask(url)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('that is taken is an error with its code', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await new Promise((listening) => other.once('listening', listening));
    const { port } = other.address() as AddressInfo;
    const { engine } = stage();
    const options = { intervalMs: 60_000, machine: 'devbox', version: '1', clock: systemClock, note: () => {} };
    expect(await startCounting(engine, { ...options, metrics: { host: '127.0.0.1', port } })).toEqual({
      ok: false,
      error: 'EADDRINUSE',
    });
  });
});

describe('sending', () => {
  it('reports once that it fails, and does not delay the end', async () => {
    const closed = createServer().listen(0, '127.0.0.1');
    await new Promise((listening) => closed.once('listening', listening));
    const { port } = closed.address() as AddressInfo;
    await new Promise((done) => closed.close(done));
    const { notes, counting, write } = await counted({ otlp: `http://127.0.0.1:${port}/v1/metrics`, intervalMs: 50 });
    write({ type: 'user', text: 'Mend the parser' });
    await vi.waitFor(() => expect(notes).not.toEqual([]), PATIENCE);
    await counting.stop();
    expect(notes).toEqual([`Metrics could not be sent to 127.0.0.1:${port}: ECONNREFUSED. Retrying every 0 s.`]);
  });
});
