import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resolveOptions } from '../../../../src/detect/session/options';
import { type Script, script } from '../support/script';

const MINUTE = 60;
/** Work without progress: reading, one file every five minutes, so many minutes. */
const read = (run: Script, minutes: number): Script =>
  run.times(minutes / 5, (one, index) => one.bash(`cat src/${one.lines.length}-${index}.ts`).wait(5 * MINUTE - 1));
const edit = (run: Script): Script =>
  run.call('edit', { path: 'a.ts', content: `version ${run.lines.length}` }, { output: 'edited a.ts' });
/** Work with progress. */
const work = (run: Script, minutes: number): Script => run.times(minutes / 20, (one) => edit(read(one, 20)));

describe('max_runtime: the session', () => {
  it('warns when it has been active for 4 hours, and never says stuck', () => {
    expect(work(script().user('Go.'), 220).told('max_runtime')).toEqual([]);
    const [alert] = work(script().user('Go.'), 260).told('max_runtime');
    expect(alert?.last).toMatchObject({
      level: 'warn',
      certainty: 'counted',
      reason: 'max_runtime',
      exhaustion: 'time',
      count: 240,
      limit: 240,
    });
    expect(alert?.last.why).toBe('The session has been active for 4 h; the limit is 4 h.');
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
    expect(run.told('max_runtime').filter((one) => one.first.certainty === 'counted')).toEqual([]);
  });

  it('tells it at the moment, also while nothing is written', () => {
    const [alert] = work(script().user('Go.'), 220)
      .times(2, (run) => run.bash('ls').wait(9 * MINUTE))
      .user('Wait for it.')
      .wait(9 * MINUTE)
      .line('clock')
      .told('max_runtime');
    expect(alert?.first.why).toContain('active for 4 h;');
  });

  it('does not count a gap longer than the patience of stall: the machine slept', () => {
    const run = work(script().user('Go.'), 200)
      .user('Wait for it.')
      .wait(600 * MINUTE)
      .line('clock');
    expect(run.told('max_runtime')).toEqual([]);
  });

  it('ends with the session only', () => {
    const run = work(script().user('Go.'), 260).turnEnd().user('And now?').say('Done.');
    expect(run.told('max_runtime')[0]?.cleared).toBeNull();
    expect(run.line('session_end').told('max_runtime')[0]?.cleared?.reason).toBe('session_end');
  });
});

describe('max_runtime: a turn without progress', () => {
  it('warns after 30 min of work without an edit, a passing check, a plan item or a commit', () => {
    expect(read(script().user('Go.'), 25).told('max_runtime')).toEqual([]);
    const [alert] = read(script().user('Go.'), 40).told('max_runtime');
    expect(alert?.first).toMatchObject({ level: 'warn', certainty: 'guessed', count: 30, limit: 30 });
    expect(alert?.first.why).toMatch(/^The turn goes on for 30 min since the last prompt, with 7 steps and no edit/);
  });

  it('says nothing while the work progresses', () => {
    expect(work(script().user('Go.'), 120).told('max_runtime')).toEqual([]);
  });

  it('leaves silence to the rule for silence', () => {
    const silent = read(script().user('Go.'), 15)
      .wait(50 * MINUTE)
      .bash('pwd');
    expect(silent.told('max_runtime')).toEqual([]);
    const busy = read(read(script().user('Go.'), 15), 50).bash('pwd');
    expect(busy.told('max_runtime')).toHaveLength(1);
  });

  it('does not count waiting for something that runs', () => {
    const run = script()
      .user('Train it.')
      .times(12, (one) => one.call('bash', { command: 'sleep 600; tail -1 train.log' }, { after: 10 * MINUTE }));
    expect(run.told('max_runtime')).toEqual([]);
  });

  it('does not count it either where the result bears the time of its call', () => {
    const run = script().user('Train it.');
    run.times(12, (one) =>
      one
        .call('bash', { command: 'sleep 600; tail -1 train.log' })
        .wait(10 * MINUTE)
        .say('Still running.'),
    );
    expect(run.told('max_runtime')).toEqual([]);
  });

  it('says nothing of an agent whose calls cannot be read: its edits would not be seen', () => {
    const run = script()
      .user('Go.')
      .times(12, (one, index) => one.call('do_it', { what: `step ${index}` }).wait(5 * MINUTE));
    expect(run.told('max_runtime')).toEqual([]);
  });

  it.each([
    ['progress', 'progress', edit],
    ['the end of the turn', 'turn_end', (run: Script) => run.turnEnd()],
    ['a person', 'user_message', (run: Script) => run.user('What do you know now?')],
  ] as const)('is ended by %s', (_, reason, what) => {
    const run = what(read(script().user('Go.'), 40));
    expect(run.told('max_runtime')[0]?.cleared?.reason).toBe(reason);
  });
});

describe('max_runtime: limits', () => {
  it('has none until they are set', () => {
    const run = script()
      .user('Go.')
      .times(2000, (one) => one.bash('ls'))
      .line('usage', { totalTokens: 1e8, cost: 900 });
    expect(run.told('max_runtime').filter((one) => one.first.exhaustion !== 'time')).toEqual([]);
  });

  it.each([
    ['calls', 20, 'attempts', 'The session has used 20 calls; the limit is 20.'],
    ['tokens', 5000, 'tokens', 'The session has used 5000 tokens; the limit is 5000.'],
    ['cost', 2, 'tokens', 'The session has used $2.00; the limit is $2.00.'],
  ] as const)('tells when %s reach %i', (name, limit, exhaustion, why) => {
    const run = script()
      .user('Go.')
      .times(30, (one) => one.bash('ls').line('usage', { inputTokens: 150, outputTokens: 50, cost: 0.1 }));
    const told = run.told('max_runtime', resolveOptions('balanced', { max_runtime: { [name]: limit } }));
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
        const told = run.told('max_runtime', resolveOptions('balanced', { max_runtime: { warn: 60 } }));
        expect(told.length).toBe(spent >= 60 ? 1 : 0);
      }),
      { numRuns: 40 },
    );
  });

  it('follows its settings', () => {
    const run = work(script().user('Go.'), 260);
    expect(run.told('max_runtime', resolveOptions('patient', {}))).toEqual([]);
    expect(run.told('max_runtime', resolveOptions('eager', { max_runtime: false }))).toEqual([]);
    const turn = read(script().user('Go.'), 40);
    expect(turn.told('max_runtime', resolveOptions('balanced', { max_runtime: { turn: 60 } }))).toEqual([]);
  });
});
