import type { ScriptedStep } from './continuation';

/** One recorded run and how it is played. */
export interface Scenario {
  readonly name: 'interleaved' | 'same-command' | 'healthy';
  /** File name of the recording. */
  readonly recording: string;
  /** The recorded first prompt, and the one shown instead, so that a person can distinguish the runs. */
  readonly title: { readonly recorded: string; readonly shown: string };
  /** Number of beats that are played at once at the start, so that there is something to see from the first moment. */
  readonly head: number;
  /** Milliseconds between beats. */
  readonly pace: number;
  /** Number of last batches that a stuck run repeats, more slowly, until a nudge is taken. 0 plays to the end. */
  readonly repeats: number;
  /** Steps of the agent after it has taken the nudge. */
  readonly recovery: readonly ScriptedStep[];
  readonly lastWords: string;
}

const PASSING = '..                                                                       [100%]\n2 passed in 0.11s';

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'interleaved',
    recording: 'interleaved.jsonl',
    title: { recorded: 'Make the tests pass.', shown: 'Fix the failing total() test' },
    head: 2,
    pace: 1_600,
    repeats: 2,
    recovery: [
      {
        say: 'The edits never change the result. I will read the test before the next edit.',
        tool: 'Read',
        input: { file_path: '/home/dev/project/tests/test_calc.py' },
        result:
          '1\timport sys\n2\tsys.path.insert(0, "src")\n3\tfrom calc import add, total\n4\t\n5\t\n6\tdef test_add():\n7\t    assert add(2, 3) == 5\n8\t\n9\t\n10\tdef test_total():\n11\t    assert total([1, 2, 3]) == 6',
      },
      {
        say: 'total() has to add: the sign was wrong all along.',
        tool: 'Edit',
        input: {
          replace_all: false,
          file_path: '/home/dev/project/src/calc.py',
          old_string: 's = s - i',
          new_string: 's = s + i',
        },
        result:
          'The file /home/dev/project/src/calc.py has been updated successfully. (file state is current in your context — no need to Read it back)',
      },
      { tool: 'Bash', input: { command: 'pytest -q --tb=short', description: 'Run the tests' }, result: PASSING },
      {
        tool: 'Bash',
        input: { command: 'git add -A && git commit -qm "Fix total" && git log --oneline', description: 'Commit' },
        result: '5bab248 Fix total\n7c877c8 init',
      },
      { tool: 'Bash', input: { command: 'git status --short', description: 'Check the state' }, result: '' },
    ],
    lastWords: 'total() adds now; all tests pass and the change is committed.',
  },
  {
    name: 'same-command',
    recording: 'same-command.jsonl',
    title: { recorded: 'Run the build and fix whatever fails.', shown: 'Run the build and fix whatever fails' },
    head: 1,
    // Slower than the first, so that the two notifications are not merged.
    pace: 8_000,
    repeats: 1,
    recovery: [
      {
        say: 'The message names a missing file. I will look for it.',
        tool: 'Bash',
        input: { command: 'ls config', description: 'List' },
        result: 'app.example.yml',
      },
      {
        tool: 'Bash',
        input: { command: 'cp config/app.example.yml config/app.yml', description: 'Make the missing file' },
        result: '',
      },
      {
        tool: 'Bash',
        input: { command: 'python3 tools/build.py', description: 'Run the build' },
        result: 'build.py: 12 files built',
      },
      {
        tool: 'Bash',
        input: { command: 'git status --short', description: 'Check the state' },
        result: '?? config/app.yml',
      },
      {
        tool: 'Bash',
        input: { command: 'git log --oneline | head -3', description: 'History' },
        result: '7c877c8 init',
      },
    ],
    lastWords: 'The build passes: config/app.yml was missing.',
  },
  {
    name: 'healthy',
    recording: 'healthy.jsonl',
    title: {
      recorded: 'Fix total(), add a mean() helper with a test, commit.',
      shown: 'Fix total(), add a mean() helper with a test, commit',
    },
    head: 4,
    pace: 3_200,
    repeats: 0,
    recovery: [],
    lastWords: '',
  },
];
