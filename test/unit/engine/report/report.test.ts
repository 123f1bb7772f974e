import { expect, it } from 'vitest';
import { reportOf } from '../../../../src/engine/report/report';
import { T0, attempt, incident } from '../../history/support/incidents';

const versions = { unstuck: '0.1.0', host: 'VS Code 1.139.0', system: 'linux x64' };

it('says what, by which rule, how often, with a few lines of evidence and the versions', () => {
  const one = incident();
  const text = reportOf(one, versions, T0);
  expect(text).toMatch(/^# /);
  expect(text).toContain(`| Rule | ${one.detector.replace('_', '\\_')}`);
  expect(text).toContain('Unstuck 0.1.0, VS Code 1.139.0, linux x64');
  expect(text).toContain('## Evidence');
  expect(text.split('\n').filter((line) => line.startsWith('- line')).length).toBeLessThanOrEqual(6);
});

it('leaves out secrets, the request, the session, and names in paths', () => {
  const text = reportOf(
    incident({
      folder: '/home/alice/work/app',
      file: '/home/alice/.claude/x.jsonl',
      session: 'the-session',
      title: 'Buy the company',
      why: '`/home/alice/work/app/run.sh` failed with password=hunter2-and-more.',
    }),
    versions,
    T0,
  );
  for (const secret of ['alice', 'hunter2', 'the-session', 'Buy the company', '.claude'])
    expect(text).not.toContain(secret);
  expect(text).toContain('/home/user/project/run.sh');
});

it('renders nothing from a transcript', () => {
  const text = reportOf(incident({ subject: '<img src=x> | [a](b) `c`' }), versions, T0);
  expect(text).toContain('\\<img src=x\\>');
  expect(text).not.toContain('[a](b)');
});

it('keeps the last result in its fence, whatever its last line is', () => {
  const source = { file: '/s.jsonl', line: 1, offset: 0 };
  for (const text of ['ls\nmachine x login bob password', '```\npassword:']) {
    const report = reportOf(incident({ lastSample: { source, at: T0, text, ignored: [] } }), versions, T0);
    const behind = report.split('## Last result\n\n')[1] ?? '';
    const fence = behind.split('\n')[0] ?? '';
    expect(behind).toMatch(/^`{3,}\n/);
    expect(behind.split(`\n${fence}\n`)[1]).toMatch(/^\n## What was expected/);
  }
});

it('says how often and at what cost it repeated, what was tried, and how it ended', () => {
  const tried = attempt({ kind: 'nudge', state: 'acted', outcome: 'same' });
  const part = { letter: 'A', steps: [1, 3], subject: 'x' } as never;
  const one = incident({
    count: 1_200,
    pattern: [part, part],
    tokensSinceFirst: 45_000,
    attempts: [tried, attempt({ kind: 'stop', state: 'queued' })],
    situations: undefined,
  } as never);
  const rows = reportOf(one, versions, one.firstAt + 3 * 60_000);
  expect(rows).toContain('| Count | 1,200, 2 steps in a round, 45,000 tokens since the first |');
  expect(rows).toContain('| Tried | nudge (acted, same); stop (queued) |');
  expect(rows).toContain('| Lasted | 3 min |');
  expect(rows).toContain('| Ended | still open |');
  const { tokensSinceFirst: _, ...cheap } = one;
  const none = reportOf({ ...cheap, pattern: [part], attempts: [], resolvedAt: one.firstAt + 60_000 }, versions, T0);
  expect(none).toContain('| Count | 1,200 |');
  expect(none).toContain('| Tried | nothing |');
  expect(none).toContain('| Lasted | 1 min |');
});

it('quotes the first two and the newest four of the repeats, and says how many it left out', () => {
  const line = (number: number, more: object = {}) => ({
    source: { file: '/s', line: number, offset: 0 },
    at: T0,
    subject: `make ${number}`,
    text: `error ${number}`,
    role: 'repeat',
    ...more,
  });
  const evidence = [
    line(1),
    line(2, { role: 'between' }),
    ...[3, 4, 5, 6, 7, 8, 9].map((number) => line(number)),
    line(10, { text: '' }),
  ] as never;
  const text = reportOf(incident({ evidence }), versions, T0);
  expect(text.split('\n').filter((one) => one.startsWith('- '))).toEqual([
    '- line 1: `make 1` gave `error 1`',
    '- line 3: `make 3` gave `error 3`',
    '- … 3 more …',
    '- line 7: `make 7` gave `error 7`',
    '- line 8: `make 8` gave `error 8`',
    '- line 9: `make 9` gave `error 9`',
    '- line 10: `make 10`',
  ]);
});

it('shows a result of ordinary size whole, and the beginning of a long one', () => {
  const source = { file: '/s.jsonl', line: 1, offset: 0 };
  const shown = (text: string) =>
    reportOf(incident({ lastSample: { source, at: T0, text, ignored: [] } }), versions, T0);
  expect(shown('short result')).not.toContain('…\n```');
  const long = shown(`begins ${'word '.repeat(400)}ends`);
  expect(long).toContain('begins word');
  expect(long).toContain('\n…\n');
  expect(long).not.toContain('ends');
});
