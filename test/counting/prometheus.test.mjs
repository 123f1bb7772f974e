import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { projectRoot } from '../../scripts/bundles.mjs';
import { findPrometheus, startPrometheus } from './support/prometheus.mjs';
import { recording, startWatch } from './support/watch.mjs';

const PATIENCE = { timeout: 90_000, interval: 250 };
const found = findPrometheus();
if ('missing' in found) console.log(`skipped: ${found.missing}`);
else console.log(`Prometheus ${found.version}`);

/** A run of Claude Code in which one command fails six times in the same way, and the agent's words afterwards. */
const RUN = recording('same-command.jsonl');
const isResult = ({ type, message }) => type === 'user' && message?.content?.[0]?.type === 'tool_result';
/** Up to the prompt; up to the last failure. The rest would end the turn. */
const PROMPT = RUN.findIndex(({ type }) => type === 'assistant');
const LAST = RUN.findLastIndex(isResult);

/** Figures that the run itself contains, read without any code of ours. */
const expected = (() => {
  const seen = RUN.slice(0, LAST + 1);
  const answers = new Map(
    seen.filter(({ type }) => type === 'assistant').map(({ message }) => [message.id, message.usage]),
  );
  const sum = (of) => [...answers.values()].reduce((total, usage) => total + of(usage), 0);
  return {
    failures: seen.filter((record) => isResult(record) && record.message.content[0].is_error).length,
    input: sum((usage) => usage.input_tokens + usage.cache_read_input_tokens + usage.cache_creation_input_tokens),
    output: sum((usage) => usage.output_tokens),
  };
})();

/** A run in which the tests fail in the same way until the agent finds its mistake on its own. */
const FREED = [
  ...Array.from({ length: 6 }, (_, index) => [
    { type: 'tool_call', id: `c${index}`, name: 'bash', args: { command: 'pytest -q' } },
    { type: 'tool_result', id: `c${index}`, output: 'FAILED test_add - assert 1 == 2\n1 failed', isError: true },
  ]).flat(),
  { type: 'tool_call', id: 'e', name: 'Edit', args: { file_path: 'a.py', old_string: 'a', new_string: 'b' } },
  { type: 'tool_result', id: 'e', output: 'ok' },
  { type: 'tool_call', id: 'f', name: 'bash', args: { command: 'pytest -q' } },
  { type: 'tool_result', id: 'f', output: '3 passed in 0.1s' },
];

describe.skipIf('missing' in found)('a real Prometheus that scrapes unstuck watch', () => {
  /** @type {Awaited<ReturnType<typeof startWatch>>} */
  let watch;
  /** @type {Awaited<ReturnType<typeof startPrometheus>>} */
  let prometheus;

  beforeAll(async () => {
    watch = await startWatch({ options: ['--metrics', '127.0.0.1:0', '--name', 'devbox', '--json'] });
    const target = await vi.waitFor(() => {
      const [, address] = /Metrics: http:\/\/([^/]+)\/metrics/.exec(watch.notes()) ?? [];
      expect(address, watch.notes()).toBeDefined();
      return address;
    }, PATIENCE);
    prometheus = await startPrometheus({ folder: watch.root, target });
    await vi.waitFor(async () => expect(await values('up', 'job')).toEqual({ unstuck: 1 }), PATIENCE);
  });
  afterAll(async () => {
    await prometheus?.stop();
    if (watch) expect(await watch.stop()).toBe(0);
  });

  /** The newest value of each series, by one of its labels. */
  async function values(query, label) {
    const series = await prometheus.query(query);
    return Object.fromEntries(series.map(({ metric, value }) => [metric[label] ?? '', Number(value[1])]));
  }

  it('sees an agent work, with all its counters at 0', async () => {
    await watch.recorded('11111111-0000-4000-8000-0000000000aa', RUN.slice(0, PROMPT));
    await vi.waitFor(
      async () => expect(await values('unstuck_agents > 0', 'unstuck_state')).toEqual({ working: 1 }),
      PATIENCE,
    );
    expect(await values('sum by (gen_ai_agent_name) (unstuck_alarms_total)', 'gen_ai_agent_name')).toEqual({
      'claude-code': 0,
    });
  });

  it('answers three questions with the right numbers when the agent is stuck', async () => {
    await watch.recorded('11111111-0000-4000-8000-0000000000aa', RUN.slice(PROMPT, LAST + 1));
    const agents = 'sum by (unstuck_state) (unstuck_agents{host_name="devbox"}) > 0';
    await vi.waitFor(async () => expect(await values(agents, 'unstuck_state')).toEqual({ stuck: 1 }), PATIENCE);

    const alarms = 'sum by (unstuck_level) (unstuck_alarms_total{unstuck_rule="repeating_action"})';
    await vi.waitFor(
      async () => expect(await values(alarms, 'unstuck_level')).toEqual({ warn: 1, stuck: 1 }),
      PATIENCE,
    );

    const tokens = 'sum by (gen_ai_token_type) (gen_ai_client_token_usage_sum)';
    const { input, output, failures } = expected;
    await vi.waitFor(
      async () => expect(await values(tokens, 'gen_ai_token_type')).toEqual({ input, output }),
      PATIENCE,
    );

    const steps = 'unstuck_steps_total{unstuck_outcome="failure"}';
    await vi.waitFor(
      async () => expect(await values(steps, 'gen_ai_agent_name')).toEqual({ 'claude-code': failures }),
      PATIENCE,
    );
    console.log({ stuck: 1, alarms: { warn: 1, stuck: 1 }, tokens: { input, output }, failures });
  });

  it('sees the first alarm as an increase, and sees the time of being stuck grow', async () => {
    const alarms = 'sum by (unstuck_level) (increase(unstuck_alarms_total{unstuck_rule="repeating_action"}[5m]))';
    const { warn, stuck } = await values(alarms, 'unstuck_level');
    expect(warn).toBeGreaterThan(0);
    expect(stuck).toBeGreaterThan(0);
    const time = 'unstuck_agent_seconds_total{gen_ai_agent_name="claude-code",unstuck_state="stuck"}';
    const { 'claude-code': before } = await values(time, 'gen_ai_agent_name');
    await vi.waitFor(
      async () => expect((await values(time, 'gen_ai_agent_name'))['claude-code']).toBeGreaterThan(before + 2),
      PATIENCE,
    );
  });

  it('sees what freed an agent', async () => {
    for (const [index, session] of ['one', 'two'].entries()) {
      await watch.generic(session, [{ type: 'user', text: 'Mend the tests' }, ...FREED]);
      await vi.waitFor(
        async () => expect(await values('unstuck_freed_total > 0', 'unstuck_action')).toEqual({ by_itself: index + 1 }),
        PATIENCE,
      );
    }
    const counted = 'unstuck_stuck_seconds_count';
    expect(await values(counted, 'gen_ai_agent_name')).toEqual({ generic: 2 });
  });

  it('answers every query of the dashboard', async () => {
    const { panels, templating } = JSON.parse(readFileSync(join(projectRoot, 'docs/grafana-dashboard.json'), 'utf8'));
    const [, name] = /^label_values\((\w+), host_name\)$/.exec(
      templating.list.find((/** @type {{ name: string }} */ one) => one.name === 'machine').query.query,
    );
    expect(Object.keys(await values(name, 'host_name'))).toEqual(['devbox']);
    // A second run, so that the counters that the first one started are seen to grow.
    await watch.recorded('11111111-0000-4000-8000-0000000000ab', RUN.slice(0, LAST + 1));
    const tokens = 'sum by (gen_ai_token_type) (gen_ai_client_token_usage_sum)';
    const twice = { input: 2 * expected.input, output: 2 * expected.output };
    await vi.waitFor(async () => expect(await values(tokens, 'gen_ai_token_type')).toEqual(twice), PATIENCE);
    const queries = panels.flatMap(({ title, targets }) =>
      targets.map(({ expr, instant }) => ({ title, expr, instant })),
    );
    expect(queries.length).toBeGreaterThan(12);
    const answers = [];
    for (const { title, expr, instant } of queries) {
      const query = expr.replaceAll('$machine', '.*').replaceAll('$__rate_interval', '1m').replaceAll('$__range', '5m');
      expect(query).not.toContain('$');
      const series = await prometheus.query(query, { range: !instant });
      const numbers = series.flatMap(({ value, values: many }) => many ?? [value]).filter(([, text]) => text !== 'NaN');
      answers.push({ title, series: series.length, numbers: numbers.length });
    }
    console.table(answers);
    expect(answers.filter(({ numbers }) => numbers === 0)).toEqual([]);
  });
});
