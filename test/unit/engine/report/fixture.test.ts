import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { checkGeneric } from '../../../../src/agents/generic/check';
import { registry } from '../../../../src/agents/registry';
import { resolveOptions } from '../../../../src/detect/session/options';
import { recognise } from '../../../../src/engine/follow/recognise';
import { makeFixture } from '../../../../src/engine/report/fixture';
import { scanFile } from '../../../../src/engine/scan-cache';
import { DETECTOR_IDS, type Incident } from '../../../../src/core/model';
import { fixtureFailureWords, fixtureWords } from '../../../../src/core/words';
import { smallFiles } from '../../../golden/support';
import { genericFormat } from '../../detect/support/formats/generic';
import { SCENES } from '../../detect/support/scenes';

const folder = mkdtempSync(join(tmpdir(), 'unstuck-fixture-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ports = { adapters: registry, sqlite: undefined, readSmall: smallFiles, breathe: () => undefined };
const GOLDEN = join(__dirname, '../../../golden/fixtures');

/** The incidents that `unstuck scan FILE` finds, and the hints, which an older version kept as incidents. */
async function scanned(file: string): Promise<readonly Incident[]> {
  const adapter = recognise(registry, readFileSync(file, 'utf8').slice(0, 65_536), file);
  if (!adapter) throw new Error(`${file} is no transcript`);
  const detectors = () => resolveOptions({ preset: 'balanced', detectors: {} });
  const { sessions } = await scanFile(file, { adapter, detectors, readSmall: smallFiles });
  return sessions.flatMap(({ incidents, hints }) => [...incidents, ...hints]);
}

function written(name: string, records: readonly object[]): string {
  const file = join(folder, `${name}.agent.jsonl`);
  writeFileSync(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  return file;
}

async function fixtureOf(incident: Incident): Promise<string> {
  const made = await makeFixture(incident, ports);
  if (!made.ok) throw new Error(`${incident.detector}: ${JSON.stringify(made.failure)}`);
  return made.fixture.text;
}

const alarm = ({ detector, rule, level }: Incident) => ({ detector, rule, level });

/** Scanned as a separate file, the fixture raises the alarm; and it is a transcript without a problem. */
async function expectSame(incident: Incident, text: string): Promise<void> {
  const file = join(folder, `fixture-${incident.id}.agent.jsonl`);
  writeFileSync(file, text);
  expect((await scanned(file)).map(alarm)).toContainEqual(alarm(incident));
  expect(checkGeneric(text)).toEqual([]);
}

describe('a fixture raises the alarm of its incident again', () => {
  it.each(DETECTOR_IDS)('%s', async (detector) => {
    const file = written(detector, genericFormat.records(SCENES[detector]('price')));
    const incidents = (await scanned(file)).filter((one) =>
      [one, ...(one.context ?? [])].some((rule) => rule.detector === detector),
    );
    expect(incidents).not.toEqual([]);
    for (const incident of incidents) await expectSame(incident, await fixtureOf(incident));
  });

  it.each([
    'claude-code/a-same-command-same-error.jsonl',
    'claude-code/b-edit-pytest-interleaved.jsonl',
    'claude-code/c-monologue.jsonl',
    'claude-code/d-unknown-tool-bad-args.jsonl',
    'claude-code/g-autocompact-same-failure.jsonl',
    'claude-code/k-api-errors-retry.jsonl',
    'codex/cm_b_edit_test.jsonl',
    'codex/d_bad_calls.jsonl',
    'gemini/a_repeat.jsonl',
    'gemini/loop_abab.jsonl',
    'copilot/a_repeat.jsonl',
    'qwen/a_repeat.jsonl',
  ])('from a real run: %s', async (name) => {
    const incidents = await scanned(join(GOLDEN, name));
    expect(incidents).not.toEqual([]);
    for (const incident of incidents) await expectSame(incident, await fixtureOf(incident));
  });
});

describe('what a fixture contains', () => {
  const CWD = '/home/alice/work/secret-app';
  const KEY = 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ012345678901-abcdefghAA';
  const line = (second: number, fields: object) => ({
    v: 1,
    t: new Date(Date.UTC(2026, 10, 20, 12, 0, second)).toISOString(),
    session: 'the-session-of-alice',
    ...fields,
  });
  const leaky = [
    line(0, { type: 'session_start', cwd: CWD, agent: 'my agent', model: 'm-1' }),
    line(1, { type: 'user', text: `Deploy with ${KEY}` }),
    line(2, { type: 'tool_call', id: 'toolu_0', name: 'Read', args: { file_path: `${CWD}/deploy.sh` } }),
    line(3, { type: 'tool_result', id: 'toolu_0', output: `cd ${CWD}-old # not ${CWD}.`, isError: false }),
    ...[1, 2, 3, 4, 5].flatMap((n) => [
      line(n * 10, {
        type: 'tool_call',
        id: `toolu_${n}`,
        name: 'Bash',
        args: { command: `TOKEN=${KEY} ${CWD}/deploy.sh`, note: 'logs in /Users/bob/logs' },
      }),
      line(n * 10 + 5, {
        type: 'tool_result',
        id: `toolu_${n}`,
        output: `${CWD}/deploy.sh: 401, password=hunter2-and-more, see ~/.claude/projects/-home-alice-work-secret-app/x`,
        isError: true,
      }),
    ]),
  ];

  it('is free of secrets, session and names in paths; equal parts stay equal', async () => {
    const [incident] = await scanned(written('leaky', leaky));
    if (!incident) throw new Error('no incident');
    expect(incident.level).toBe('stuck');
    const text = await fixtureOf(incident);
    await expectSame(incident, text);
    for (const secret of [KEY, 'hunter2', 'alice', 'bob', 'secret-app/', 'the-session', 'toolu_'])
      expect(text).not.toContain(secret);
    expect(text).toContain('/home/user/project/deploy.sh');
    expect(text).toContain('/Users/user/logs');
    expect(text).toContain('projects/-home-user-project/x');
    // Another folder whose name begins the same is a different folder.
    expect(text).toContain('/home/user/work/secret-app-old');
    expect(text).toContain('[redacted]');
  });

  it('starts with the request, and holds few steps of a long session', async () => {
    const before = Array.from({ length: 300 }, (_, n) => [
      line(0, { type: 'tool_call', id: `b${n}`, name: 'Read', args: { file_path: `${CWD}/f${n}.ts` } }),
      line(0, { type: 'tool_result', id: `b${n}`, output: `content ${n}`, isError: false }),
    ]).flat();
    const [incident] = await scanned(written('long', [...leaky.slice(0, 2), ...before, ...leaky.slice(2)]));
    if (!incident) throw new Error('no incident');
    const lines = (await fixtureOf(incident)).trimEnd().split('\n');
    expect(lines.length).toBeLessThan(25);
    expect(lines[1]).toContain('Deploy with');
  });
});

describe('a fixture when the transcript is gone', () => {
  const gone = async (detector: (typeof DETECTOR_IDS)[number]) => {
    const file = written(`gone-${detector}`, genericFormat.records(SCENES[detector]('price')));
    const incident = (await scanned(file)).find((one) => one.detector === detector);
    if (!incident) throw new Error(`no ${detector}`);
    rmSync(file);
    return incident;
  };

  it.each(['repeating_action', 'cycle', 'consecutive_failures'] as const)(
    'raises the alarm again from the evidence that is kept: %s',
    async (detector) => {
      const incident = await gone(detector);
      const made = await makeFixture(incident, ports);
      if (!made.ok) throw new Error(JSON.stringify(made.failure));
      expect(made.fixture.from).toBe('kept');
      await expectSame(incident, made.fixture.text);
      expect(fixtureWords(incident, made.fixture)).toContain('made from the history');
    },
  );

  it('is refused plainly if that is not enough', async () => {
    const made = await makeFixture(await gone('max_runtime'), ports);
    if (made.ok) throw new Error('it was made');
    expect(fixtureFailureWords(made.failure)).toMatch(
      /^The incident could not be reproduced: its transcript is gone, and scanning what the history keeps of it raises /,
    );
  });
});

it('is not made for a rule that compares sessions', async () => {
  const [incident] = await scanned(written('outage', genericFormat.records(SCENES.rate_limited('price'))));
  if (!incident) throw new Error('no incident');
  const made = await makeFixture({ ...incident, rule: 'outage' }, ports);
  expect(made).toEqual({ ok: false, failure: { reason: 'several_sessions' } });
});

it('is not returned if scanning raises another alarm', async () => {
  const [incident] = await scanned(written('other', genericFormat.records(SCENES.repeating_action('price'))));
  if (!incident) throw new Error('no incident');
  const made = await makeFixture({ ...incident, detector: 'monologue' }, ports);
  if (made.ok) throw new Error('it was made');
  expect(made.failure).toEqual({ reason: 'differs', raised: [{ detector: 'repeating_action', level: 'stuck' }] });
  expect(fixtureFailureWords(made.failure)).toContain('raises Same call again (stuck) instead');
});

it('needs the eager thresholds if only these raised it', async () => {
  const file = written('eager', genericFormat.records(SCENES.repeating_action('price')));
  const adapter = recognise(registry, readFileSync(file, 'utf8'), file);
  if (!adapter) throw new Error('no adapter');
  const short = written('short', genericFormat.records(SCENES.repeating_action('price')).slice(0, -2));
  const detectors = () => resolveOptions({ preset: 'eager', detectors: {} });
  const { sessions } = await scanFile(short, { adapter, detectors, readSmall: smallFiles });
  const incident = sessions[0]?.incidents.find(({ level }) => level === 'stuck');
  if (!incident) throw new Error('not stuck');
  const made = await makeFixture(incident, ports);
  if (!made.ok) throw new Error(JSON.stringify(made.failure));
  expect(made.fixture.preset).toBe('eager');
  expect(fixtureWords(incident, made.fixture)).toContain('`--preset eager`');
});
