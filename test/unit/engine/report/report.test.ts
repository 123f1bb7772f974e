import { expect, it } from 'vitest';
import { reportOf } from '../../../../src/engine/report/report';
import { T0, incident } from '../../history/support/make';

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

it('leaves out secrets, what was asked, the session, and names in paths', () => {
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

it('renders nothing of what a transcript says', () => {
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
