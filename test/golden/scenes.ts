import type { DetectorId } from '../../src/model';
import { resolveOptions } from '../../src/detect/session/options';
import { textDigest } from '../../src/util/hash';
import { at, type Tale, type Telling } from './tale';

export interface Scene extends Telling {
  /** Drawn as small text (test/stories/drawing.ts), or told event by event. */
  readonly run: string | ((tale: Tale) => Tale);
}

interface Scenes {
  /** None: the rules across sessions. */
  readonly detectors: readonly DetectorId[];
  readonly scenes: Readonly<Record<string, Scene>>;
}

const STEPS: readonly DetectorId[] = [
  'repeating_action',
  'repeating_outcome',
  'action_error_alternation',
  'cycle',
  'consecutive_failures',
];

const validation = (kind: string, error: string, more: object = {}) => ({
  result: { isError: true, validation: { kind, error, ...more } as never },
});
const SCHEMA = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] };
const TOOLS = [
  { name: 'read', schema: SCHEMA },
  { name: 'write', schema: SCHEMA },
];
const raised = (call: string, limit: number) =>
  ({ detector: 'repeating_action', rule: null, call: textDigest(call), limit }) as const;
/** Looks at files that were not looked at before. */
const looks = (count: number) => (tale: Tale) =>
  tale.times(count, (to, n) => to.read(`other${n}.ts`, `text ${n} of another file`));

/** An edit that the next one undoes. */
const back = (n: number) =>
  n % 2 === 0 ? { old_string: 'one', new_string: 'two' } : { old_string: 'two', new_string: 'one' };

/** Steps that come back often, and what a person or a harness says between them. */
const SIGNS = [
  'R a | R b | E a | E b =x | B make fail:no_rule | B make fail:other_error | B make ok:built | B ls ok:a | R c%n | E c%n',
  'B "pytest -q" fail:1_failed | B "pytest -q" ok:3_passed | B "pytest -q" fail:"2 failed %t" | G word ok:here | P | I make',
  'W still | M tool {"a":1} fail:"error: it broke" | M tool {"a":2} fail:"error: it broke" | M press ok:same | X part',
  'B "run %n" fail:"error: it broke" | B "run %n" fail:"error: new %n" | N | A so | V | U on',
  '[ · R a · R a · ] | [ · B make fail:no_rule · B make fail:no_rule · ]',
].flatMap((line) => line.split(' | '));
/** A run of short patterns that come a few times each: the same for the same seed, and as no person would write it. */
function mixed(seed: number): string {
  let state = seed;
  const below = (most: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return (state >>> 8) % most;
  };
  const sign = (): string => SIGNS[below(SIGNS.length)] ?? '';
  return Array.from({ length: 24 }, () => {
    const pattern = Array.from({ length: 1 + below(4) }, sign).join(' · ');
    return Array.from({ length: 1 + below(7) }, () => (below(5) === 0 ? `${pattern} · ${sign()}` : pattern)).join(
      ' · ',
    );
  }).join(' · ');
}

/** Made-up runs for each rule, and for the rules that count steps together. */
export const SCENES: Readonly<Record<string, Scenes>> = {
  validation_failure: {
    detectors: ['validation_failure'],
    scenes: {
      'one kind after the other, until a call is well-formed': {
        run: (to) =>
          to
            .used({ totalTokens: 100 })
            .tool('red', {}, 'no', validation('unknown_tool', 'no tool named red', { expected: 'read' }))
            .used({ totalTokens: 250 })
            .tool(
              'read',
              {},
              'no',
              validation('invalid_arguments', 'path is missing.', { expected: 'path', received: 'nothing' }),
            )
            .tool('read', {}, 'no', validation('truncated', 'cut off'))
            .tool('read', {}, 'no', validation('unparsable', 'not JSON'))
            .run('ls'),
      },
      'arguments that cannot be read, with and without an answer': {
        run: (to) =>
          to
            .fail('ls', 'arguments are not JSON', { call: { malformed: 'Unexpected end of JSON' } })
            .start('Bash', 'ran', 'Bash', { malformed: 'no JSON' })
            .say('Again.')
            .start('Bash', 'ran', 'Bash two', { malformed: 'no JSON either' })
            .start('Bash', 'ran', 'Bash three', { malformed: 'nor this' })
            .line('turn_end', { reason: 'error' })
            .start('Bash', 'ran', 'Bash four', { malformed: 'the last' })
            .line('session_end', { reason: 'clean' }),
      },
      'texts in the wrong format, then a good one': {
        run: (to) =>
          to
            .fault('validation', 'no action in the answer')
            .say('I think that it is done.')
            .fault('validation', 'no action in the answer.')
            .say('Still.')
            .fault('validation', 'no action')
            .say('Or so.')
            .fault('validation', 'no action in it')
            .say('Here is the plan.')
            .line('turn_end', { reason: 'done' }),
      },
      'texts in the wrong format and an unknown tool': {
        run: (to) =>
          to
            .say('Well.')
            .fault('validation', 'no action')
            .tool('red', {}, 'no', validation('unknown_tool', 'no red'))
            .say('So.')
            .fault('validation', 'no action again')
            .fault('other', 'the network')
            .user('Please go on with it now, and write the tests.'),
      },
      'an error behind a malformed call speaks of that call': {
        run: (to) =>
          to
            .tool('red', {}, 'no', validation('unknown_tool', 'no red'))
            .fault('validation', 'malformed call')
            .fault('validation', 'and the text')
            .start('Bash', 'ran', 'Bash', { malformed: 'no JSON' })
            .fault('validation', 'arguments are no JSON')
            .told('go on')
            .line('session_end', { reason: 'clean' }),
      },
      'a parallel batch counts once': {
        run: (to) =>
          to
            .start('red', 'other', 'red', { batch: 'a' })
            .answer('no', validation('unknown_tool', 'no red').result)
            .start('blue', 'other', 'blue', { batch: 'a' })
            .answer('no', validation('unknown_tool', 'no blue').result)
            .start('green', 'other', 'green', { batch: 'b' })
            .answer('no', validation('unknown_tool', 'no green').result)
            .start('grey', 'other', 'grey')
            .answer('no', validation('unknown_tool', 'no grey').result),
      },
      'by the tools that the session may call': {
        run: (to) =>
          to
            .line('session_info', { tools: TOOLS })
            .tool('raed', { path: 'a' }, 'failed', { result: { isError: true } })
            .tool('read', { file: 'a' }, 'failed', { result: { isError: true } })
            .tool('write', { path: 3 }, 'failed', { result: { isError: true } })
            .tool('read', { path: 'a' }, 'no such file', { result: { isError: true } }),
      },
      'claims that carry broken JSON': {
        run: (to) =>
          to
            .line('completion', { claim: 'TASK_COMPLETE {"summary": "do' })
            .line('completion', { claim: '  [1, 2' })
            .line('completion', { claim: 'DONE: {"a": 1}' })
            .line('completion', { claim: 'All is done {"a"' })
            .line('completion', { claim: `TASK_COMPLETE {"${'x'.repeat(20_000)}` })
            .line('completion', { claim: 'TASK_COMPLETE' })
            .line('completion', { claim: 'RESULT {broken' }),
      },
      'with limits of its own': {
        settings: { validation_failure: { warn: 1, stuck: 2, formatWarn: 1, formatStuck: 2 } },
        run: (to) =>
          to
            .say('Well.')
            .fault('validation', 'x'.repeat(3000))
            .say('So.')
            .fault('validation', 'no action')
            .run('ls')
            .tool('red', {}, 'no', validation('format', 'wrong shape', { received: 'text' }))
            .tool('red', {}, 'no', validation('invalid_completion', 'cannot be read', { expected: 'a list' })),
      },
    },
  },
  max_runtime: {
    detectors: ['max_runtime'],
    scenes: {
      'a session that is active for hours': {
        dues: true,
        settings: { max_runtime: { warn: 60, turn: 1000 } },
        run: (to) =>
          to
            .user('work')
            .times(8, (one, n) => one.read(`a${n}`).wait(9))
            .line('turn_end', { reason: 'done' })
            .wait(300)
            .user('more')
            .line('clock')
            .read('b')
            .line('session_end', { reason: 'clean' }),
      },
      'time that does not count: questions, sleep, sub-agents': {
        dues: true,
        settings: { max_runtime: { warn: 30, turn: 1000 } },
        run: (to) =>
          to
            .user('work')
            .wait(8)
            .say('Which one?')
            .line('waiting', { for: 'input' })
            .wait(60)
            .user('the first')
            .wait(70)
            .read('a')
            .start('Task', 'delegated', 'Task look')
            .wait(50)
            .answer('found')
            .wait(9)
            .line('clock')
            .wait(9)
            .read('b')
            .start('Bash', 'ran', 'make', { command: 'make' })
            .wait(15)
            .answer('built')
            .start('Task', 'delegated', 'Task two')
            .start('Bash', 'ran', 'make again', { command: 'make' })
            .wait(16)
            .line('clock')
            .wait(2)
            .say('Hm.'),
      },
      'a turn without progress, and after progress': {
        settings: { max_runtime: { turn: 20 } },
        run: (to) =>
          to
            .line('turn_start')
            .times(3, (one, n) => one.show(`cat a${n}`, `text ${n}`).wait(6))
            .show('cat b', 'text b')
            .wait(6)
            .show('cat c', 'text c')
            .edit('a.ts')
            .times(5, (one, n) => one.show(`cat d${n}`, `more ${n}`).wait(8))
            .line('turn_end', { reason: 'done' }),
      },
      'a turn that only waits has no time': {
        settings: { max_runtime: { turn: 20 } },
        run: (to) =>
          to
            .user('go')
            .times(4, (one, n) => one.start('write_stdin', 'waited', 'wait').wait(9).answer(`line ${n}`).wait(1))
            .times(4, (one, n) => one.show(`cat a${n}`, `text ${n}`).wait(5))
            .told('the build is done')
            .times(2, (one, n) => one.show(`cat b${n}`, `text b ${n}`).wait(5))
            .user('stop')
            .line('session_end', { reason: 'clean' }),
      },
      'a session that is read from its middle': {
        settings: { max_runtime: { turn: 10 } },
        run: (to) =>
          to.times(4, (one, n) => one.run(`do ${n}`, `did ${n}`).wait(4)).line('session_end', { reason: 'clean' }),
      },
      'a turn of calls that show neither edits nor commands': {
        settings: { max_runtime: { turn: 10 } },
        run: (to) =>
          to
            .user('go')
            .times(5, (one, n) => one.tool('ask', { n }, `answer ${n}`).wait(5))
            .edit('a', {}, { result: { isError: true } })
            .tool('ask', {}, 'and this')
            .wait(5)
            .tool('ask', {}, 'and that'),
      },
      'a wait that its answer does not show, and a gap within one': {
        dues: true,
        settings: { max_runtime: { warn: 100, turn: 12 } },
        run: (to) =>
          to
            .user('go')
            .run('a')
            .start('write_stdin', 'waited', 'wait')
            .answer('still')
            .wait(9)
            .line('usage', { cost: 0.1 })
            .wait(2)
            .line('clock')
            .wait(30)
            .line('clock')
            .say('On.')
            .wait(4)
            .run('b')
            .wait(4)
            .line('turn_start')
            .run('c')
            .run('d')
            .wait(4)
            .run('e')
            .told('go on')
            .wait(8.5)
            .run('f')
            .wait(21)
            .run('g'),
      },
      'limits on calls, tokens and cost': {
        settings: { max_runtime: { calls: 3, tokens: 1000, cost: 0.5 } },
        run: (to) =>
          to
            .user('go')
            .used({ cost: 0.2, totalTokens: 400 })
            .run('a')
            .run('b')
            .used({ cost: 0.3, totalTokens: 999 })
            .run('c')
            .used({ totalTokens: 1000 })
            .run('d')
            .line('session_end', { reason: 'clean' }),
      },
    },
  },
  premature_action: {
    detectors: ['premature_action'],
    scenes: {
      'edits of files that were not read, until it reads one': {
        run: (to) =>
          to
            .line('session_info', { cwd: '/w' })
            .user('Fix the prices in sum.ts.')
            .edit('/w/src/price.ts')
            .edit('/w/src/sum.ts')
            .edit('/w/src/tax.ts')
            .edit('/w/new.ts', { old_string: '' })
            .edit('/w/README.md')
            .read('/w/src/other.ts')
            .read('/w/src/price.ts')
            .edit('/w/src/rate.ts')
            .show('cat src/rate.ts')
            .edit('/w/src/vat.ts')
            .user('Stop.'),
      },
      'other names for the text that is looked for': {
        run: (to) =>
          ['old_str', 'oldText', 'old_text', 'search', 'find'].reduce(
            (all, name) => all.edit(`src/${name}.ts`, { old_string: 3, [name]: 'a' }),
            to.user('Fix it.'),
          ),
      },
      'whole files that are written over': {
        run: (to) =>
          [
            'Overwrote a.md',
            'overwritten',
            'overwriting it',
            'It has been updated',
            'It has been replaced',
            'updated the existing file',
            'updated file',
            'successfully updated',
            'created',
            `${'x '.repeat(200)} overwritten`,
          ].reduce(
            (all, output, n) =>
              all
                .start('write_file', 'changed', `Write ${n}.txt`, { target: `d/${n}.txt`, args: { content: 'a' } })
                .answer(output),
            to.user('Write it.'),
          ),
      },
      'tools that refuse what was not read': {
        run: (to) =>
          (
            [
              ['Edit', 'file_path'],
              ['MultiEdit', 'file_path'],
              ['Write', 'file_path'],
              ['NotebookEdit', 'notebook_path'],
              ['edit', 'filePath'],
              ['write', 'filePath'],
              ['edit', 'file_path'],
              ['Patch', 'file_path'],
            ] as const
          ).reduce(
            (all, [name, argument], n) =>
              all
                .start(name, 'changed', `Edit ${name} ${n}`, {
                  target: `d/${n}.ts`,
                  args: { [argument]: `d/${n}.ts`, old_string: 'a', new_string: 'b' },
                })
                .answer('done'),
            to.user('Do it.'),
          ),
      },
      'what was shown, named or written counts as seen': {
        run: (to) =>
          to
            .user('Look at a.ts.')
            .told('changed: b.ts')
            .show('ls', 'c.ts d.ts')
            .start('Grep', 'looked', 'Search x')
            .answer('e.ts:1: x')
            .start('Grep', 'looked', 'Search y')
            .answer('f.ts: y', { isError: true })
            .run('make', 'wrote g.ts')
            .run('touch h.ts')
            .edit('a.ts')
            .edit('b.ts')
            .edit('c.ts')
            .edit('e.ts')
            .edit('h.ts')
            .edit('f.ts')
            .edit('g.ts'),
      },
      'runs and changes of systems': {
        run: (to) =>
          to
            .line('session_info', { cwd: '/w' })
            .user('Go on.')
            .run('python scripts/migrate.py')
            .run('git reset --hard')
            .run('git status')
            .run('kubectl delete pod a')
            .show('kubectl get pods')
            .run('terraform destroy')
            .run('sed -i s/1/2/ src/a.ts')
            .run('cat src/b.ts')
            .run('git push --force origin main'),
      },
      'what a person asked to take away is no guess': {
        run: (to) => to.user('Reset the branch.').run('git reset --hard').run('python scripts/migrate.py'),
      },
      'what a person did not ask': {
        run: (to) =>
          to
            .user(`${'x'.repeat(4096)} reset`)
            .told('go')
            .run('git reset --hard'),
      },
      'nothing is known of what came before': {
        run: (to) =>
          to.line('session_info', { forkedFrom: 's0' }).edit('a.ts').line('session_info', { cwd: '/w' }).edit('b.ts'),
      },
      'nor after a compaction': {
        run: (to) => to.edit('a.ts').line('compaction').edit('b.ts').line('session_end', { reason: 'clean' }),
      },
      'a look at a system or a part of a path ends it': {
        run: (to) =>
          to
            .user('Go on.')
            .run('git reset --hard')
            .run('git clean -fd')
            .run('git log --oneline')
            .edit('src/a.ts')
            .show('head -5 src/b.ts')
            .start('Grep', 'looked', 'Search a.ts')
            .answer('nothing')
            .show('grep -n x src/a.ts')
            .edit('src/c.ts')
            .told('Look at src/c.ts.')
            .start('ask', 'other', 'ask', { target: 'src/d.ts', args: null })
            .answer('yes')
            .edit('src/d.ts')
            .start('edit_file', 'changed', 'Edit e.ts', { target: 'e.ts', args: 'patch' })
            .answer('has been updated')
            .start('edit_file', 'changed', 'Edit f.ts', { target: 'f.ts', args: null })
            .answer('has been updated')
            .start('Bash', 'changed', 'tee g.ts', { command: 'tee g.ts', target: 'g.ts', args: { old_string: 'a' } })
            .answer('has been updated'),
      },
      'with a limit of two': {
        settings: { premature_action: { warn: 2 } },
        run: (to) => looks(13)(to.user('Fix.').edit('a.ts').read('x').edit('b.ts').edit('c.ts')),
      },
      'it is over when it does not come back': { run: (to) => looks(13)(to.user('Fix.').edit('a.ts')) },
    },
  },
  over_helpfulness: {
    detectors: ['over_helpfulness'],
    scenes: {
      'it writes the missing file itself': {
        run: (to) =>
          looks(12)(
            to
              .user('Sum up the prices.')
              .fail('cat data/prices.csv', 'cat: data/prices.csv: No such file or directory')
              .edit('data/prices.csv', { content: 'apple,1' }),
          ),
      },
      'each way to say what is missing': {
        run: (to) =>
          [
            ['cannot open "rates.json"', 'rates.json'],
            ["open 'rates.yaml'", 'rates.yaml'],
            ['no such file: rates.db', 'rates.db'],
            ['rates.csv not found', 'rates.csv'],
            ["'d/rates.xml' does not exist", 'rates.xml'],
            ['reading rates.toml: permission denied', 'rates.toml'],
            ['No such file or directory: "d/rates.env"', 'rates.env'],
            ['file rates.ini: 404', 'rates.ini'],
            ['file code.ts: 404', 'code.ts'],
          ].reduce(
            (all, [output = '', file = '']) => all.fail('./run', output).edit(`d/${file}`),
            to.user('Compute the rates.'),
          ),
      },
      'words for what is missing': {
        run: (to) =>
          [
            ...['no such table', 'no such key', 'no such column', 'no such record', 'not found', 'does not exist'],
            ...["doesn't exist", 'cannot find', 'cannot open', 'could not find', 'could not resolve', '404', '403'],
            ...['could not connect', 'permission denied', 'access denied', 'no results', 'no matches', 'no data'],
            ...['no records found', 'no rows', 'connection refused', 'no such luck', 'notfound', 'no more', '1404'],
          ].reduce(
            (all, output, n) => all.fail('./run', `it says ${output}`).edit(`src/a${n}.ts`, { content: 'fake data' }),
            to.user('Show it.'),
          ),
      },
      'files of data, of code and of tests': {
        run: (to) =>
          [
            'csv',
            'tsv',
            'json',
            'jsonl',
            'yaml',
            'yml',
            'xml',
            'parquet',
            'xls',
            'xlsx',
            'db',
            'sqlite',
            'sqlite3',
            'txt',
          ]
            .concat(['env', 'ini', 'toml', 'sql', 'npy', 'npz', 'pkl', 'log', 'dat', 'ts', 'csvx'])
            .map((ending) => `d/rates.${ending}`)
            .concat([
              'tests/rates.csv',
              'spec/rates.csv',
              'mocks/rates.csv',
              'a/fixture-rates.csv',
              'examples/rates.csv',
            ])
            .concat(['samples/rates.csv', 'demo/rates.csv', 'seeds/rates.csv', 'a/latest/rates.csv'])
            .reduce(
              (all, path) =>
                all.fail('./run', `cat: ${path}: No such file or directory`).edit(path, { content: 'a,1' }),
              to.user('Show it.'),
            ),
      },
      'what it wrote says that it stands in': {
        run: (to) =>
          [
            'placeholder data',
            'dummy values',
            'sample price rows',
            'mocked responses',
            'made-up numbers',
            'synthetic dataset',
            'plausible measurements',
            'real data',
          ].reduce(
            (all, words, n) => all.run('curl api', 'HTTP 404').edit(`src/a${n}.ts`, { content: `// With ${words}` }),
            to.user('Show the chart.'),
          ),
      },
      'a request of a person, a test or a later step is none': {
        run: (to) =>
          to
            .user('Make dummy data where some is missing, also in rates.csv.')
            .fail('cat rates.csv', 'cat: rates.csv: No such file or directory')
            .edit('rates.csv')
            .fail('cat a.csv', 'cat: a.csv: No such file or directory')
            .edit('tests/a.csv')
            .fail('cat a.csv', 'cat: a.csv: No such file or directory')
            .edit('src/b.ts', { content: 'dummy data' })
            .fail('cat a.csv', 'cat: a.csv: No such file or directory')
            .read('b')
            .read('c')
            .read('d')
            .edit('a.csv')
            .fail('cat a.csv', 'cat: a.csv: No such file or directory')
            .edit('a.csv', {}, { result: { isError: true } })
            .told('go on')
            .edit('a.csv')
            .fail('cat z.csv', 'cat: z.csv: No such file or directory')
            .user('Go on.')
            .edit('z.csv'),
      },
      'a target that is missing, short and long results': {
        run: (to) =>
          to
            .user('Sum up.')
            .read('d/a.csv', 'File does not exist', { result: { isError: true } })
            .edit('e/a.csv')
            .show('grep x', 'No matches found')
            .edit('src/a.ts', { a: 3, content: 'with hypothetical values' })
            .show('grep x', `no results${' '.repeat(300)}`)
            .edit('src/b.ts', { content: 'with hypothetical values' })
            .fail('grep x', `${'line\n'.repeat(900)}no results`)
            .edit('src/c.ts', { content: 'with hypothetical values' })
            .fail('grep x', `no results${'line\n'.repeat(900)}`)
            .edit('src/d.ts', { content: 'with hypothetical values' })
            .tool('find', {}, 'no results')
            .edit('src/e.ts', { content: 'with hypothetical values' })
            .line('session_end', { reason: 'clean' }),
      },
    },
  },
  rate_limited: {
    detectors: ['rate_limited'],
    scenes: {
      'requests of the model, until it answers': {
        run: (to) =>
          to
            .used({ totalTokens: 50 })
            .fault('rate_limit', '429')
            .used({ totalTokens: 80 })
            .fault('api', 'Overloaded.')
            .fault('timeout', 'no answer', { retryInMs: 90_000 })
            .fault('api', 'no answer!')
            .say('Here.')
            .fault('api', '400 invalid request')
            .fault('other', 'disk'),
      },
      'calls that a service refuses': {
        run: (to) =>
          to
            .fail('curl a', 'HTTP 503')
            .say('Again.')
            .fail('curl a', 'status code: 429')
            .line('plan', { items: [] })
            .fail('curl b', `quota exceeded ${'x'.repeat(900)}`)
            .fail('curl b', `${'x'.repeat(900)} temporarily unavailable`)
            .run('curl a', 'ok'),
      },
      'and those that it does not': {
        run: (to) =>
          to
            .fail('curl a', `${'x'.repeat(500)} HTTP 503 ${'x'.repeat(500)}`)
            .run('curl a', 'HTTP 503')
            .fail('curl a', 'HTTP 404')
            .fail('grep', 'rate_limit.ts')
            .fault('rate_limit', '529')
            .fault('rate_limit', '529')
            .told('go on')
            .fault('rate_limit', '529')
            .user('Wait a moment.'),
      },
      'what a tool stands on is gone': {
        run: (to) =>
          to
            .fail('gti status', 'bash: gti: command not found')
            .run('ls')
            .fail('gti status', 'bash: gti: command not found')
            .read('a')
            .fail('gti log', 'bash: gti: command not found')
            .read('b')
            .run('git status', 'clean')
            .fail('gti log', 'bash: gti: command not found')
            .line('session_end', { reason: 'clean' }),
      },
      'waits, plans and what is not counted end nothing': {
        run: (to) =>
          to
            .fail('curl a', 'HTTP 503')
            .start('TodoWrite', 'plan', 'TodoWrite')
            .answer('Todos have been modified')
            .fail('curl b', 'HTTP 503')
            .start('Bash', 'ran', 'curl c', { command: 'curl c' })
            .answer('interrupted', { interrupted: true })
            .fail('curl c', 'HTTP 503', { result: { denied: 'user' } })
            .fail('curl d', `${'x'.repeat(394)} 503: HTTP 503`)
            .fail('curl e', `${'x'.repeat(390)} HTTP 503 ${'y'.repeat(410)}`)
            .fail('curl f', `HTTP 503${' y'.repeat(396)}`)
            .fail('curl g', `HTTP 503${' y'.repeat(397)}`),
      },
      'many kinds of trouble of tools, each for itself': {
        settings: { rate_limited: { infrastructure: 2 } },
        run: (to) =>
          to
            .times(40, (one, n) => one.fail(`run${n}`, `bash: run${n}: command not found`))
            .fail('run3', 'bash: run3: command not found')
            .run('ls')
            .fail('run39', 'bash: run39: command not found')
            .fail('run4', `${'x'.repeat(395)} command not found`)
            .fail('run4', `${'x'.repeat(400)}y command not found ${'x'.repeat(400)}`)
            .start('signer', 'other', 'sign')
            .answer('signing failed', { isError: true })
            .start('signer', 'other', 'sign')
            .answer('signing failed', { isError: true })
            .read('a')
            .start('signer', 'other', 'sign')
            .answer('signed'),
      },
      'errors of the service by what they say': {
        run: (to) =>
          [
            '401',
            '413 too large',
            'invalid api key',
            'credit is low',
            'permission',
            'unauthorized',
            'not found',
            'context window',
            `${'x'.repeat(400)} 400`,
          ]
            .reduce((all, message) => all.fault('api', message), to)
            .fault('timeout', 'no answer')
            .fault('timeout', 'no answer'),
      },
      'an agent that signs': {
        run: (to) =>
          to
            .times(3, (one) => one.fail('git commit', `${'file\n'.repeat(300)}error: gpg failed to sign the data`))
            .user('I unlock it.')
            .times(2, (one) => one.fail('docker ps', `${'x'.repeat(450)} no space left on device ${'x'.repeat(450)}`)),
      },
    },
  },
  text_loop: {
    detectors: ['text_loop'],
    scenes: {
      'a sentence again and again in one message': {
        run: (to) =>
          to
            .used({ totalTokens: 10 })
            .user('go')
            .say('I will read the file again. '.repeat(3))
            .say('Something else at last, which is new.')
            .say('I will read the file again. '.repeat(12))
            .run('ls'),
      },
      'streamed, and across messages': {
        run: (to) =>
          to
            .times(12, (one) => one.piece('Let me check this file again. And then that one. Now go.\n'))
            .used({ totalTokens: 99 })
            .say('Let me check this file again. And then that one. Now go.')
            .times(4, (one) => one.say('One thing. Another thing here.\nOne thing. Another thing here.'))
            .user('Stop it, and write the test first.'),
      },
      'short pieces need more of them': {
        run: (to) => to.say('ok then '.repeat(11)).say('well now '.repeat(30)).line('session_end', { reason: 'clean' }),
      },
      'code, tables and whole messages are none': {
        run: (to) =>
          to
            .piece(`Here:\n\`\`\`\n${'call the same thing again();\n'.repeat(20)}`)
            .piece('```\n')
            .line('turn_end', { reason: 'done' })
            .say('| a cell | a cell |\n'.repeat(20))
            .say('---- '.repeat(50))
            .times(6, (one) => one.say('I will look at the same file now.'))
            .told('go on')
            .user('go on'),
      },
      'by the mark of the agent itself': {
        run: (to) =>
          to
            .line('vendor_loop', { message: 'the model repeats the same tool call' })
            .line('vendor_loop', { message: 'repeated content was found' })
            .say('Something new.')
            .line('vendor_loop', { message: 'chanting' })
            .run('ls'),
      },
      'short pieces, at the edge of short': {
        run: (to) =>
          ['x'.repeat(17), 'x'.repeat(18), 'x'.repeat(19)].reduce(
            (all, word) =>
              all.say(`${word}. `.repeat(6)).say(`${word}. `.repeat(11)).say(`${word}. `.repeat(12)).run('ls'),
            to,
          ),
      },
      'more messages than are shown, and one that goes on behind others': {
        run: (to) =>
          to
            .say('A beginning that says something of its own. And it is long.')
            .times(12, (one) =>
              one.say('One thing is done. Another thing is done.\nOne thing is done. Another thing is done.'),
            )
            .piece('One thing is done. ')
            .line('turn_end', { reason: 'done' })
            .told('on')
            .line('vendor_loop', { message: 'a chant was heard' })
            .user('And now the tests, please write them.')
            .line('session_end', { reason: 'clean' }),
      },
      'a long text of which the end repeats': {
        run: (to) =>
          to
            .piece(Array.from({ length: 900 }, (_, n) => `word${n}`).join(' '))
            .times(70, (one) => one.piece(' And so I look at the same file for one more time.'))
            .used({ totalTokens: 5 })
            .say(
              `${Array.from({ length: 1_500 }, (_, n) => `other${n}`).join(' ')}${' And so I look at the same file.'.repeat(9)}`,
            ),
      },
      'in a fence that ends, and in one that does not': {
        run: (to) =>
          to
            .say(
              `\`\`\`\n${'call it again please now\n'.repeat(9)}\`\`\`\n${'Call it again, please, and now.\n'.repeat(9)}`,
            )
            .say('Something new that was not said so far.')
            .piece(`\`\`\`\n${'call it again please now\n'.repeat(9)}`)
            .used({})
            .say(`${'Call it again, please, and now.\n'.repeat(9)}`),
      },
      'longer than what is kept of it': {
        settings: { text_loop: { tail: 300, warn: 4, stuck: 6 } },
        run: (to) => to.times(20, (one) => one.piece('The very same sentence comes here once more, word by word. ')),
      },
    },
  },
  monologue: {
    detectors: ['monologue'],
    scenes: {
      'the same message again, and a call': {
        run: (to) =>
          to
            .used({ totalTokens: 7 })
            .user('Fix it.')
            .times(5, (one) => one.say('I will look at the file now.'))
            .used({ totalTokens: 70 })
            .say('I will look at the file now.')
            .run('ls')
            .say('I will look at the file now.'),
      },
      'over turns that only ask to go on': {
        run: (to) =>
          to
            .user('Fix it.')
            .times(6, (one) =>
              one.say('I will look at the file next.').line('turn_end', { reason: 'done' }).user('continue'),
            )
            .user('No, use the other file.')
            .say('Well.'),
      },
      'messages that differ, in a turn without any call': {
        run: (to) =>
          to
            .user('Think.')
            .times(6, (one, n) =>
              one.say(`Thought number ${['one', 'two', 'three', 'four', 'five', 'six'][n]} about it.`),
            )
            .line('turn_end', { reason: 'done' })
            .say('And then.')
            .line('session_end', { reason: 'clean' }),
      },
      'with calls that only print a sentence': {
        run: (to) =>
          to
            .user('Fix it.')
            .times(4, (one) => one.say('I will look at the file now.').run('echo "I will look at the file now."'))
            .line('plan', { items: [] })
            .times(2, (one) => one.say('I will look at the file now.'))
            .line('completion', { claim: 'DONE' })
            .say('I will look at the file now.'),
      },
      'short words, news of a harness, and what was meant as a call': {
        run: (to) =>
          to
            .run('ls')
            .told('task 1 ended')
            .times(5, (one) => one.say('Done.'))
            .told('task 2 ended')
            .times(3, (one) => one.say('I wait for the task.').told('go on with your work'))
            .told('task 3 ended with an error')
            .times(2, (one) => one.say('I wait for the task.').told('Look at it. [unstuck 01JD]'))
            .fault('validation', 'no call')
            .say('I wait for the task.'),
      },
      'more messages than are kept': {
        settings: { monologue: { warn: 3, stuck: 5, window: 4 } },
        run: (to) => to.user('Fix it.').times(9, (one) => one.say(`I will look at the file now${'!'.repeat(2100)}`)),
      },
    },
  },
  stall: {
    detectors: ['stall'],
    scenes: {
      'the model does not answer': {
        dues: true,
        run: (to) =>
          to
            .line('session_info', { mode: 'print' })
            .user('go')
            .wait(12)
            .line('clock')
            .wait(20)
            .say('Here.')
            .wait(60)
            .user('more'),
      },
      'a call, a build and a question': {
        dues: true,
        run: (to) =>
          to
            .user('go')
            .start('Grep', 'looked', 'Search x')
            .wait(11)
            .answer('found')
            .start('Bash', 'ran', 'npm test', { command: 'npm test' })
            .wait(15)
            .answer('ok')
            .start('Bash', 'ran', 'npm run build', { command: 'npm run build' })
            .start('Grep', 'looked', 'Search y')
            .wait(25)
            .answer('ok')
            .start('ask', 'asked', 'which one?')
            .wait(200)
            .answer('that'),
      },
      'where tools that run are not shown': {
        hidden: true,
        dues: true,
        run: (to) => to.user('go').wait(18).say('a').user('b').wait(45).say('c'),
      },
      'a retry has its time, and a machine that slept': {
        dues: true,
        at: { 4: (session) => session.woke(Date.parse('2026-11-20T10:40:00Z')) },
        run: (to) =>
          to.user('go').fault('api', 'overloaded', { retryInMs: 300_000 }).wait(14).read('a').wait(25).read('b'),
      },
      'an answer in a session that ends its turns': {
        dues: true,
        run: (to) =>
          to
            .line('turn_start')
            .user('go')
            .say('Done.')
            .line('turn_end', { reason: 'done' })
            .user('more')
            .say('Also done.')
            .wait(60)
            .line('turn_end', { reason: 'done' })
            .wait(60)
            .user('again')
            .line('session_end', { reason: 'clean' }),
      },
      'leave may be waited for': {
        dues: true,
        run: (to) =>
          to
            .user('go')
            .start('Bash', 'ran', 'rm a', { command: 'rm a', args: { command: 'rm a', description: 'x' } })
            .wait(40)
            .answer('gone')
            .line('session_info', { mode: 'print' })
            .start('Bash', 'ran', 'rm b', { command: 'rm b', args: { command: 'rm b', description: 'x' } })
            .wait(40)
            .answer('gone'),
      },
    },
  },
  condensation_loop: {
    detectors: ['condensation_loop'],
    scenes: {
      'straight back to what failed': {
        run: (to) =>
          to
            .used({ totalTokens: 5 })
            .fail('make', 'no rule')
            .fail('make', 'no rule')
            .used({ totalTokens: 90 })
            .line('compaction', { tokensBefore: 100, tokensAfter: 20 })
            .fail('make', 'no rule')
            .fail('make', 'no rule')
            .line('compaction', { trigger: 'auto' })
            .fail('make', 'no rule')
            .run('make', 'built'),
      },
      'back only once, and then something else': {
        run: (to) =>
          looks(13)(to.fail('make', 'no rule').line('compaction').fail('make', 'no rule').fail('make', 'no rule')),
      },
      'progress, a person or the end makes it over': {
        run: (to) =>
          to
            .fail('make', 'no rule')
            .line('compaction')
            .times(2, (one) => one.fail('make', 'no rule'))
            .edit('a.ts')
            .fail('make', 'no rule')
            .line('compaction')
            .times(2, (one) => one.fail('make', 'no rule'))
            .user('Stop.')
            .line('compaction')
            .times(2, (one) => one.fail('make', 'no rule'))
            .line('session_end', { reason: 'clean' }),
      },
      'again and again without anything new': {
        run: (to) =>
          to
            .run('ls', 'a')
            .times(4, (one) => one.line('compaction', { trigger: 'auto' }).run('ls', 'a'))
            .read('new.ts')
            .times(2, (one) => one.line('compaction', { trigger: 'manual' }).run('ls', 'a'))
            .times(3, (one) => one.line('compaction').run('ls', 'a'))
            .run('ls', 'a')
            .times(40, (one) => one.run('ls', 'a')),
      },
      'two records of one compaction, and a change of the model': {
        run: (to) =>
          to
            .line('session_info', { model: 'a' })
            .run('ls', 'a')
            .line('compaction', { at: Date.parse('2026-11-20T10:00:03.100Z') })
            .line('compaction', { at: Date.parse('2026-11-20T10:00:03.900Z') })
            .run('ls', 'a')
            .line('session_info', { model: 'b' })
            .line('compaction')
            .run('ls', 'a')
            .line('session_info', { model: 'b' })
            .line('compaction')
            .say('so')
            .line('compaction')
            .run('ls', 'a')
            .line('compaction'),
      },
    },
  },
  gate_blocked: {
    detectors: ['gate_blocked'],
    scenes: {
      'claims that a harness refuses': {
        run: (to) =>
          to
            .used({ totalTokens: 3 })
            .line('completion', { claim: 'DONE' })
            .told('Completion blocked: unit tests failed\n2 of 3')
            .used({ totalTokens: 9 })
            .line('completion', { claim: 'DONE again' })
            .told('QUALITY_BLOCKED')
            .line('turn_end', { reason: 'done' })
            .fault('other', 'quality gates have failed')
            .line('turn_end', { reason: 'waiting' })
            .told('Completion blocked: lint')
            .line('completion', { claim: 'DONE now' })
            .told('all gates passed'),
      },
      'gates that are run': {
        at: {
          2: (session) =>
            session.gates({ at: at(1.5), passed: false, blockedBy: 'tests', summary: '2 of 41 tests failed' }),
          3: (session) =>
            session.gates({
              at: at(2.5),
              passed: false,
              claim: { at: at(2.2), source: { file: 'f', line: 9, offset: 9 }, text: 'finished' },
            }),
          4: (session) => session.gates({ at: at(3.5), passed: false, blockedBy: 'lint', summary: 'See the log.' }),
          6: (session) => session.gates({ at: at(5.5), passed: false, blockedBy: 'types', summary: 'no' }),
          8: (session) => session.gates({ at: at(7.5), passed: true }),
          9: (session) => session.gates({ at: at(8.5), passed: true }),
        },
        run: (to) =>
          to
            .line('completion', { claim: 'DONE' })
            .read('a')
            .line('completion', { claim: 'DONE two' })
            .read('b')
            .line('completion', { claim: 'DONE three' })
            .read('c'),
      },
      'a person, the end of the session, and words that are none': {
        run: (to) =>
          to
            .line('completion', { claim: 'DONE' })
            .told('Completion blocked')
            .line('completion', { claim: 'DONE' })
            .told('request was blocked')
            .line('completion', { claim: 'DONE' })
            .user('I look at it.')
            .told('Completion blocked')
            .line('completion', { claim: 'DONE' })
            .told('nice')
            .told(`${'x'.repeat(2000)} completion blocked`)
            .times(3, (one) => one.line('completion', { claim: 'DONE' }).told('quality gate: failed'))
            .line('session_end', { reason: 'clean' }),
      },
    },
  },
  token_exhaustion: {
    detectors: ['token_exhaustion'],
    scenes: {
      'a full context and nothing new': {
        run: (to) =>
          to
            .user('go')
            .used({ contextTokens: 50, contextWindow: 100 })
            .times(12, (one) => one.read('a').wait(1.2))
            .used({ contextTokens: 81, contextWindow: 100 })
            .used({ contextTokens: 81 })
            .used({ contextTokens: 85 })
            .used({ contextTokens: 96 })
            .used({ cost: 1 })
            .line('compaction', { tokensAfter: 30 })
            .used({ contextTokens: 30 }),
      },
      'of a limit on tokens': {
        run: (to) =>
          to
            .used({ totalTokens: 500, tokenLimit: 1000 })
            .times(13, (one) => one.read('a').wait(1.2))
            .used({ totalTokens: 850 })
            .used({ totalTokens: 990 })
            .read('b', 'something else')
            .used({ totalTokens: 991 })
            .user('Stop.'),
      },
      'where something progresses, or the time is short': {
        run: (to) =>
          to
            .used({ contextTokens: 90, contextWindow: 100 })
            .times(11, (one) => one.read('a'))
            .used({ contextTokens: 91 })
            .wait(12)
            .read('a')
            .edit('a')
            .times(3, (one) => one.read('a').wait(5))
            .used({ contextTokens: 92 })
            .told('go')
            .times(11, (one) => one.read('a'))
            .line('session_end', { reason: 'clean' }),
      },
    },
  },
  oversized_response: {
    detectors: ['oversized_response'],
    scenes: {
      'a long result, and a longer one': {
        settings: { oversized_response: { warn: 1000 } },
        run: (to) =>
          looks(12)(
            to
              .run('cat a.log', 'x'.repeat(900))
              .run('cat a.log', `${'a'.repeat(500)}${'b'.repeat(700)}`)
              .run('cat b.log', 'short', { result: { size: 250_000 } })
              .run('cat c.log', 'c'.repeat(1000), { result: { spilledTo: '/tmp/c.txt', size: 9_000_000 } }),
          ),
      },
      'of a batch that has one answer': {
        settings: { oversized_response: { warn: 1000 } },
        run: (to) =>
          to
            .times(2, (one) =>
              one
                .start('Read', 'looked', 'Read a', { batch: 'b', args: { a: 1 } })
                .answer('z'.repeat(2000), { merged: true }),
            )
            .told('go on')
            .user('Stop.')
            .run('cat d.log', 'd'.repeat(2000))
            .line('session_end', { reason: 'clean' }),
      },
    },
  },
  context_pollution: {
    detectors: ['context_pollution'],
    scenes: {
      'what the notes list as failed, again': {
        run: (to) =>
          looks(12)(
            to
              .used({ totalTokens: 4 })
              .user('Already tried and failed: `make all`, `npm run x`.')
              .fail('make all', 'no rule')
              .used({ totalTokens: 8 })
              .fail('npm run x', 'no script')
              .fail('make all', 'no rule'),
          ),
      },
      'until it works, or something progresses': {
        run: (to) =>
          to
            .line('compaction', { summary: 'Previous attempts:\n- ran: make all\n- make more' })
            .fail('make all', 'no rule')
            .run('make all', 'built')
            .fail('make more', 'no rule')
            .edit('Makefile')
            .fail('make more', 'no rule')
            .told('Do not retry `make more`.')
            .fail('make more', 'no rule')
            .fail('make more', 'no rule')
            .user('Stop.')
            .fail('make more', 'no rule')
            .line('session_end', { reason: 'clean' }),
      },
    },
  },
  across: {
    detectors: [],
    scenes: {
      'two agents undo each other': {
        run: (to) =>
          to
            .times(7, (one, n) => one.in(n % 2 === 0 ? 'a' : 'b').edit('src/p.ts', back(n)))
            .in('c')
            .edit('src/p.ts', back(7))
            .in('a')
            .times(2, (one) => one.edit('src/p.ts', back(0)))
            .line('session_end', { reason: 'clean' }),
      },
      'until one of them goes on with something else': {
        run: (to) =>
          to
            .times(5, (one, n) => one.in(n % 2 === 0 ? 'a' : 'b').edit('src/p.ts', back(n)))
            .in('b')
            .times(13, (one, n) => one.read(`other${n}`))
            .in('a')
            .user('Leave it.')
            .in('b')
            .edit('src/p.ts', back(1))
            .in('a')
            .edit('src/p.ts', back(0)),
      },
      'by whole files, and by edits that change nothing': {
        run: (to) =>
          to
            .times(9, (one, n) =>
              one.in(n % 2 === 0 ? 'a' : 'b').edit('/w/q.ts', { old_string: 3, content: `text ${n % 2}` }),
            )
            .times(6, (one, n) => one.in(n % 2 === 0 ? 'a' : 'b').edit('r.ts', { old_string: 'x', new_string: 'x' }))
            .times(6, (one, n) => one.in('abc'[n % 3] ?? '').edit('s.ts', back(n))),
      },
      'one error in three agents, until they are answered': {
        run: (to) =>
          to
            .in('a')
            .fault('api', '529 Overloaded, request_id: req_011CRz7hGm3JwQ8vTfAbCa1x')
            .in('b')
            .fault('rate_limit', '529 Overloaded, request_id: req_011CXk2pLn9ZsD4eYrUiOb7y')
            .in('a')
            .fault('api', '529 Overloaded, request_id: req_011CWq5tBv6NmK1hGjFdSc3z')
            .in('c')
            .fault('api', '529 Overloaded, request_id: req_011CAq5tBv6NmK1hGjFdSc3z')
            .in('d')
            .wait(1.5)
            .fault('api', '529 Overloaded, request_id: req_011CBq5tBv6NmK1hGjFdSc3z')
            .in('b')
            .say('Here.')
            .wait(2.5)
            .in('d')
            .fault('api', '529 Overloaded, request_id: req_011CCq5tBv6NmK1hGjFdSc3z')
            .in('c')
            .user('Wait.')
            .in('a')
            .line('session_end', { reason: 'clean' }),
      },
      'a service that their tools need': {
        run: (to) =>
          to
            .in('a')
            .fail('curl x', 'curl: HTTP 503')
            .in('b')
            .fail('curl y', 'curl: HTTP 503')
            .in('c')
            .fail('curl z', 'curl: HTTP 503')
            .in('a')
            .say('Again.')
            .fail('make', 'no rule')
            .run('curl x', 'ok')
            .in('b')
            .fail('dd', 'dd: No space left on device')
            .in('c')
            .fail('cp', 'dd: No space left on device'),
      },
      'two are enough where the limit says so, but never one': {
        settings: { rate_limited: { warn: 1 }, cycle: { warn: 1, stuck: 2 } },
        run: (to) =>
          to
            .in('a')
            .fault('api', 'overloaded')
            .in('b')
            .fault('api', 'overloaded')
            .times(3, (one, n) => one.in(n % 2 === 0 ? 'a' : 'b').edit('src/p.ts', back(n))),
      },
      'nothing of rules that are off': {
        settings: { rate_limited: false, cycle: false },
        run: (to) =>
          to
            .times(3, (one, n) => one.in('abc'[n] ?? '').fault('api', 'overloaded'))
            .times(7, (one, n) => one.in(n % 2 === 0 ? 'a' : 'b').edit('src/p.ts', back(n))),
      },
    },
  },
  settings: {
    detectors: ['max_runtime', 'oversized_response', 'stall', 'condensation_loop'],
    scenes: {
      'rules are switched off, and on again': {
        settings: { oversized_response: { warn: 1000 }, stall: { warn: 5 } },
        dues: true,
        at: {
          4: (session) => session.setOptions(resolveOptions('balanced', { oversized_response: false, stall: false })),
          8: (session) => session.setOptions(resolveOptions('balanced', { oversized_response: { warn: 500 } })),
        },
        run: (to) =>
          to
            .run('cat a', 'a'.repeat(2000))
            .user('go')
            .wait(6)
            .run('cat b', 'b'.repeat(2000))
            .wait(20)
            .user('on')
            .run('cat c', 'c'.repeat(600))
            .wait(20)
            .say('So.'),
      },
      'limits that a person raised hold for rules outside of the family too': {
        settings: { oversized_response: { warn: 1000 } },
        at: { 3: (session) => session.setRaised([{ ...raised('cat a', 3000), detector: 'oversized_response' }]) },
        run: (to) =>
          to
            .run('cat a', 'a'.repeat(2000))
            .user('go')
            .run('cat a', 'a'.repeat(2000))
            .run('cat a', 'a'.repeat(3000))
            .run('cat b', 'b'.repeat(2000)),
      },
    },
  },
  steps: {
    detectors: STEPS,
    scenes: {
      'one call, one result': { run: '(B make fail:no_rule) x6 · B make ok:built' },
      'one call, one result, and other steps between': { run: '(B make fail:no_rule) x3 · (R f%n) x13' },
      'one call that fails with other words': { run: '(B make fail:"broke at %n of them") x6' },
      waits: { run: '(W still) x22' },
      looks: { run: '(R a) x8' },
      'a batch and a repeat that was asked for': {
        run: '[ · R a · R a · ] · B ls ok:a · U again · B ls ok:a · (B ls ok:a) x3',
      },
      'edits of one file between equal failures': {
        run: '(E calc.py · B "pytest -q" fail:"1 failed in 0.%n1s") x6 · B "pytest -q" ok:"3 passed"',
      },
      'edits of several files between equal failures': {
        run: '(E a.py · E b.py · B "./check.sh" fail:"error: it does not hold") x5 · U stop',
      },
      'an edit that repeats': { run: '(E a.py =x · B "ls" ok:%n) x6' },
      'a value that moves': {
        run: 'E c.py · B "pytest -q" fail:"E   assert -6 == 6%lFAILED t.py::test_total - assert -6 == 6%l1 failed in 0.1s" · E c.py · B "pytest -q" fail:"E   assert 3 == 6%lFAILED t.py::test_total - assert 3 == 6%l1 failed in 0.1s" · E c.py · B "pytest -q" fail:"E   assert 4 == 6%lFAILED t.py::test_total - assert 4 == 6%l1 failed in 0.1s" · E c.py · B "pytest -q" fail:"E   assert 5 == 6%lFAILED t.py::test_total - assert 5 == 6%l1 failed in 0.1s"',
      },
      'two results in turns': {
        run: '(B "check a" fail:"error: one" · E a.py · B "check a" fail:"error: two" · E b.py) x6',
      },
      'different results of one call': { run: '(E a · B pytest fail:%n_failed) x6 · E a · B pytest ok:all_passed' },
      'a call that passes after each edit': { run: '(E a · B "npm run build" ok:built) x5' },
      'rounds of three': { run: '(R a · R b · G word ok:here) x6 · R c' },
      'rounds of two with a failure': { run: '(B "prepare" ok:ready · B "start" fail:"port is taken") x5' },
      'rounds of five, of waits and of looks': {
        run: '(B "a" ok:1 · B "b" ok:2 · B "c" ok:3 · B "d" ok:4 · B "e" ok:5) x5 · U on · (W ok:a · W ok:b) x24 · U on · (R x · R y) x5',
      },
      'rounds with an error of the harness': { run: '(R a · X "part broke") x6 · U stop · (R a · L) x5' },
      'failures with one error': {
        run: 'B "one a" fail:"error: no access" · R x · B "two a" fail:"error: no access" · R y · B "three a" fail:"error: no access" · R z · B "four a" fail:"error: no access" · B "five" fail:"error: no access" · B "six" fail:"error: no access"',
      },
      'failures in a row with one error, by calls that differ': {
        run: '(B "do %n" fail:"error: no access here") x6 · R a',
      },
      'failures in a row with few errors': {
        run: '(B "one %n" fail:alpha_error · M two fail:beta_error · B "three %n" fail:gamma_error) x4 · R done',
      },
      'failures and successes of one tool with targets': {
        run: (to) =>
          to
            .times(3, (one, n) => one.read(`gone${n}`, 'error: no such place', { result: { isError: true } }))
            .read('here')
            .times(3, (one, n) => one.read(`gone${n}`, 'error: no such place', { result: { isError: true } }))
            .times(34, (one, n) => one.start(`tool${n}`, 'looked', 'look', { target: 'a' }).answer(`text ${n}`))
            .times(3, (one, n) => one.read(`gone${n}`, 'error: no such place', { result: { isError: true } }))
            .fail('ls gone', 'error: no such place')
            .tool('other', {}, 'error: no such place', { result: { isError: true } })
            .tool('other', { a: 1 }, 'fine')
            .tool('other', { a: 2 }, 'error: no such place', { result: { isError: true } }),
      },
      'errors that come back after many others': {
        run: (to) =>
          to
            .fail('do a', 'error: the first of them')
            .fail('do b', 'error: the first of them')
            .times(33, (one, n) =>
              one.fail(`try ${n}`, `error: number ${['one', 'two', 'three'][n % 3]} ${'x'.repeat(n)}`).read(`r${n}`),
            )
            .fail('do c', 'error: the first of them')
            .fail('do d', 'error: the first of them')
            .times(22, (one, n) => one.read(`s${n}`))
            .fail('do e', 'error: the first of them')
            .times(3, (one) => one.read('t'))
            .fail('do f', 'error: the first of them')
            .run('do f', 'done')
            .fail('do g', 'error: the first of them'),
      },
      'failures of a batch, of waits, and of an edit and a run in one': {
        run: (to) =>
          to
            .times(4, (one, n) =>
              one
                .start('Bash', 'ran', `b${n}`, { command: `b${n}`, batch: 'x' })
                .answer(`error: it broke ${n}`, { isError: true }),
            )
            .run('npm start &', 'started')
            .times(9, (one, n) => one.fail(`curl localhost:${n}`, 'Connection refused', { result: { exitCode: 7 } }))
            .read('a')
            .times(7, (one, n) => one.fail(`cat > a${n}.py <<E\nx\nE\npython a${n}.py`, `KeyError: ${'ab'[n % 2]}`))
            .read('b')
            .times(7, (one) => one.fail('cat > b.py <<E\nx\nE\npython b.py', 'KeyError: total')),
      },
      'sweeps among other failures': {
        run: (to) =>
          to
            .times(3, (one, n) => one.fail(`python run${n}.py`, 'error: no access here'))
            .fail('make', 'no rule')
            .times(3, (one, n) => one.fail(`python run${n}.py`, 'error: no access here'))
            .fail('node x.js', 'SyntaxError: it ends')
            .times(4, (one, n) =>
              one.fail(`python run${n}.py`, n % 2 === 0 ? 'error: no access here' : 'error: no place'),
            )
            .fail('make', 'no rule')
            .times(25, (one, n) => one.fail(`python all${n}.py`, 'error: no access here')),
      },
      'forty failures in a row': { run: '(B "try %n" fail:alpha_error · B "go %n" fail:beta_error) x20' },
      'back and forth between three results, over changes': {
        run: '(B "python x.py" ok:one · E a.py · B "python x.py" ok:two · E a.py · B "python x.py" ok:three · E b.py · R f%n) x6 · U on · (B "python x.py" ok:one · E a.py · B "python x.py" ok:two · E b.py) x2 · (B "python x.py" ok:four · E a.py · B "python x.py" ok:five) x3',
      },
      'back and forth of a check that passes in between': {
        run: '(B pytest fail:1_failed · E a.py · B pytest fail:2_failed · E a.py) x4 · B pytest ok:3_passed · (E a.py · B pytest fail:1_failed · E b.py · B pytest fail:2_failed) x4',
      },
      'looks and waits go back and forth without an alert': {
        run: '(B "cat a" ok:one · E a.py · B "cat a" ok:two · E a.py) x6 · (B "tail -f x" ok:one · E a.py · B "tail -f x" ok:two · E b.py) x6 · (M look {"a":1} ok:one · E a.py · M look {"a":1} ok:two · E b.py) x6',
      },
      'ten different results, and one that was there before': {
        run: 'B run ok:a · E x · B run ok:b · E x · B run ok:c · E x · B run ok:d · E x · B run ok:e · E x · B run ok:f · E x · B run ok:g · E x · B run ok:h · E x · B run ok:i · E x · B run ok:j · E x · B run ok:j · B run ok:k · B run ok:a',
      },
      'rounds that a batch or an exempt step is part of': {
        run: '(R a · P · R b · I make · R c%n) x3 · (R a · P · R b · I make) x5 · U on · ([ · R a · R a · R b · ]) x5',
      },
      'rounds of thirteen, and of a look and a change': {
        run: '(B a ok:a · B b ok:b · B c ok:c · B d ok:d · B e ok:e · B f ok:f · B g ok:g · B h ok:h · B i ok:i · B j ok:j · B k ok:k · B l ok:l · B m ok:m) x3 · U on · (R x · E y =z) x5 · U on · (W ok:a · R x) x24',
      },
      'errors of the harness by their kind': {
        run: (to) =>
          ['other', 'timeout', 'api', 'rate_limit', 'validation'].reduce(
            (all, kind) => all.times(4, (one) => one.read('a').fault(kind, 'it broke at 12:30:01')).user('on'),
            to,
          ),
      },
      'a search, with a new error each time': { run: '(B "try %n" fail:"error: part %n broke") x12' },
      'a sweep': { run: '(B "python run%n.py" fail:"error: no access here") x14' },
      'one query with other trailing words': {
        run: '(G "the same beginning of a long query %n" ok:"No matches found") x12',
      },
      'keys that change nothing': {
        run: '(M press {"key":"a"} ok:"The screen shows a red button" · M press {"key":"b"} ok:"The screen shows a red button" · M press {"key":"c"} ok:"The screen shows a red button") x4',
      },
      'one streak is over, another comes': {
        run: '(B "make" fail:no_rule) x3 · B "make" ok:built · (R f%n) x3 · (B "make" fail:no_rule) x3 · (R g%n) x60 · (B "make" fail:no_rule) x3 · end',
      },
      'a person stops it, and it begins anew': {
        run: '(B "make" fail:no_rule) x4 · U "other way" · (B "make" fail:no_rule) x4',
      },
      'a rule is switched off and on': {
        at: {
          9: (session) => session.setOptions(resolveOptions('balanced', { repeating_action: false })),
          13: (session) => session.setOptions(resolveOptions('balanced', {})),
          17: (session) =>
            session.setOptions(
              resolveOptions('balanced', {
                repeating_action: false,
                cycle: false,
                repeating_outcome: false,
                consecutive_failures: false,
              }),
            ),
          21: (session) => session.setOptions(resolveOptions('eager', {})),
        },
        run: '(B "make" fail:no_rule) x14',
      },
      'a rule that is off does not speak, and holds nothing back of the others': {
        settings: { repeating_action: false },
        run: '(B "make" fail:no_rule) x9 · U stop · (E a.py · B "make" fail:no_rule) x5',
      },
      'tokens that were used since the first': {
        run: (to) => to.times(5, (one, n) => one.used({ totalTokens: 100 * (n + 1) }).fail('make', 'no rule')),
      },
      'a raised limit holds it back': {
        at: {
          1: (session) => session.setRaised([raised('make', 6)]),
          15: (session) => session.setRaised([raised('make', 9)]),
          17: (session) => session.setRaised([raised('other', 20)]),
        },
        run: '(B "make" fail:no_rule) x9',
      },
      'an old repeat among many steps': {
        run: '(R a · R f%n · R g%n · R h%n · R i%n · R j%n · R k%n · R l%n · R m%n) x45',
      },
    },
  },
  mixed: {
    detectors: STEPS,
    scenes: {
      ...Object.fromEntries(
        Array.from({ length: 7 }, (_, n) => [`without an order, ${n + 1}`, { brief: true, run: mixed(n + 1) }]),
      ),
      'without an order, while rules are switched off and on': {
        brief: true,
        at: {
          40: (session) => session.setOptions(resolveOptions('balanced', { repeating_action: false, cycle: false })),
          140: (session) => session.setOptions(resolveOptions('eager', {})),
          200: (session) => session.setOptions(resolveOptions('balanced', { repeating_outcome: false })),
          260: (session) => session.setOptions(resolveOptions('patient', { consecutive_failures: false })),
        },
        run: mixed(77),
      },
      'without an order, where a person raised limits': {
        brief: true,
        at: {
          1: (session) =>
            session.setRaised([raised('make', 5), { ...raised('pytest -q', 6), detector: 'repeating_outcome' }]),
          160: (session) => session.setRaised([raised('Read a', 6)]),
          240: (session) => session.setRaised([]),
        },
        run: mixed(78),
      },
    },
  },
};
