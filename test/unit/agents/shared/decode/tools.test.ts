import { fc, test } from '../property';
import { describe, expect, it } from 'vitest';
import { describeCall } from '../../../../../src/agents/shared/decode';

const cwd = '/home/dev/project';

describe("a person's name for a call", () => {
  it.each([
    ['Bash', { command: 'pytest -q' }, 'ran', 'pytest -q'],
    ['Bash', { command: 'cd /home/dev/project && pytest -q' }, 'ran', 'pytest -q'],
    ['Bash', { command: '# run the tests\ncd "my project"\npytest -q\necho done' }, 'ran', 'pytest -q'],
    ['exec_command', { cmd: 'npm test' }, 'ran', 'npm test'],
    ['shell', { command: ['bash', '-lc', 'cargo build'] }, 'ran', 'cargo build'],
    ['shell', { command: ['git', 'commit', '-m', 'a b'] }, 'ran', "git commit -m 'a b'"],
    ['Edit', { file_path: '/home/dev/project/src/calc.py' }, 'changed', 'Edit src/calc.py'],
    ['MultiEdit', { file_path: '/elsewhere/a.ts' }, 'changed', 'Edit /elsewhere/a.ts'],
    ['Write', { file_path: 'C:\\work\\a.ts' }, 'changed', 'Write C:\\work\\a.ts'],
    ['replace', { file_path: '/home/dev/project/a.rs' }, 'changed', 'Edit a.rs'],
    ['Read', { file_path: '/home/dev/project/a.py' }, 'looked', 'Read a.py'],
    ['view', { path: '/home/dev/project/a.py' }, 'looked', 'Read a.py'],
    ['LS', { path: '/home/dev/project' }, 'looked', 'List .'],
    ['Glob', { pattern: '**/*.ts' }, 'looked', 'Find **/*.ts'],
    ['Grep', { pattern: 'total\\(', path: '/home/dev/project/src' }, 'looked', 'Search total\\( in src'],
    ['WebFetch', { url: 'https://example.org/a', prompt: 'x' }, 'looked', 'Fetch https://example.org/a'],
    ['google_web_search', { query: 'vs code api' }, 'looked', 'Search the web: vs code api'],
    ['mcp__jira__search', { q: 'loop' }, 'looked', 'Search loop'],
    [
      'apply_patch',
      { input: '*** Begin Patch\n*** Update File: src/a.js\n@@\n*** Add File: b.js\n' },
      'changed',
      'Edit src/a.js and 1 more',
    ],
    ['apply_patch', '*** Begin Patch\n*** Delete File: old.js\n', 'changed', 'Edit old.js'],
    ['str_replace_editor', { command: 'view', path: '/home/dev/project/a.py' }, 'looked', 'Read a.py'],
    ['str_replace_editor', { command: 'str_replace', path: '/home/dev/project/a.py' }, 'changed', 'Edit a.py'],
    ['str_replace_editor', { command: 'create', path: '/home/dev/project/a.py' }, 'changed', 'Write a.py'],
    ['TodoWrite', { todos: [] }, 'plan', 'TodoWrite'],
    ['update_plan', { plan: [] }, 'plan', 'update_plan'],
    ['TaskCreate', { subject: 'Fix total()' }, 'plan', 'TaskCreate Fix total()'],
    ['Task', { description: 'Search one', prompt: 'long' }, 'delegated', 'Task Search one'],
    ['AskUserQuestion', { questions: [{ question: 'Which color?' }] }, 'asked', 'AskUserQuestion Which color?'],
    ['BashOutput', { bash_id: '1' }, 'waited', 'BashOutput'],
    ['write_stdin', { session_id: 3, chars: '' }, 'waited', 'write_stdin'],
    ['open', { command: 'open src/calc.py 12' }, 'looked', 'open src/calc.py 12'],
    ['create_issue', { title: 'Broken' }, 'other', 'create_issue Broken'],
    ['create_document', { path: '/home/dev/project/a.md' }, 'changed', 'Edit a.md'],
    ['frobnicate', {}, 'other', 'frobnicate'],
  ])('%s %j is %s: %s', (name, args, kind, subject) => {
    expect(describeCall(name, args, { cwd })).toMatchObject({ kind, subject });
  });

  it('contains the command and the target as the arguments give them', () => {
    expect(describeCall('Bash', { command: 'cd x && ls -la' }).command).toBe('cd x && ls -la');
    expect(describeCall('Edit', { file_path: '/home/dev/project/a.py' }, { cwd }).target).toBe(
      '/home/dev/project/a.py',
    );
    expect(describeCall('Edit', { file_path: '/home/dev/project/a.py' }, { cwd }).command).toBeUndefined();
  });

  it("comes first from an agent's own table", () => {
    expect(describeCall('exec', {}, { table: { exec: 'plan' } }).kind).toBe('plan');
    expect(describeCall('Exit_PlanMode', {}, { table: { exitplanmode: 'ask' } }).kind).toBe('asked');
  });

  it('never shows a control character, a second line, or more than 200 characters', () => {
    const { subject } = describeCall('Bash', { command: `printf '\u001b[31mred\u0007'\nrm -rf /` });
    expect(subject).toBe("printf '␛[31mred␇'");
    expect(describeCall('Bash', { command: 'x'.repeat(100_000) }).subject).toHaveLength(200);
    expect(describeCall('Read', { file_path: `/a/\u202egnp.exe` }).subject).toBe('Read /a/\ufffdgnp.exe');
  });

  test.prop([fc.string(), fc.jsonValue()])(
    "is found without an exception, whatever the tool's name and the arguments are",
    (name, args) => {
      const { subject, kind } = describeCall(name, args, { cwd });
      expect(subject.length).toBeLessThanOrEqual(200);
      expect(subject).not.toMatch(/[\u0000-\u001f]/);
      expect(kind).toBeTypeOf('string');
    },
  );
});
