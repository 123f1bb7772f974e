import { describe, expect, it } from 'vitest';
import { sweAgent } from '../../../../src/agents/swe-agent/adapter';
import type { AgentEvent } from '../../../../src/core/model';
import { damagedRecord, decodeAny } from '../fuzz';
import { fc, test } from '../shared/property';

const only = <T extends AgentEvent['type']>(events: readonly AgentEvent[], type: T) =>
  events.filter((event): event is Extract<AgentEvent, { type: T }> => event.type === type);
const step = (action: string, observation = '', more: object = {}) => ({
  action,
  observation,
  thought: 'So.',
  state: '{"open_file": "/repo/a.py", "working_dir": "/repo"}',
  ...more,
});
const document = (trajectory: readonly object[], info: object = {}) =>
  JSON.stringify({
    environment: 'swe_main',
    trajectory,
    history: [
      { role: 'user', is_demo: true, content: 'Demo' },
      { role: 'user', content: 'Task' },
    ],
    info,
  });
const run = (trajectory: readonly object[], info?: object) => decodeAny(sweAgent, [document(trajectory, info)]).events;

describe('a SWE-agent trajectory', () => {
  it('names its own commands by what they do, and the file that is open', () => {
    const events = run([
      step('open src/a.py 12\n'),
      step('edit 3:4\nx\nend_of_edit'),
      step('goto 9'),
      step('python -m pytest -q'),
      step('str_replace_editor view /repo/b.py'),
    ]);
    expect(only(events, 'tool_call').map((call) => [call.name, call.kind, call.subject])).toEqual([
      ['open', 'looked', 'Read src/a.py 12'],
      ['edit', 'changed', 'Edit 3:4 in a.py'],
      ['goto', 'looked', 'goto 9 in a.py'],
      ['bash', 'ran', 'python -m pytest -q'],
      ['str_replace_editor', 'looked', 'Read b.py'],
    ]);
    expect(only(events, 'user').map((event) => event.text)).toEqual(['Task']);
  });

  it('shows edits that were not made', () => {
    const events = run([
      step('edit 3:4', 'Your proposed edit has introduced new syntax error(s).'),
      step('ls', 'a.py'),
    ]);
    expect(only(events, 'tool_result').map((result) => result.isError)).toEqual([true, false]);
  });

  it('shows how the run ended', () => {
    const end = (trajectory: readonly object[], status: string) =>
      only(run(trajectory, { exit_status: status }), 'session_end').map((event) => event.reason);
    expect(end([step('submit', 'diff')], 'submitted')).toEqual(['clean']);
    expect(end([step('exit_cost', 'Exited')], 'exit_cost')).toEqual(['error']);
    expect(only(run([step('submit', 'diff')]), 'completion')).toHaveLength(1);
    expect(only(run([step('submit', 'diff')]), 'session_end')).toEqual([]);
  });

  it('treats an answer without an action as malformed', () => {
    expect(only(run([step('', 'Your output was not formatted correctly.')]), 'error')[0]?.kind).toBe('validation');
  });

  test.prop([
    fc.array(fc.tuple(fc.nat(10_000), fc.constantFrom<unknown>(null, 1, '', [], {}, [null])), {
      minLength: 1,
      maxLength: 6,
    }),
  ])('is read with any of its values damaged', (damages) => {
    let text = document([step('open a.py'), step('edit 1:2'), step('str_replace_editor create'), step('submit')], {
      exit_status: 'submitted',
      model_stats: { tokens_sent: 1 },
    });
    for (const [place, junk] of damages) text = damagedRecord(text, 'value', place, junk);
    decodeAny(sweAgent, [text]);
  });
});
