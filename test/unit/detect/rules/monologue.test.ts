import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resolveOptions } from '../../../../src/detect/session/options';
import type { Preset } from '../../../../src/core/model';
import { realIncidents } from '../support/real';
import { script } from '../support/script';

describe('monologue', () => {
  it('warns at the fourth message in a turn without any call, and only guesses when they differ', () => {
    const [alert] = script()
      .user('Add a cache.')
      .say('I could use a map.')
      .say('Or a ring of entries.')
      .say('A map is simpler.')
      .say('But a ring is bounded.')
      .say('Both have merits.')
      .say('I will think about it.')
      .incidentsOf('monologue');
    expect(alert?.warnLine).toBe(5);
    expect(alert?.first).toMatchObject({
      reason: 'no_action',
      certainty: 'guessed',
      level: 'warn',
      count: 4,
      limit: 3,
    });
    expect(alert?.stuckLine).toBeNull();
    expect(alert?.last.count).toBe(6);
  });

  it('treats answers without words as equal', () => {
    const [alert] = script()
      .user('Fix the header.')
      .times(5, (run) => run.say(''))
      .incidentsOf('monologue');
    expect([alert?.warnLine, alert?.stuckLine]).toEqual([3, 4]);
    expect(alert?.last).toMatchObject({ certainty: 'counted', subject: 'an empty answer' });
  });

  it('is stuck at the third equal message, over turns that were only asked to continue', () => {
    const [alert] = script()
      .user('Fix the test.')
      .times(6, (run) => run.say('I should think about the approach at 12:03:09 again.').turnEnd().user('continue'))
      .incidentsOf('monologue');
    expect([alert?.warnLine, alert?.stuckLine]).toEqual([5, 8]);
    expect(alert?.last).toMatchObject({ level: 'stuck', certainty: 'counted', count: 6 });
    expect(alert?.last.why).toContain('in 6 turns');
    expect(alert?.cleared).toBeNull();
    expect(alert?.last.firstSample?.text).toContain('think about the approach');
    expect(alert?.last.evidence.map((row) => row.source.line)).toEqual([2, 5, 8, 11, 14, 17]);
  });

  it('turns from a guess into a count, and not back', () => {
    const [alert] = script()
      .user('Go.')
      .times(4, (run, index) => run.say(`Thought ${index}: ${'abcd'[index]}`))
      .times(5, (run) => run.say('I will begin soon.'))
      .say('Really.')
      .incidentsOf('monologue');
    expect(alert?.first.certainty).toBe('guessed');
    expect(alert?.last).toMatchObject({ certainty: 'counted', level: 'stuck', count: 10 });
    expect(alert?.last.why).toContain('5 of them say the same');
  });

  it('reports nothing while each message answers one from a person', () => {
    const told = script()
      .times(8, (run, index) => run.user(`Question ${index}: why?`).say('Because of the cache.').turnEnd())
      .incidentsOf('monologue');
    expect(told).toEqual([]);
  });

  it('reports nothing for an agent that talks before each call', () => {
    const told = script()
      .user('Fix the test.')
      .times(8, (run) => run.say('Running the tests again.').bash('pytest -q', '1 failed'))
      .incidentsOf('monologue');
    expect(told).toEqual([]);
  });

  it('treats a call that only prints a sentence as talk, for agents that must call a tool in every turn', () => {
    // say, echo "…", say, echo "…", say, echo "…", say
    const farewells = ['Session concluded.', 'Awaiting new instructions.', 'Thank you and goodbye.', 'Session closed.'];
    const [alert] = script()
      .user('Fix the test.')
      .times(4, (run, index) =>
        run.say(`There is nothing left to do, ${'abcd'[index]}.`).bash(`echo "${farewells[index]}"`, farewells[index]),
      )
      .bash('pytest -q', '1 failed')
      .incidentsOf('monologue');
    expect(alert?.first).toMatchObject({ level: 'warn', certainty: 'guessed', count: 4 });
    expect(alert?.first.why).toBe(
      '4 messages in a row without a tool call that does more than print a sentence, within one turn.',
    );
    expect(alert?.cleared?.reason).toBe('tool_call');
  });

  it.each([
    'echo done',
    'echo step 3',
    'echo "--- tests ---"',
    'echo "The path is $PATH."',
    'echo "All tests pass now." > NOTES.md',
    'echo "Running the tests now." && pytest -q',
    'printf "%s."',
  ])('does not treat `%s` as talk', (command) => {
    const told = script()
      .user('Fix the test.')
      .times(6, (run, index) => run.say(`Going on with part ${'abcdef'[index]}.`).bash(command, 'ok'))
      .incidentsOf('monologue');
    expect(told).toEqual([]);
  });

  it('counts a streamed message once, however many pieces it has', () => {
    const told = script()
      .user('Fix the test.')
      .times(12, (run) => run.line('assistant', { text: 'more ', chunk: true }))
      .line('usage', { outputTokens: 12 })
      .incidentsOf('monologue');
    expect(told).toEqual([]);
  });

  it('leaves a message that was meant as a call to the rule for malformed calls', () => {
    const told = script()
      .user('Fix the test.')
      .times(6, (run) => run.say('{"command": "ls').line('error', { kind: 'validation', message: 'Invalid JSON' }))
      .incidentsOf('monologue');
    expect(told).toEqual([]);
  });

  it.each([
    ['a tool call', 'tool_call', (run: ReturnType<typeof script>) => run.bash('ls')],
    [
      'a message that says more',
      'user_message',
      (run: ReturnType<typeof script>) => run.user('Use the map in src/map.ts.'),
    ],
    ['the end of its turn', 'turn_end', (run: ReturnType<typeof script>) => run.turnEnd()],
    ['the end of the session', 'session_end', (run: ReturnType<typeof script>) => run.line('session_end')],
  ] as const)('is cleared by %s', (_, reason, what) => {
    const run = script()
      .user('Go')
      .times(4, (one) => one.say('Thinking.'));
    what(run);
    const [alert] = run.incidentsOf('monologue');
    expect(alert?.cleared?.reason).toBe(reason);
  });

  it('continues over a message from a program, and over ours', () => {
    const [alert] = script()
      .user('Go')
      .times(5, (run) =>
        run.say('I am thinking.').user('Take a concrete action.\n[unstuck 01JDABCDEFGHJKMNPQRSTVWXYZ]', true),
      )
      .incidentsOf('monologue');
    expect(alert?.last).toMatchObject({ level: 'stuck', count: 5 });
  });

  it('is the same incident when the same talk is back soon, and not a second one', () => {
    const told = script()
      .user('Go')
      .times(3, (run) => run.say('I am thinking.'))
      .bash('ls')
      .times(3, (run) => run.say('I am thinking.'))
      .incidentsOf('monologue');
    expect(told).toHaveLength(1);
    expect(told[0]?.reopened).toBe(1);
  });

  it('follows its thresholds', () => {
    const talk = script()
      .user('Go')
      .times(3, (run) => run.say('I am thinking.'));
    const stuckLine = (preset: Preset, detectors: object): number | null | undefined =>
      talk.incidentsOf('monologue', resolveOptions({ preset, detectors }))[0]?.stuckLine;
    expect(talk.incidentsOf('monologue', resolveOptions({ preset: 'patient', detectors: {} }))).toEqual([]);
    expect(stuckLine('balanced', {})).toBe(4);
    expect(stuckLine('eager', {})).toBe(4);
    expect(stuckLine('balanced', { monologue: { warn: 2, stuck: 4 } })).toBeNull();
    expect(talk.incidentsOf('monologue', resolveOptions({ preset: 'eager', detectors: { monologue: 'off' } }))).toEqual(
      [],
    );
  });

  it('treats a short message of one word as too little to be equal', () => {
    const told = script()
      .user('Go')
      .times(3, (run) => run.say('Done.'))
      .incidentsOf('monologue');
    expect(told).toEqual([]);
  });

  it('does not count differing messages in a turn that made a call', () => {
    const told = script()
      .user('Fix the test.')
      .bash('ls')
      .times(9, (run, index) => run.say(`Thought ${'abcdefghi'[index]}: ${'qrstuvwxy'[index]}`))
      .incidentsOf('monologue');
    expect(told).toEqual([]);
  });

  it('recognises a prompt that asks for an answer, even in a script without spaces', () => {
    const told = (prompt: string) =>
      script()
        .user('Go')
        .times(6, (run, index) => run.say(`Thought ${'abcdef'[index]}: ${'uvwxyz'[index]}`).turnEnd().user(prompt))
        .incidentsOf('monologue');
    expect(told('如何展示照片')).toEqual([]);
    expect(told('如何展示？')).toEqual([]);
    expect(told('继续吧')).toHaveLength(1);
  });

  it('ends with news from a program: a task that ended', () => {
    const told = script()
      .user('Go')
      .times(6, (run, index) => run.say('Waiting for the workers.').user(`Task ${'abcdef'[index]} ended.`, true))
      .incidentsOf('monologue');
    expect(told).toEqual([]);
  });

  it('fires for any text that is said often enough, and never for one that is said between calls', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 12 }).filter((text) => text.trim().length >= 12),
        fc.integer({ min: 3, max: 12 }),
        (text, count) => {
          const silent = script()
            .user('Begin the work')
            .times(count, (run) => run.say(text).bash('ls'));
          const talking = script()
            .user('Begin the work')
            .times(count, (run) => run.say(text));
          expect(silent.incidentsOf('monologue')).toEqual([]);
          expect(talking.incidentsOf('monologue')[0]?.stuckLine).toBe(4);
        },
      ),
      { numRuns: 50 },
    );
  });
});

describe('monologue in real runs', () => {
  it.each([
    ['claude-code/c-monologue.jsonl', [41, null]],
    ['codex/f_mono.jsonl', [21, 31]],
    ['gemini/f_mono.jsonl', [13, 21]],
  ] as const)('%s', (name, lines) => {
    const told = realIncidents(name, 'monologue');
    if (!told) return;
    expect(told.map((one) => [one.warnLine, one.stuckLine])).toEqual([lines]);
  });
});
