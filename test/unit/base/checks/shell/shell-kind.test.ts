import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mainCommand, shellKind } from '../../../../../src/base/checks/shell/shell-kind';

describe('what a shell command does', () => {
  it.each([
    'ls -la',
    'cat src/a.py | head -20',
    "sed -n '1,220p' a.md",
    'rg -n "a && b; c > d" src',
    'git status --short',
    'git -C /repo log --oneline -5 2>/dev/null; echo "---"; git diff --stat',
    'git branch -a',
    'cd /x && grep -rn "def " src 2>&1 | wc -l',
    'find . -name "*.ts" | xargs grep -l TODO',
    'FOO=1 pnpm --version',
    'gh pr view 12',
    'docker ps -a',
    'Get-Content -Raw README.md',
    'ls missing || true',
  ])('%s only looks', (command) => expect(shellKind(command)).toBe('looked'));

  it.each([
    'sed -i s/a/b/ a.py',
    'cat > new.py <<EOF\nrm -rf /\npytest\nEOF',
    'echo x >> notes.txt',
    'mv a b && rm -r c',
    'mkdir -p a/b; touch a/b/c',
    'git checkout -- src/a.py',
    'cd src && patch -p1 < fix.diff',
    'ls | tee files.txt',
  ])('%s changes files and does nothing else', (command) => expect(shellKind(command)).toBe('changed'));

  it.each(['sleep 30', 'sleep 5; cat log.txt', 'cd /x && sleep 1'])('%s waits', (command) => {
    expect(shellKind(command)).toBe('waited');
  });

  it.each([
    'pytest -q',
    'sed -i s/a/b/ a.py && pytest -q',
    'cat $(git ls-files)',
    'cat `which python`',
    'find . -name x -delete',
    'find . -exec rm {} ;',
    'git commit -am wip',
    'git push',
    'gh pr create',
    'npm install',
    'docker run x',
    'echo done',
    'kill 4711',
    '',
  ])('%s runs something', (command) => expect(shellKind(command)).toBe('ran'));

  it('any text has a kind', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 6000 }), (text) => {
        expect(['looked', 'changed', 'waited', 'ran']).toContain(shellKind(text));
        expect(mainCommand(text).length).toBeLessThanOrEqual(text.length);
      }),
    );
  });

  it("is found within a test's timeout for long texts that a quadratic rule would choke on", () => {
    for (const piece of ['"', "'", '\\', '<<E\n', 'a=', 'cd a && ', '$(', '# x\n', ' ', '\n'])
      for (const lead of ['', 'cd a', 'set -e', 'A=1 ']) shellKind(lead + piece.repeat(200_000));
  });
});
