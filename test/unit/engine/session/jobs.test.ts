import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../../src/core/model';
import { Jobs } from '../../../../src/engine/session/jobs';

const START = Date.parse('2026-03-02T10:00:00Z');
const MINUTE = 60_000;
/** The time at which the turn of each story ends. */
const TURN_END = START + MINUTE;
/** The end of the background work, and the time from which an agent that was not told has missed it. */
const END = START + 3 * MINUTE;
const LATE = END + 2 * MINUTE;

/** A session in `/shop`; each call has its result at once. */
function session() {
  const jobs = new Jobs();
  let line = 0;
  const push = (event: object, at = START) => {
    line++;
    const source = { file: '/t', line, offset: line };
    jobs.push({ agent: 'codex', session: 's', at, source, ...event } as AgentEvent, '/shop');
  };
  const call = (id: string, args: object, result: object = {}, name = 'exec_command') => {
    const command = 'cmd' in args ? args.cmd : undefined;
    const subject = typeof command === 'string' ? command : name;
    push({ type: 'tool_call', id, name, args, kind: 'ran', subject, ...(command !== undefined && { command }) });
    push({ type: 'tool_result', id, output: '', isError: false, ...result });
  };
  const behind = { running: true, jobs: [{ key: '11598' }] };
  const ended = (more: object = {}) => push({ type: 'job_end', id: 'build', ...more }, END);
  const missed = (now = LATE) => jobs.missed(TURN_END, now);
  return { jobs, push, call, behind, ended, missed };
}

describe('a sub-agent in the background', () => {
  function delegated() {
    const story = session();
    story.push({ type: 'tool_call', id: 'look', name: 'Agent', args: {}, kind: 'delegated', subject: 'Search one' });
    story.push({
      type: 'tool_result',
      id: 'look',
      output: '',
      isError: false,
      running: true,
      jobs: [{ key: 'ace12' }],
    });
    return story;
  }

  it('is missed all the same if a person only names it', () => {
    const { jobs, push, missed } = delegated();
    push({ type: 'user', automated: false, text: 'What became of ace12?' });
    jobs.childEnded('agent-ace12', END);
    expect(missed()).toEqual({ kind: 'sub_agent', subject: 'Search one', endedAt: END });
  });

  it('is missed two minutes after its session ended', () => {
    const { jobs, missed } = delegated();
    expect(jobs.childEnded('agent-other', END)).toBe(false);
    expect(jobs.childEnded('agent-ace12', END)).toBe(true);
    expect(missed(LATE - 1)).toBeNull();
    expect(missed()).toEqual({ kind: 'sub_agent', subject: 'Search one', endedAt: END });
  });

  it('ended when its session did, and with the words that a later record has', () => {
    const { jobs, push, missed } = delegated();
    jobs.childEnded('agent-ace12', END);
    push({ type: 'job_end', id: 'look', key: 'ace12', lastLine: 'All of it is fine.' }, END + 5);
    expect(missed()).toEqual({
      kind: 'sub_agent',
      subject: 'Search one',
      endedAt: END,
      lastLine: 'All of it is fine.',
    });
  });

  it('is not missed if the agent was told, before or after its session shows the end', () => {
    const told = { type: 'user', automated: true, text: '<task-notification><task-id>ace12</task-id>' };
    const after = delegated();
    after.jobs.childEnded('agent-ace12', END);
    after.push(told, END);
    expect(after.missed()).toBeNull();
    const before = delegated();
    before.push(told, END);
    expect(before.jobs.childEnded('agent-ace12', END)).toBe(false);
    expect(before.missed()).toBeNull();
  });

  it('is not missed if it worked in the foreground, or is polled after its end', () => {
    const foreground = session();
    foreground.push({ type: 'tool_call', id: 'look', name: 'Agent', args: {}, kind: 'delegated', subject: 'Search' });
    foreground.push({ type: 'tool_result', id: 'look', output: 'Nothing found.', isError: false });
    expect(foreground.jobs.childEnded('agent-ace12', END)).toBe(false);
    const { jobs, call, missed } = delegated();
    jobs.childEnded('agent-ace12', END);
    call('ask', { to: 'ace12' }, {}, 'SendMessage');
    expect(missed()).toBeNull();
  });
});

describe('a background command of the agent', () => {
  it('is missed two minutes after its end, with what its record says of it', () => {
    const { call, behind, ended, missed, jobs } = session();
    call('build', { cmd: 'npm run build' }, behind);
    ended({ exitCode: 3, lastLine: '2 errors' });
    expect(missed(LATE - 1)).toBeNull();
    expect(jobs.nextMoment(0)).toBe(LATE);
    expect(missed()).toEqual({
      kind: 'command',
      subject: 'npm run build',
      endedAt: END,
      exitCode: 3,
      lastLine: '2 errors',
    });
  });

  it('is not missed if it ended before the turn did', () => {
    const { call, behind, ended, jobs } = session();
    call('build', { cmd: 'npm run build' }, behind);
    ended();
    expect(jobs.missed(END + 1, LATE)).toBeNull();
  });

  it('is not missed if a poll said that it no longer runs, but is while polls say that it runs', () => {
    const { call, behind, ended, missed } = session();
    call('build', { cmd: 'npm run build' }, behind);
    call('poll', { session_id: 11598 }, behind, 'write_stdin');
    ended();
    expect(missed()).not.toBeNull();
    call('last', { session_id: 11598 }, {}, 'write_stdin');
    expect(missed()).toBeNull();
  });

  it('is not missed if a poll said so before its end was reported', () => {
    const { call, behind, ended, missed } = session();
    call('build', { cmd: 'npm run build' }, behind);
    call('last', { session_id: 11598 }, {}, 'write_stdin');
    ended();
    expect(missed()).toBeNull();
  });

  it('is not missed if the program reported its end', () => {
    const { call, behind, ended, missed, push } = session();
    call('build', { cmd: 'npm run build' }, behind);
    ended();
    push({ type: 'user', automated: true, text: '<task-notification><task-id>11598</task-id>' }, END);
    expect(missed()).toBeNull();
  });

  it.each([
    ['a tool that ends it', { task_id: '11598' }, 'TaskStop'],
    ['a command that ends processes', { cmd: 'pkill -f build' }, 'exec_command'],
  ])('is not missed if the agent ended it: %s', (_, args, name) => {
    const { call, behind, ended, missed } = session();
    call('build', { cmd: 'npm run build' }, behind);
    call('stop', args, {}, name);
    ended();
    expect(missed()).toBeNull();
  });

  it.each(['npm run dev', 'python3 -m http.server 8000', 'vitest --watch', 'tail -f log'])(
    'is not waited for if it was never meant to end: %s',
    (cmd) => {
      const { call, behind, ended, missed } = session();
      call('build', { cmd }, behind);
      ended();
      expect(missed()).toBeNull();
    },
  );
});

describe('a background command of the shell', () => {
  it.each([
    ['npm run build > build.log 2>&1 &', '/shop/build.log'],
    ['(sleep 9; make) >> /tmp/out.txt & echo started', '/tmp/out.txt'],
    ['nohup make &> logs/make.log &', '/shop/logs/make.log'],
  ])('is recognised by the file of its output: %s', (cmd, output) => {
    const { call, jobs } = session();
    call('build', { cmd });
    expect(jobs.running()).toEqual([{ id: 'build', output }]);
  });

  it.each(['npm run build > build.log 2>&1', 'make > /dev/null 2>&1 &', 'make > a.log && npm test', 'make &'])(
    'is not seen if nothing shows its end: %s',
    (cmd) => {
      const { call, jobs } = session();
      call('build', { cmd });
      expect(jobs.running()).toEqual([]);
    },
  );

  it('is missed if its output was only read before its end, and not when it was read after', () => {
    const { call, missed, jobs } = session();
    call('build', { cmd: 'npm run build > build.log 2>&1 &' });
    call('look', { cmd: 'tail build.log' });
    jobs.ended('build', END, { lastLine: 'done' });
    expect(missed()).toMatchObject({ endedAt: END, lastLine: 'done' });
    call('again', { cmd: 'tail build.log' });
    expect(missed()).toBeNull();
  });
});

describe('what a session left in the background', () => {
  it('is not looked for if the place of its output is unknown: in the home folder, or none', () => {
    const { call, jobs } = session();
    call('build', { cmd: 'make > ~/build.log 2>&1 &' });
    call('wait', { cmd: 'npm run build' }, { running: true, jobs: [{ key: '1' }] });
    expect(jobs.running()).toEqual([]);
    expect(jobs.note()).toHaveLength(1);
  });

  it('is no longer watched once its end is known', () => {
    const { call, jobs } = session();
    call('build', { cmd: 'make > build.log 2>&1 &' });
    jobs.ended('build', END, { exitCode: 0 });
    expect(jobs.running()).toEqual([]);
  });

  it('is forgotten with its session', () => {
    const { call, behind, ended, missed, push, jobs } = session();
    call('build', { cmd: 'npm run build' }, behind);
    push({ type: 'session_end', reason: 'clean' });
    ended();
    expect([jobs.note(), missed()]).toEqual([[], null]);
  });

  it('is awaited for half an hour if its end makes the agent continue, and a command never is', () => {
    const { push, jobs } = session();
    push({ type: 'tool_call', id: 'look', name: 'Agent', args: {}, kind: 'delegated', subject: 'Search one' });
    push({ type: 'tool_result', id: 'look', output: '', isError: false, jobs: [{ key: 'a1', wakes: true }] });
    expect(jobs.awaited(START + 30 * MINUTE - 1)?.subject).toBe('Search one');
    expect(jobs.nextMoment(START)).toBe(START + 30 * MINUTE);
    expect(jobs.awaited(START + 30 * MINUTE)).toBeUndefined();
    expect(jobs.nextMoment(START + 30 * MINUTE)).toBe(Number.POSITIVE_INFINITY);
    const other = session();
    other.call('build', { cmd: 'npm run build' }, { running: true, jobs: [{ key: 'b2', wakes: true }] });
    expect(other.jobs.awaited(START)).toBeUndefined();
  });

  it('is one of twenty: the newest are remembered', () => {
    const { call, jobs } = session();
    for (let n = 0; n < 21; n++) call(`b${n}`, { cmd: `make ${n} > log${n} &` });
    expect(jobs.running().map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, n) => `b${n + 1}`));
  });
});
