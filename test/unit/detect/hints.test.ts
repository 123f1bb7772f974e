import { describe, expect, it } from 'vitest';
import { resolveOptions } from '../../../src/detect/session/options';
import { CONFIDENCE } from '../../../src/detect/streaks/confidence';
import { type Script, script } from './support/script';

const read = (run: Script, path: string): Script => run.call('read', { file_path: path }, { output: 'some text' });
const edit = (run: Script, path: string): Script =>
  run.call('edit', { file_path: path, old_string: 'a', new_string: `b${run.lines.length}` }, { output: 'edited' });

describe('premature_action', () => {
  it('hints at an edit of a file that was never read', () => {
    const [alert] = edit(
      script().line('session_start', { cwd: '/w' }).user('Fix the total.'),
      '/w/src/price.ts',
    ).incidentsOf('premature_action');
    expect(alert?.first).toMatchObject({ level: 'warn', certainty: 'guessed', reason: 'premature_action', count: 1 });
    expect(alert?.first.why).toBe('It edited `src/price.ts` without reading it in this session.');
    expect(alert?.first.confidence).toBe(CONFIDENCE.warn);
  });

  it.each([
    ['read before', (run: Script) => edit(read(run, '/w/src/price.ts'), '/w/src/price.ts')],
    ['shown by a command', (run: Script) => edit(run.bash('sed -n 1,40p src/price.ts'), '/w/src/price.ts')],
    [
      'found by a search',
      (run: Script) =>
        edit(run.call('grep', { pattern: 'total' }, { output: 'src/price.ts:3: total' }), '/w/src/price.ts'),
    ],
    ['named by a person', (run: Script) => edit(run.user('In price.ts, replace a by b.'), '/w/src/price.ts')],
    [
      'written by itself',
      (run: Script) =>
        edit(run.call('write', { file_path: '/w/new.ts', content: 'a' }, { output: 'created' }), '/w/new.ts'),
    ],
    [
      'new',
      (run: Script) =>
        run.call('write', { file_path: '/w/new.ts', content: 'a' }, { output: 'File created successfully' }),
    ],
    [
      'refused by the tool',
      (run: Script) =>
        run.call(
          'edit',
          { file_path: '/w/a.ts', old_string: 'a', new_string: 'b' },
          { output: 'File has not been read yet', isError: true },
        ),
    ],
  ])('says nothing about a file that was %s', (_, what) => {
    expect(what(script().user('Fix the total.')).incidentsOf('premature_action')).toEqual([]);
  });

  it('hints at a file that was overwritten unread', () => {
    const run = script()
      .user('Go.')
      .call(
        'write',
        { file_path: '/w/README.md', content: 'x' },
        { output: 'The file /w/README.md has been updated successfully.' },
      );
    expect(run.incidentsOf('premature_action')).toHaveLength(1);
  });

  const fix = (): Script => script().line('session_start', { cwd: '/w' }).user('Fix the prices.');

  it('hints at an edit by a command', () => {
    const [alert] = fix().bash('sed -i s/1/2/ src/price.ts').incidentsOf('premature_action');
    expect(alert?.first).toMatchObject({
      level: 'warn',
      certainty: 'guessed',
      count: 1,
      why: 'It edited `src/price.ts` without reading it in this session.',
      suggestion: 'Read `price.ts` before the next change, so that the change fits what is there.',
    });
  });

  it.each<[string, (run: Script) => Script]>([
    ['a file that it read', (run) => read(run, '/w/src/price.ts').bash('sed -i s/1/2/ src/price.ts')],
    ['a file that a shell showed', (run) => run.bash('cat src/price.ts').bash('sed -i s/1/2/ src/price.ts')],
    [
      'a file that a listing named',
      (run) =>
        run.call('bash', { command: 'ls src' }, { output: 'price.ts\nold.ts' }).bash('sed -i s/1/2/ src/price.ts'),
    ],
    [
      'a file outside of the folder, or of a package',
      (run) => run.bash('sed -i s/1/2/ /etc/a.conf node_modules/x/a.js'),
    ],
    ['an edit that fails', (run) => run.bash('sed -i s/1/2/ src/price.ts', 'No such file or directory')],
    ['a continued session', (run) => run.line('compaction').bash('sed -i s/1/2/ src/price.ts')],
    [
      'a run: it is no edit',
      (run) => run.bash('python scripts/migrate.py --all').bash('bash -lc "/w/scripts/seed.sh"'),
    ],
    ['a change of what a system keeps', (run) => run.bash('git reset --hard').bash('kubectl delete deploy web')],
  ])('says nothing about %s', (_, what) => {
    expect(what(fix()).incidentsOf('premature_action')).toEqual([]);
  });

  it('counts a file once, and another one in addition', () => {
    const [alert] = fix()
      .bash('sed -i s/1/2/ src/price.ts')
      .bash('sed -i s/2/3/ src/price.ts')
      .bash('sed -i s/1/2/ src/tax.ts')
      .incidentsOf('premature_action');
    expect(alert?.last.count).toBe(2);
    expect(alert?.last.why).toBe('It edited `src/tax.ts` without reading it in this session. 2 such steps so far.');
  });

  it.each([
    ['reading it', 'tool_call', (run: Script) => read(run, '/w/src/price.ts')],
    [
      'no such edit within 12 steps',
      'not_back',
      (run: Script) => run.times(12, (one, index) => one.bash(`cat ${index}`)),
    ],
    ['a person', 'user_message', (run: Script) => run.user('Good.')],
    ['the end', 'session_end', (run: Script) => run.line('session_end')],
  ] as const)('is over with %s', (_, reason, what) => {
    const run = what(edit(script().user('Go.'), '/w/src/price.ts'));
    expect(run.incidentsOf('premature_action')[0]?.cleared?.reason).toBe(reason);
  });

  it('is off in patient, and can be switched off', () => {
    const run = edit(script().user('Go.'), '/w/src/price.ts');
    expect(run.incidentsOf('premature_action', resolveOptions({ preset: 'patient', detectors: {} }))).toEqual([]);
    expect(
      run.incidentsOf(
        'premature_action',
        resolveOptions({ preset: 'balanced', detectors: { premature_action: 'off' } }),
      ),
    ).toEqual([]);
  });
});

describe('over_helpfulness', () => {
  const missing = (run: Script): Script =>
    run.bash('cat data/prices.csv', 'cat: data/prices.csv: No such file or directory');
  const write = (run: Script, path: string, content: string): Script =>
    run.call('write', { file_path: path, content }, { output: 'File created' });

  it('hints at a data file that was missing and then written', () => {
    const [alert] = write(
      missing(script().user('Plot the prices.')),
      '/w/data/prices.csv',
      'day,price\n1,9',
    ).incidentsOf('over_helpfulness');
    expect(alert?.first).toMatchObject({
      level: 'warn',
      certainty: 'guessed',
      reason: 'over_helpfulness',
      confidence: CONFIDENCE.warn,
    });
    expect(alert?.first.why).toContain('it wrote `prices.csv` itself');
    expect(alert?.first.evidence.map((row) => row.source.line)).toEqual([2, 4]);
  });

  it('hints at a text that says of itself that it stands in for data', () => {
    const run = script().user('Report the sales.').bash('curl https://api.example.org/sales', 'HTTP 404 not found');
    const [alert] = write(run, '/w/report.py', '# the API is gone, use sample data instead').incidentsOf(
      'over_helpfulness',
    );
    expect(alert?.first.why).toContain('its own text says “sample data”');
  });

  it.each([
    ['it reports the gap', (run: Script) => missing(run).say('There are no prices.')],
    [
      'it writes code that was missing',
      (run: Script) =>
        write(
          run.bash('cat src/price.ts', 'cat: src/price.ts: No such file or directory'),
          '/w/src/price.ts',
          'export {}',
        ),
    ],
    ['it writes something else', (run: Script) => write(missing(run), '/w/notes.md', 'No prices there.')],
    [
      'it writes it much later',
      (run: Script) =>
        write(
          missing(run).times(5, (one, index) => one.bash(`cat ${index}`)),
          '/w/data/prices.csv',
          'a',
        ),
    ],
    ['it writes a test', (run: Script) => write(missing(run), '/w/tests/price.test.ts', 'const prices = fake data')],
    ['nothing was missing', (run: Script) => write(run.bash('ls'), '/w/data/prices.csv', 'day,price')],
  ])('says nothing when %s', (_, what) => {
    expect(what(script().user('Plot the prices.')).incidentsOf('over_helpfulness')).toEqual([]);
  });

  it('says nothing when the person asked for it', () => {
    const run = missing(script().user('Create data/prices.csv with sample data.'));
    expect(write(run, '/w/data/prices.csv', 'sample data').incidentsOf('over_helpfulness')).toEqual([]);
  });

  it('is over after 12 steps, and when a person writes', () => {
    const run = (): Script => write(missing(script().user('Plot the prices.')), '/w/data/prices.csv', 'a');
    expect(
      run()
        .times(12, (one, index) => one.bash(`cat ${index}`))
        .incidentsOf('over_helpfulness')[0]?.cleared?.reason,
    ).toBe('not_back');
    expect(run().user('Fine.').incidentsOf('over_helpfulness')[0]?.cleared?.reason).toBe('user_message');
    expect(run().line('session_end').incidentsOf('over_helpfulness')[0]?.cleared?.reason).toBe('session_end');
  });

  it('is off in patient', () => {
    const run = write(missing(script().user('Plot the prices.')), '/w/data/prices.csv', 'a');
    expect(run.incidentsOf('over_helpfulness', resolveOptions({ preset: 'patient', detectors: {} }))).toEqual([]);
  });
});
