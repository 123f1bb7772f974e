import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resolveOptions } from '../../../../src/detect/session/options';
import type { Preset } from '../../../../src/core/model';
import { type Script, script } from '../support/script';

const MINUTE = 60;
/** Work without progress: reads one file every five minutes, for this many minutes. */
const read = (run: Script, minutes: number): Script =>
  run.times(minutes / 5, (one, index) => one.bash(`cat src/${one.lines.length}-${index}.ts`).wait(5 * MINUTE - 1));
const edit = (run: Script): Script =>
  run.call('edit', { path: 'a.ts', content: `version ${run.lines.length}` }, { output: 'edited a.ts' });
/** Work with progress. */
const work = (run: Script, minutes: number): Script => run.times(minutes / 20, (one) => edit(read(one, 20)));

const balanced = (budgets: object) => resolveOptions({ preset: 'balanced', detectors: {}, budgets });
const FOUR_HOURS = balanced({ hours: 4 });

describe('max_runtime: a budget of hours', () => {
  it('warns when the session has been active for this long, and never reports stuck', () => {
    expect(work(script().user('Go.'), 220).incidentsOf('max_runtime', FOUR_HOURS)).toEqual([]);
    const [alert] = work(script().user('Go.'), 260).incidentsOf('max_runtime', FOUR_HOURS);
    expect(alert?.last).toMatchObject({
      level: 'warn',
      certainty: 'counted',
      reason: 'max_runtime',
      exhaustion: 'time',
      count: 240,
      limit: 240,
    });
    expect(alert?.last.why).toBe('The session has used 4 h of work; the budget is 4 h of work.');
  });

  it('does not count the time between turns, or while a person is asked', () => {
    const run = script();
    for (let turn = 0; turn < 11; turn++) {
      work(run.user(`Task ${turn}`), 20)
        .start('bash', { command: 'rm -rf build' })
        .line('waiting', { for: 'permission' })
        .wait(120 * MINUTE)
        .turnEnd()
        .wait(600 * MINUTE);
    }
    expect(run.incidentsOf('max_runtime', FOUR_HOURS).filter((one) => one.first.certainty === 'counted')).toEqual([]);
  });

  it('reports it at that moment, even while nothing is written', () => {
    const [alert] = work(script().user('Go.'), 220)
      .times(2, (run) => run.bash('ls').wait(9 * MINUTE))
      .user('Wait for it.')
      .wait(9 * MINUTE)
      .line('clock')
      .incidentsOf('max_runtime', FOUR_HOURS);
    expect(alert?.first.why).toContain('has used 4 h of work');
  });

  it('does not count a gap longer than the patience of stall: the machine slept', () => {
    const run = work(script().user('Go.'), 200)
      .user('Wait for it.')
      .wait(600 * MINUTE)
      .line('clock');
    expect(run.incidentsOf('max_runtime', FOUR_HOURS)).toEqual([]);
  });

  it('ends only with the session', () => {
    const run = work(script().user('Go.'), 260).turnEnd().user('And now?').say('Done.');
    expect(run.incidentsOf('max_runtime', FOUR_HOURS)[0]?.cleared).toBeNull();
    expect(run.line('session_end').incidentsOf('max_runtime', FOUR_HOURS)[0]?.cleared?.reason).toBe('session_end');
  });
});

describe('max_runtime: a turn without progress', () => {
  it('warns after 30 min of work without an edit, a passing check, a plan item or a commit', () => {
    expect(read(script().user('Go.'), 25).incidentsOf('max_runtime')).toEqual([]);
    const [alert] = read(script().user('Go.'), 40).incidentsOf('max_runtime');
    expect(alert?.first).toMatchObject({ level: 'warn', certainty: 'guessed', count: 30, limit: 30 });
    expect(alert?.first.why).toMatch(/^The turn has run for 30 min since the last prompt: 7 steps without an edit/);
  });

  it('reports nothing while the work progresses', () => {
    expect(work(script().user('Go.'), 120).incidentsOf('max_runtime')).toEqual([]);
  });

  it('leaves silence to the rule for silence', () => {
    const silent = read(script().user('Go.'), 15)
      .wait(50 * MINUTE)
      .bash('pwd');
    expect(silent.incidentsOf('max_runtime')).toEqual([]);
    const busy = read(read(script().user('Go.'), 15), 50).bash('pwd');
    expect(busy.incidentsOf('max_runtime')).toHaveLength(1);
  });

  it('does not count waiting for something that runs', () => {
    const run = script()
      .user('Train it.')
      .times(12, (one) => one.call('bash', { command: 'sleep 600; tail -1 train.log' }, { after: 10 * MINUTE }));
    expect(run.incidentsOf('max_runtime')).toEqual([]);
  });

  it('does not count it even if the result bears the time of its call', () => {
    const run = script().user('Train it.');
    run.times(12, (one) =>
      one
        .call('bash', { command: 'sleep 600; tail -1 train.log' })
        .wait(10 * MINUTE)
        .say('Still running.'),
    );
    expect(run.incidentsOf('max_runtime')).toEqual([]);
  });

  it('takes off a wait that was never counted from nothing else: it was longer than any patience', () => {
    const waited = read(script().user('Train it.'), 25).call(
      'bash',
      { command: 'sleep 2400; tail -1 train.log' },
      { after: 40 * MINUTE },
    );
    expect(waited.incidentsOf('max_runtime')).toEqual([]);
    const [alert] = read(waited, 15).incidentsOf('max_runtime');
    expect(alert?.first).toMatchObject({ count: 30 });
  });

  //  25 min of reading, sleep ────── 5 min
  //                     sleep ────── the same 5 min
  it('takes off the time of waits that run side by side once', () => {
    const run = read(script().user('Train it.'), 25);
    run.line('tool_call', { id: 'a', name: 'bash', args: { command: 'sleep 300; tail -1 a.log' }, batch: 'b' });
    run.line('tool_call', { id: 'b', name: 'bash', args: { command: 'sleep 300; tail -1 b.log' }, batch: 'b' });
    run.wait(5 * MINUTE);
    run.line('tool_result', { id: 'a', output: 'epoch 1' }).line('tool_result', { id: 'b', output: 'epoch 2' });
    const [alert] = read(run, 10).incidentsOf('max_runtime');
    expect(alert?.first).toMatchObject({ count: 30 });
  });

  it('reports nothing for an agent whose calls cannot be read: its edits would not be seen', () => {
    const run = script()
      .user('Go.')
      .times(12, (one, index) => one.call('do_it', { what: `step ${index}` }).wait(5 * MINUTE));
    expect(run.incidentsOf('max_runtime')).toEqual([]);
  });

  it.each([
    ['progress', 'progress', edit],
    ['the end of the turn', 'turn_end', (run: Script) => run.turnEnd()],
    ['a person', 'user_message', (run: Script) => run.user('What do you know now?')],
  ] as const)('is ended by %s', (_, reason, what) => {
    const run = what(read(script().user('Go.'), 40));
    expect(run.incidentsOf('max_runtime')[0]?.cleared?.reason).toBe(reason);
  });
});

describe('max_runtime: budgets', () => {
  it('do not exist until they are set', () => {
    const run = work(script().user('Go.'), 600).line('usage', { totalTokens: 1e8, cost: 900 });
    expect(run.incidentsOf('max_runtime')).toEqual([]);
  });

  it.each([
    ['calls', 20, 'attempts', 'The session has used 20 calls; the budget is 20 calls.'],
    ['tokens', 5000, 'tokens', 'The session has used 5000 tokens; the budget is 5000 tokens.'],
    ['cost', 2, 'tokens', 'The session has used $2.00; the budget is $2.00.'],
  ] as const)('reports when %s reach %i', (name, limit, exhaustion, why) => {
    const run = script()
      .user('Go.')
      .times(30, (one) => one.bash('ls').line('usage', { inputTokens: 150, outputTokens: 50, cost: 0.1 }));
    const told = run.incidentsOf('max_runtime', balanced({ [name]: limit }));
    expect(told.map((one) => one.first)).toMatchObject([{ exhaustion, why, level: 'warn', certainty: 'counted' }]);
  });
});

describe('max_runtime', () => {
  it('fires for any way to spend the time, and not before', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 30 }), (minutes) => {
        const run = script().user('Go.');
        for (const pause of minutes) edit(run).wait(pause * MINUTE);
        const active = run.lines.at(-1);
        const spent = (Number(active?.t) - Number(run.lines[0]?.t)) / 60_000;
        const told = run.incidentsOf('max_runtime', balanced({ hours: 1 }));
        expect(told.length).toBe(spent >= 60 ? 1 : 0);
      }),
      { numRuns: 40 },
    );
  });

  it('follows its settings', () => {
    const turn = read(script().user('Go.'), 40);
    const limitOf = (preset: Preset, max_runtime?: unknown) =>
      turn.incidentsOf('max_runtime', resolveOptions({ preset, detectors: { max_runtime } }))[0]?.first.limit;
    expect([limitOf('eager'), limitOf('balanced'), limitOf('patient')]).toEqual([20, 30, undefined]);
    expect(limitOf('eager', 'off')).toBeUndefined();
    expect(limitOf('balanced', { turn: 35 })).toBe(35);
    expect(limitOf('balanced', { turn: 60 })).toBeUndefined();
  });
});
