import { describe, expect, it } from 'vitest';
import { resolveOptions } from '../../../src/detect/session/options';
import { confidenceAt } from '../../../src/detect/streaks/confidence';
import { type Script, script } from './support/script';

const read = (run: Script, path: string): Script => run.call('read', { file_path: path }, { output: 'some text' });
const edit = (run: Script, path: string): Script =>
  run.call('edit', { file_path: path, old_string: 'a', new_string: `b${run.lines.length}` }, { output: 'edited' });

describe('premature_action', () => {
  it('hints at an edit of a file that was never read', () => {
    const [alert] = edit(script().line('session_start', { cwd: '/w' }).user('Fix the total.'), '/w/src/price.ts').told(
      'premature_action',
    );
    expect(alert?.first).toMatchObject({ level: 'warn', certainty: 'guessed', reason: 'premature_action', count: 1 });
    expect(alert?.first.why).toBe('It edited `src/price.ts` without reading it in this session.');
    expect(alert?.first.confidence).toBe(confidenceAt('warn'));
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
  ])('says nothing of a file that was %s', (_, what) => {
    expect(what(script().user('Fix the total.')).told('premature_action')).toEqual([]);
  });

  it('hints at a file that was written over unread', () => {
    const run = script()
      .user('Go.')
      .call(
        'write',
        { file_path: '/w/README.md', content: 'x' },
        { output: 'The file /w/README.md has been updated successfully.' },
      );
    expect(run.told('premature_action')).toHaveLength(1);
  });

  const fix = (): Script => script().line('session_start', { cwd: '/w' }).user('Fix the prices.');

  it.each([
    [
      'sed -i s/1/2/ src/price.ts',
      'It edited `src/price.ts` without reading it in this session.',
      'Read `price.ts` before the next change, so that the change fits what is there.',
    ],
    [
      'cd /w && python scripts/migrate.py --all',
      'It ran `scripts/migrate.py` without reading it in this session.',
      'Read `migrate.py` before it runs again, so that you know what it does.',
    ],
    [
      'bash -lc "/w/scripts/seed.sh"',
      'It ran `scripts/seed.sh` without reading it in this session.',
      'Read `seed.sh` before it runs again, so that you know what it does.',
    ],
    [
      'psql app -c "UPDATE prices SET net = 1"',
      'It ran `UPDATE prices SET` without looking at the database in this session.',
      'Look at the database before the next change, so that the change fits what is there.',
    ],
    [
      'git -C /w reset --hard origin/main',
      'It ran `git reset --hard` without looking at the repository in this session.',
      'Look at the repository before the next change, so that the change fits what is there.',
    ],
    [
      'kubectl -n shop delete deploy web',
      'It ran `kubectl delete` without looking at the cluster in this session.',
      'Look at the cluster before the next change, so that the change fits what is there.',
    ],
    [
      'aws s3 rm --recursive s3://shop/prices',
      'It ran `aws s3 rm` without looking at the aws resources in this session.',
      'Look at the aws resources before the next change, so that the change fits what is there.',
    ],
  ])('hints at a run against what was never looked at: %s', (command, why, suggestion) => {
    const [alert] = fix().bash(command).told('premature_action');
    expect(alert?.first).toMatchObject({ level: 'warn', certainty: 'guessed', count: 1, why, suggestion });
  });

  const unread: readonly (readonly [string, (run: Script) => Script])[] = [
    ['a script that it read', (run) => read(run, '/w/scripts/seed.sh').bash('./scripts/seed.sh')],
    ['a script that a shell showed', (run) => run.bash('cat scripts/seed.sh').bash('./scripts/seed.sh')],
    [
      'a script that a listing named',
      (run) => run.call('bash', { command: 'ls scripts' }, { output: 'seed.sh\nold.sh' }).bash('./scripts/seed.sh'),
    ],
    ['a script that a person named', (run) => run.user('Run seed.sh for me.').bash('./scripts/seed.sh')],
    [
      'a script that the same line wrote',
      (run) => run.bash("cat > scripts/seed.sh <<'EOF'\necho 1\nEOF\nbash scripts/seed.sh"),
    ],
    [
      'a script that an editing tool wrote',
      (run) => run.call('write', { file_path: '/w/seed.sh', content: 'a' }, { output: 'created' }).bash('bash seed.sh'),
    ],
    [
      'a script of an agent, of a package or of the machine',
      (run) =>
        run.bash('bash .claude/skills/x/seed.sh').bash('node node_modules/x/run.js').bash('python3 /usr/lib/x/run.py'),
    ],
    ['a script that only says what it can do', (run) => run.bash('./scripts/seed.sh --help')],
    ['a script that a variable names', (run) => run.bash('bash $HOME/seed.sh')],
    ['a check', (run) => run.bash('./scripts/test.sh').bash('pytest tests/test_price.py')],
    ['a run that fails', (run) => run.bash('./scripts/seed.sh', 'No such file or directory')],
    [
      'a database that it asked first',
      (run) => run.bash('psql app -c "SELECT * FROM prices LIMIT 3"').bash('psql app -c "UPDATE prices SET net = 1"'),
    ],
    ['new rows', (run) => run.bash('psql app -c "INSERT INTO prices VALUES (1)"')],
    ['a cluster that it looked at', (run) => run.bash('kubectl get pods').bash('kubectl delete pod web-1')],
    ['a look and a change in one line', (run) => run.bash('git status && git reset --hard HEAD')],
    ['a push that takes care', (run) => run.bash('git push --force-with-lease')],
    ['what a person asked to be taken away', (run) => run.user('Delete the pod.').bash('kubectl delete pod web-1')],
    ['a container of its own', (run) => run.bash('docker run -d --name db postgres').bash('docker rm -f db')],
    ['a continued session', (run) => run.line('compaction').bash('./scripts/seed.sh')],
  ];

  it.each(unread)('says nothing of %s', (_, what) => {
    expect(what(fix()).told('premature_action')).toEqual([]);
  });

  it('is over when the agent looks at what it changed', () => {
    const run = fix().bash('git reset --hard').bash('ls').bash('git status');
    expect(run.told('premature_action')[0]?.cleared).toMatchObject({ reason: 'tool_call', source: { line: 8 } });
    const script = fix().bash('./scripts/seed.sh').bash('cat scripts/seed.sh');
    expect(script.told('premature_action')[0]?.cleared).toMatchObject({ reason: 'tool_call', source: { line: 6 } });
  });

  it('counts a thing once, and another one beside it', () => {
    const [alert] = fix()
      .bash('./scripts/seed.sh')
      .bash('./scripts/seed.sh')
      .bash('git clean -fd')
      .told('premature_action');
    expect(alert?.last.count).toBe(2);
    expect(alert?.last.why).toBe(
      'It ran `git clean -f` without looking at the repository in this session. 2 such steps so far.',
    );
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
    expect(run.told('premature_action')[0]?.cleared?.reason).toBe(reason);
  });

  it('is off in patient, and can be switched off', () => {
    const run = edit(script().user('Go.'), '/w/src/price.ts');
    expect(run.told('premature_action', resolveOptions('patient', {}))).toEqual([]);
    expect(run.told('premature_action', resolveOptions('balanced', { premature_action: false }))).toEqual([]);
  });
});

describe('over_helpfulness', () => {
  const missing = (run: Script): Script =>
    run.bash('cat data/prices.csv', 'cat: data/prices.csv: No such file or directory');
  const write = (run: Script, path: string, content: string): Script =>
    run.call('write', { file_path: path, content }, { output: 'File created' });

  it('hints at a data file that was missing and then written', () => {
    const [alert] = write(missing(script().user('Plot the prices.')), '/w/data/prices.csv', 'day,price\n1,9').told(
      'over_helpfulness',
    );
    expect(alert?.first).toMatchObject({
      level: 'warn',
      certainty: 'guessed',
      reason: 'over_helpfulness',
      confidence: confidenceAt('warn'),
    });
    expect(alert?.first.why).toContain('it wrote `prices.csv` itself');
    expect(alert?.first.evidence.map((row) => row.source.line)).toEqual([2, 4]);
  });

  it('hints at a text that says itself that it stands in for data', () => {
    const run = script().user('Report the sales.').bash('curl https://api.example.org/sales', 'HTTP 404 not found');
    const [alert] = write(run, '/w/report.py', '# the API is gone, use sample data instead').told('over_helpfulness');
    expect(alert?.first.why).toContain('names itself sample data');
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
    expect(what(script().user('Plot the prices.')).told('over_helpfulness')).toEqual([]);
  });

  it('says nothing when the person asked for it', () => {
    const run = missing(script().user('Create data/prices.csv with sample data.'));
    expect(write(run, '/w/data/prices.csv', 'sample data').told('over_helpfulness')).toEqual([]);
  });

  it('is over after 12 steps, and with a person', () => {
    const run = (): Script => write(missing(script().user('Plot the prices.')), '/w/data/prices.csv', 'a');
    expect(
      run()
        .times(12, (one, index) => one.bash(`cat ${index}`))
        .told('over_helpfulness')[0]?.cleared?.reason,
    ).toBe('not_back');
    expect(run().user('Fine.').told('over_helpfulness')[0]?.cleared?.reason).toBe('user_message');
    expect(run().line('session_end').told('over_helpfulness')[0]?.cleared?.reason).toBe('session_end');
  });

  it('is off in patient', () => {
    const run = write(missing(script().user('Plot the prices.')), '/w/data/prices.csv', 'a');
    expect(run.told('over_helpfulness', resolveOptions('patient', {}))).toEqual([]);
  });
});
