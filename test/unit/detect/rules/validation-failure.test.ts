import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resolveOptions } from '../../../../src/detect/session/options';
import { realIncidents } from '../support/real';
import { type Script, script } from '../support/script';

const TOOLS = [
  { name: 'read', schema: { type: 'object', required: ['path'], properties: { path: { type: 'string' } } } },
  { name: 'bash', schema: { type: 'object', required: ['command'] } },
];

/** Three ways to get a call wrong, in turn. */
function malformed(run: Script, index: number): Script {
  if (index % 3 === 0) return run.call('bash', '{"command": "ls', { output: 'invalid JSON', isError: true });
  if (index % 3 === 1) return run.call('search_codebase', { q: 'x' }, { output: 'no such tool', isError: true });
  return run.call('read', { file: 'a' }, { output: 'bad arguments', isError: true });
}

const begin = (): Script => script().line('session_start', { tools: TOOLS }).user('Tidy up.');

describe('validation_failure', () => {
  it('warns at the second malformed call in a row and is stuck at the third', () => {
    const [alert] = begin().times(3, malformed).incidentsOf('validation_failure');
    expect([alert?.warnLine, alert?.stuckLine]).toEqual([6, 8]);
    expect(alert?.last).toMatchObject({
      reason: 'validation_failure',
      exhaustion: 'attempts',
      count: 3,
      certainty: 'counted',
    });
    expect(alert?.last.why).toContain('3 malformed calls in a row');
  });

  it('says what was expected, what came, and what is wrong with it', () => {
    const [alert] = begin().times(3, malformed).incidentsOf('validation_failure');
    const texts = alert?.last.evidence.map((row) => row.text) ?? [];
    expect(texts[0]).toMatch(/JSON/);
    expect(texts[1]).toBe('there is no tool "search_codebase" (expected one of read, bash, received search_codebase)');
    expect(texts[2]).toBe('"path" is missing (expected path, received file)');
    expect(alert?.last.evidence.map((row) => [row.source.line, row.end?.line])).toEqual([
      [3, 4],
      [5, 6],
      [7, 8],
    ]);
  });

  it('distinguishes a call that ran and failed from a malformed one', () => {
    const told = begin()
      .times(6, (run) => run.call('read', { path: 'gone' }, { output: 'no such file', isError: true }))
      .incidentsOf('validation_failure');
    expect(told).toEqual([]);
  });

  it('does not hold a catalogue against a call that worked', () => {
    const told = begin()
      .times(6, (run) => run.call('late_tool', { any: 1 }))
      .incidentsOf('validation_failure');
    expect(told).toEqual([]);
  });

  it('is ended by one well-formed call, even if it fails', () => {
    const [alert] = begin()
      .times(3, malformed)
      .call('read', { path: 'gone' }, { output: 'no such file', isError: true })
      .incidentsOf('validation_failure');
    expect(alert?.cleared?.reason).toBe('well_formed');
  });

  it('counts messages that could not be read as calls, and shows the message', () => {
    const [alert] = script()
      .user('Fix it.')
      .times(4, (run, index) =>
        run.say(`Edit ${index}`).line('error', { kind: 'validation', message: 'block failed to match' }),
      )
      .incidentsOf('validation_failure');
    expect([alert?.warnLine, alert?.stuckLine]).toEqual([7, 9]);
    expect(alert?.last.evidence.map((row) => [row.subject, row.source.line, row.end?.line])).toEqual([
      ['Edit 0', 2, 3],
      ['Edit 1', 4, 5],
      ['Edit 2', 6, 7],
      ['Edit 3', 8, 9],
    ]);
  });

  //  bash {"command": "ls     ──── invalid JSON
  //  read a                   ──── ok            one message: the second call is written before the first result
  it('counts a malformed call once if another of its message is written before its result', () => {
    const wrong = '{"command": "ls';
    const invalid = { output: 'invalid JSON', isError: true };
    const message = (run: Script, id: string, second: unknown, answer: object): Script =>
      run
        .line('tool_call', { id: `${id}1`, name: 'bash', args: wrong, batch: id })
        .line('tool_call', { id: `${id}2`, name: 'bash', args: second, batch: id })
        .line('tool_result', { id: `${id}1`, ...invalid })
        .line('tool_result', { id: `${id}2`, ...answer });
    expect(message(begin(), 'a', { command: 'ls' }, { output: 'a' }).incidentsOf('validation_failure')).toEqual([]);
    const both = message(begin(), 'a', wrong, invalid);
    expect(both.incidentsOf('validation_failure')).toEqual([]);
    expect(message(both, 'b', wrong, invalid).incidentsOf('validation_failure')[0]?.last.count).toBe(3);
  });

  it('counts a malformed call once if it is followed by an error about it, and also one without an answer', () => {
    const twice = begin()
      .call('bash', '{"command', { output: 'invalid', isError: true })
      .line('error', { kind: 'validation', message: 'invalid JSON' });
    expect(twice.incidentsOf('validation_failure')).toEqual([]);
    const unanswered = begin()
      .times(3, (run) => run.start('bash', '{"command'))
      .say('Hm.');
    expect(unanswered.incidentsOf('validation_failure')[0]?.last.count).toBe(3);
  });

  it('counts a completion signal that cannot be read', () => {
    const [alert] = script()
      .user('Go.')
      .times(3, (run) => run.line('completion', { claim: 'TASK_COMPLETE {"summary": "do' }))
      .incidentsOf('validation_failure');
    expect(alert?.last.why).toContain('completion signal');
    const fine = script()
      .user('Go.')
      .times(4, (run) => run.line('completion', { claim: 'TASK_COMPLETE {"summary": "done"}' }));
    expect(fine.incidentsOf('validation_failure')).toEqual([]);
  });

  it('counts the calls of the first message once, and each of the following ones', () => {
    const batch = (run: Script, index: number): Script =>
      run.times(4, (one) => one.call('bash', '{"command', { output: 'invalid', isError: true, batch: `b${index}` }));
    expect(begin().times(1, batch).incidentsOf('validation_failure')).toEqual([]);
    expect(begin().times(3, batch).incidentsOf('validation_failure')[0]?.last.count).toBe(1 + 4 + 4);
  });

  it('ends at a well-formed call, even a look', () => {
    const unreadable = (run: Script, n: number): Script =>
      run.call('bash', `{"command": "make ${n}`, { output: 'invalid', isError: true });
    expect(
      begin()
        .times(6, (run, n) => unreadable(run, n).bash('ls'))
        .incidentsOf('validation_failure'),
    ).toEqual([]);
  });

  it('counts usage errors of one program, and takes those of several as ordinary failures', () => {
    const used = (command: (n: number) => string) =>
      begin().times(3, (run, n) =>
        run.call('bash', { command: command(n) }, { output: 'error: unknown option --al', exitCode: 2, isError: true }),
      );
    expect(used((n) => `deploy --al ${n}`).incidentsOf('validation_failure')[0]?.last).toMatchObject({
      level: 'stuck',
      count: 3,
    });
    expect(used((n) => `${['deploy', 'publish', 'release'][n]} --al`).incidentsOf('validation_failure')).toEqual([]);
  });

  it('continues over a prompt that adds nothing', () => {
    const [alert] = begin()
      .times(2, malformed)
      .user('still broken')
      .times(1, malformed)
      .incidentsOf('validation_failure');
    expect(alert).toMatchObject({ cleared: null, last: { level: 'stuck', count: 3 } });
  });

  it.each([
    ['a person', 'user_message', (run: Script) => run.user('Use valid JSON, as docs/calls.md shows.')],
    ['the end of the session', 'session_end', (run: Script) => run.line('session_end')],
  ] as const)('is ended by %s', (_, reason, what) => {
    const run = begin().times(2, malformed);
    what(run);
    expect(run.incidentsOf('validation_failure')[0]?.cleared?.reason).toBe(reason);
  });

  it('does not mistake our own message for an end', () => {
    const [alert] = begin()
      .times(2, malformed)
      .user('Send one well-formed call. [unstuck 01JDABCDEFGHJKMNPQRSTVWXYZ]')
      .times(1, malformed)
      .incidentsOf('validation_failure');
    expect(alert?.last.level).toBe('stuck');
  });

  it('fires whatever the mixture, and never when a check passes after every call', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(2), { minLength: 3, maxLength: 12 }), (kinds) => {
        const wrong = begin();
        const mixed = begin();
        for (const kind of kinds) {
          malformed(wrong, kind);
          malformed(mixed, kind).bash('npm test');
        }
        expect(wrong.incidentsOf('validation_failure')[0]?.stuckLine).toBe(8);
        expect(mixed.incidentsOf('validation_failure')).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  it('follows its thresholds', () => {
    const two = begin().times(3, malformed);
    expect(two.incidentsOf('validation_failure', resolveOptions({ preset: 'patient', detectors: {} }))).toEqual([]);
    expect(
      two.incidentsOf(
        'validation_failure',
        resolveOptions({ preset: 'eager', detectors: { validation_failure: 'off' } }),
      ),
    ).toEqual([]);
  });
});

describe('validation_failure in real runs', () => {
  it.each([
    ['claude-code/d-unknown-tool-bad-args.jsonl', [27, 30, 34]],
    ['codex/d_bad_calls.jsonl', [16, 20, 29]],
    ['codex/cm_d_bad_calls.jsonl', [20, 24, 33]],
    ['gemini/d_bad_calls.jsonl', [12, 17, 27]],
    ['copilot/d_bad_calls.jsonl', [14, 20, 32]],
    // the agent itself repairs the third call
    ['qwen/d_bad_calls.jsonl', [10, null, 16]],
  ] as const)('%s', (name, lines) => {
    const told = realIncidents(name, 'validation_failure');
    if (!told) return;
    expect(told.map((one) => [one.warnLine, one.stuckLine, one.cleared?.source?.line])).toEqual([lines]);
  });
});
