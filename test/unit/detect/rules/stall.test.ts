import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resolveOptions } from '../../../../src/detect/session/options';
import { createSessionDetectors } from '../../../../src/detect/session/session-detectors';
import type { DetectorSink } from '../../../../src/detect/session/detector';
import type { AgentEvent, Finding, NearMiss } from '../../../../src/core/model';
import { run as runEvents } from '../support/run';
import { type Script, script } from '../support/script';

const MINUTE = 60;

/** Silence of this many minutes, then a line that only says what time it is. */
function silent(run: Script, minutes: number): Script {
  return run.wait(minutes * MINUTE).line('clock');
}

/** The rules over a session of Claude Code; omitted callbacks do nothing. */
function detectorsTelling(sink: Partial<DetectorSink>) {
  return createSessionDetectors(
    {
      agent: 'claude-code',
      showsRunningTool: true,
      options: resolveOptions({ preset: 'balanced', detectors: {} }),
    },
    { finding() {}, clearing() {}, nearMiss() {}, ...sink },
  );
}

describe('stall', () => {
  it.each([
    ['the model', 10, (run: Script) => run.user('Fix the test.')],
    ['the model, after a result', 10, (run: Script) => run.user('Fix the test.').bash('ls')],
    ['a tool', 10, (run: Script) => run.user('Get it.').start('fetch', { url: 'https://example.org' })],
    ['a command', 10, (run: Script) => run.user('Get it.').start('bash', { command: './serve.sh' })],
    ['a test', 20, (run: Script) => run.user('Test it.').start('bash', { command: 'npm test' })],
    ['a build', 20, (run: Script) => run.user('Build it.').start('bash', { command: 'cargo build --release' })],
    ['an install', 20, (run: Script) => run.user('Install it.').start('bash', { command: 'npm ci' })],
  ])('waits for %s %i min', (_, minutes, begin) => {
    expect(silent(begin(script()), minutes - 0.5).incidentsOf('stall')).toEqual([]);
    const [alert] = silent(begin(script()), minutes + 0.5).incidentsOf('stall');
    expect(alert?.first).toMatchObject({
      level: 'warn',
      certainty: 'guessed',
      reason: 'stall',
      exhaustion: 'time',
      count: minutes,
      limit: minutes,
    });
  });

  it('begins to wait when the machine wakes: no agent is silent while the machine sleeps', () => {
    const found: Finding[] = [];
    const detectors = detectorsTelling({ finding: (finding) => void found.push(finding) });
    const events = script().user('Fix the test.').events();
    for (const event of events) detectors.push(event);
    const woke = (events.at(-1)?.at ?? 0) + 8 * 60 * MINUTE * 1000;
    detectors.woke(woke);
    detectors.tick(woke);
    detectors.tick(woke + 9.5 * MINUTE * 1000);
    expect(found).toEqual([]);
    expect(detectors.deadline()).toBe(woke + 10 * MINUTE * 1000);
    detectors.tick(woke + 10.5 * MINUTE * 1000);
    expect(found.map(({ detector, count }) => ({ detector, count }))).toEqual([{ detector: 'stall', count: 10 }]);
  });

  //  12:00 prompt ── 12:10 no output ── 12:15 asleep … 20:00 awake ── 20:10 no output
  it('has patience again with an agent that was silent before the machine slept', () => {
    const found: Finding[] = [];
    const detectors = detectorsTelling({ finding: (finding) => void found.push(finding) });
    const events = script().user('Fix the test.').events();
    for (const event of events) detectors.push(event);
    const began = events.at(-1)?.at ?? 0;
    detectors.tick(began + 10 * MINUTE * 1000);
    const woke = began + 8 * 60 * MINUTE * 1000;
    detectors.woke(woke);
    detectors.tick(woke);
    detectors.tick(woke + 9.5 * MINUTE * 1000);
    expect(found.map(({ count }) => count)).toEqual([10]);
    expect(detectors.deadline()).toBe(woke + 10 * MINUTE * 1000);
    detectors.tick(woke + 10 * MINUTE * 1000);
    expect(found.map(({ count }) => count)).toEqual([10, 10]);
    expect(detectors.deadline()).toBe(woke + 20 * MINUTE * 1000);
  });

  //  12:00 ls ── off ── 12:05 ls  12:10 ls … 12:55 ls ── on ── 12:56 still working
  it('counts nothing of the time while it was switched off', () => {
    const found: Finding[] = [];
    const detectors = detectorsTelling({ finding: (finding) => void found.push(finding) });
    const set = (stall: string) => detectors.setOptions(resolveOptions({ preset: 'balanced', detectors: { stall } }));
    const begun = script().user('Look around.').bash('ls 0');
    const before = begun.events().length;
    const events = begun.times(11, (run, index) => run.wait(5 * MINUTE).bash(`ls ${index + 1}`)).events();
    for (const event of events.slice(0, before)) detectors.push(event);
    set('off');
    for (const event of events.slice(before)) detectors.push(event);
    set('balanced');
    const newest = events.at(-1)?.at ?? 0;
    detectors.tick(newest + 1 * MINUTE * 1000);
    expect(found.filter(({ detector }) => detector === 'stall')).toEqual([]);
    expect(detectors.deadline()).toBe(newest + 10 * MINUTE * 1000);
    detectors.tick(newest + 10 * MINUTE * 1000);
    expect(found.filter(({ detector }) => detector === 'stall').map(({ count }) => count)).toEqual([10]);
  });

  it('says at any moment how long the running command has written nothing, whatever was silent before it', () => {
    const said: NearMiss[] = [];
    const detectors = detectorsTelling({ nearMiss: (miss) => void said.push(miss) });
    const run = script()
      .user('Test it.')
      .call('bash', { command: 'npm ci' }, { output: 'added 9', after: 8 * MINUTE });
    const events = run.start('bash', { command: 'npm test' }).events();
    for (const event of events) detectors.push(event);
    const began = events.at(-1)?.at ?? 0;
    expect(said.map(({ nearest, reached }) => [nearest, reached])).toEqual([['npm ci', 8]]);
    expect(detectors.lasting(began + 7 * MINUTE * 1000)).toMatchObject([
      { detector: 'stall', nearest: 'npm test', reached: 7, limit: 20, lastsSince: began },
    ]);
    for (const event of run.line('tool_result', { id: 'c2', output: 'ok' }).turnEnd().events().slice(events.length))
      detectors.push(event);
    expect(detectors.lasting(began + 9 * MINUTE * 1000)).toEqual([]);
  });

  it('says what the last written line was, and what is running', () => {
    const [alert] = silent(script().user('Get it.').start('bash', { command: './serve.sh' }), 11).incidentsOf('stall');
    expect(alert?.warnLine).toBe(2);
    expect(alert?.first.why).toBe(
      'No output for 10 min while running `./serve.sh`. Calls of this kind may take 10 min.',
    );
  });

  it.each([
    ['a question', (run: Script) => run.line('waiting', { for: 'input' })],
    [
      'a permission',
      (run: Script) => run.start('bash', { command: 'rm -rf build' }).line('waiting', { for: 'permission' }),
    ],
    ['the next prompt, after the end of a turn', (run: Script) => run.say('Done.').turnEnd()],
    ['nothing any more, after the end of the session', (run: Script) => run.line('session_end')],
    ['a call that asks', (run: Script) => run.start('ask_user', { question: 'Which one?' })],
    ['its own time limit', (run: Script) => run.start('bash', { command: 'python train.py', timeout: 14_400_000 })],
    ['a sleep', (run: Script) => run.start('bash', { command: 'sleep 10800; cat log' })],
  ])('never reports a stall while it waits for %s', (_, begin) => {
    expect(silent(begin(script().user('Go.')), 170).incidentsOf('stall')).toEqual([]);
  });

  it('watches again once the permission was given', () => {
    const run = script()
      .user('Go.')
      .line('turn_start')
      .line('tool_call', { id: '1', name: 'bash', args: { command: './deploy.sh' } })
      .line('waiting', { for: 'permission' })
      .wait(90 * MINUTE)
      .line('tool_result', { id: '1', output: 'deployed' });
    expect(silent(run, 9).incidentsOf('stall')).toEqual([]);
    expect(silent(run, 11).incidentsOf('stall')).toHaveLength(1);
  });

  it('recognises the complete answer by its token counts if no line says that a turn ends', () => {
    const answered = script().user('Why?').say('Because of the cache.').line('usage', { outputTokens: 9 });
    expect(silent(answered, 300).incidentsOf('stall')).toEqual([]);
    const working = script()
      .user('Why?')
      .line('usage', { outputTokens: 9 })
      .bash('ls')
      .line('usage', { outputTokens: 9 });
    expect(silent(working, 11).incidentsOf('stall')).toHaveLength(1);
  });

  //  npm test ──────────────?      its result was never written
  //             ls ── listing
  //                             "All green." + token counts      the whole answer
  it('does not wait for a call whose result was never written, once the agent has continued', () => {
    const lost = script().user('Test it.').start('bash', { command: 'npm test' }).bash('ls');
    const answered = lost.say('All green.').line('usage', { outputTokens: 9 });
    expect(silent(answered, 300).incidentsOf('stall')).toEqual([]);
  });

  it('has the patience for the model, not for a build, once the agent has continued without its result', () => {
    const lost = script().user('Build it.').start('bash', { command: 'cargo build' }).bash('ls').say('Next, the docs.');
    const [alert] = silent(lost.line('turn_start'), 11).incidentsOf('stall');
    expect(alert?.first.limit).toBe(10);
  });

  it('gives calls of Claude Code that may wait for permission more time, but not in a run without a person', () => {
    const run = script().user('Push it.').start('Bash', { command: 'git push', description: 'Push' });
    expect(silent(run, 45).incidentsOf('stall')).toEqual([]);
    expect(silent(run, 65).incidentsOf('stall')).toHaveLength(1);
    const [first, ...rest] = run.events();
    if (first?.type !== 'session_info') throw new Error('no facts about the session');
    const headless: AgentEvent[] = [{ ...first, mode: 'print' }, ...rest];
    expect(runEvents(headless).incidents.map((one) => one.name)).toEqual(['stall']);
  });

  it('is patient if the format does not show a running tool', () => {
    const findings: Finding[] = [];
    const detectors = createSessionDetectors(
      {
        agent: 'gemini-cli',
        showsRunningTool: false,
        options: resolveOptions({ preset: 'balanced', detectors: {} }),
      },
      { finding: (finding) => void findings.push(finding), clearing() {}, nearMiss() {} },
    );
    const [prompt] = script()
      .user('Go.')
      .events()
      .filter((event: AgentEvent) => event.type === 'user');
    if (!prompt) throw new Error('no prompt');
    detectors.push(prompt);
    detectors.tick(detectors.deadline());
    expect(detectors.deadline()).toBe(prompt.at + 20 * 60_000);
    detectors.tick(prompt.at + 19 * 60_000);
    expect(findings).toEqual([]);
    detectors.tick(prompt.at + 20 * 60_000);
    expect(findings.map((finding) => finding.detector)).toEqual(['stall']);
  });

  it('waits until the time at which the agent itself will try again', () => {
    const findings: Finding[] = [];
    const detectors = createSessionDetectors(
      {
        agent: 'claude-code',
        showsRunningTool: true,
        options: resolveOptions({ preset: 'balanced', detectors: {} }),
      },
      { finding: (finding) => void findings.push(finding), clearing() {}, nearMiss() {} },
    );
    for (const event of script().user('Go.').line('error', { message: '529 Overloaded', kind: 'api' }).events()) {
      detectors.push(event.type === 'error' ? { ...event, retryInMs: 600_000 } : event);
    }
    const { now } = detectors.context;
    detectors.tick(detectors.deadline());
    expect(detectors.deadline()).toBe(now + 20 * 60_000);
    expect(findings).toEqual([]);
  });

  it('counts from the latest time, even if a record is written out of order', () => {
    const run = script().user('Go.').bash('ls');
    const late = run.lines[1];
    if (!late) throw new Error('no line');
    late.t = Number(late.t) + 4 * MINUTE * 1000;
    expect(silent(run, 8).incidentsOf('stall')).toEqual([]);
    expect(silent(run, 15).incidentsOf('stall')).toHaveLength(1);
  });

  it('ends with the next line, and the next silence is another incident', () => {
    const told = silent(script().user('Go.'), 11)
      .bash('ls')
      .wait(12 * MINUTE)
      .bash('pwd')
      .incidentsOf('stall');
    expect(told.map((one) => one.cleared?.reason)).toEqual(['new_line', 'new_line']);
    expect(told.map((one) => one.warnLine)).toEqual([1, 4]);
  });

  it('reports a lasting silence each time that it has doubled, and no second incident', () => {
    const run = silent(script().user('Go.'), 45).run();
    const silences = run.findings.filter((finding) => finding.detector === 'stall');
    expect(silences.map((finding) => finding.count)).toEqual([10, 20, 40]);
    expect(new Set(silences.map((finding) => finding.key)).size).toBe(1);
  });

  it('says what held it back', () => {
    const run = script()
      .user('Go.')
      .call('bash', { command: 'npm test' }, { after: 12 * MINUTE })
      .run();
    expect(run.nearMisses.get('stall/')).toMatchObject({
      nearest: 'npm test',
      reached: 12,
      limit: 20,
      heldBackBy: 'Builds and tests have 20 min',
    });
  });

  it('follows its settings', () => {
    const run = silent(script().user('Go.'), 6);
    expect(run.incidentsOf('stall')).toEqual([]);
    expect(run.incidentsOf('stall', resolveOptions({ preset: 'eager', detectors: {} }))).toHaveLength(1);
    expect(
      run.incidentsOf('stall', resolveOptions({ preset: 'balanced', detectors: { stall: { model: 2 } } })),
    ).toHaveLength(1);
    expect(run.incidentsOf('stall', resolveOptions({ preset: 'eager', detectors: { stall: 'off' } }))).toEqual([]);
  });

  it('never fires in a run that continues, always in one that does not', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 280 }), { maxLength: 40 }), (pauses) => {
        const run = script().user('Go.');
        for (const pause of pauses) run.bash('ls').wait(pause);
        expect(run.incidentsOf('stall')).toEqual([]);
        expect(silent(run, 10).incidentsOf('stall')).toHaveLength(1);
      }),
      { numRuns: 50 },
    );
  });
});
