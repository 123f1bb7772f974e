import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classifyCommand } from '../../../../src/base/checks/command';

const CHECKS: readonly (readonly [command: string, main: string, requestedWait: number])[] = [
  ['sleep 1; npm test', 'npm test', 1],
  ['sleep 2 && npm test', 'npm test', 2],
  ['sleep 1\nnpm run lint', 'npm run lint', 1],
  ['cd packages/core && sleep 1m; pnpm test', 'pnpm test', 60],
  ['cd "my folder" && yarn test --silent', 'yarn test --silent', 0],
  ['sleep 0.5; yarn vitest run', 'yarn vitest run', 0.5],
  ['timeout 60 npm test', 'npm test', 0],
  ['timeout -k 5 60s npx jest -t adds', 'jest -t adds', 0],
  ['CI=1 FORCE_COLOR=0 pnpm --filter web run test:unit', 'pnpm --filter web run test:unit', 0],
  ['env CI=1 npx tsc --noEmit', 'tsc --noEmit', 0],
  ['nohup time make check', 'make check', 0],
  ['sleep 3; make', 'make', 3],
  ['bash -lc "sleep 1; npm test"', 'npm test', 1],
  ["sh -c 'cd x && cargo test'", 'cargo test', 0],
  ['sleep 1; cargo clippy -- -D warnings 2>&1 | tail -20', 'cargo clippy -- -D warnings', 1],
  ['uv run pytest -q', 'pytest -q', 0],
  ['uv run --with pytest python -m pytest -q | tee out.log', 'pytest -q', 0],
  ['poetry run mypy src', 'mypy src', 0],
  ['pipenv run python -m unittest', 'unittest', 0],
  ['sleep 1; python3 -m pytest tests/test_a.py::test_b -xvs', 'pytest tests/test_a.py::test_b -xvs', 1],
  ['source .venv/bin/activate && python manage.py test', 'python manage.py test', 0],
  ['mise run lint', 'mise run lint', 0],
  ['sleep 1; mise exec -- go test ./...', 'go test ./...', 1],
  ['just test', 'just test', 0],
  ['make -C build -j4 test', 'make -C build -j4 test', 0],
  ['bun run typecheck 2>&1', 'bun run typecheck', 0],
  ['bun test src | grep -c fail', 'bun test src', 0],
  ['./gradlew :app:test --info', './gradlew :app:test --info', 0],
  ['mvn -q -pl core verify', 'mvn -q -pl core verify', 0],
  ['docker compose exec -T web npm test', 'npm test', 0],
  ['docker exec -w /app box pytest', 'pytest', 0],
  ['bundle exec rspec spec/calc_spec.rb', 'rspec spec/calc_spec.rb', 0],
  ['dotnet test --no-build', 'dotnet test --no-build', 0],
  ['sleep 1; node --test', 'node --test', 1],
  ['node --run check', 'node --run check', 0],
  ['prettier --check src', 'prettier --check src', 0],
  ['php artisan test', 'php artisan test', 0],
  ['./scripts/run-tests.sh', './scripts/run-tests.sh', 0],
  ['bash scripts/lint.sh', 'bash scripts/lint.sh', 0],
  ['git diff --name-only | xargs npx eslint', 'eslint', 0],
  ['npx --yes eslint@9.1.0 .', 'eslint@9.1.0 .', 0],
  ['pnpm dlx @biomejs/biome@latest check src', '@biomejs/biome@latest check src', 0],
  ['npx --yes vercel@latest build --yes', 'vercel@latest build --yes', 0],
  ['uvx ruff@0.6 check .', 'ruff@0.6 check .', 0],
  ['sed -i s/a/b/ a.py && pytest', 'pytest', 0],
  ['for f in a b; do node --check $f.js; done', 'node --check $f.js', 0],
  ['(cd web && npm test)', 'npm test', 0],
  ['powershell -Command "Start-Sleep -Seconds 2; npm test"', 'npm test', 2],
  ['npm run build && npm test', 'npm run build && npm test', 0],
  ['cat <<EOF > x\nls\nEOF\nctest', 'ctest', 0],
];

describe('a check stays a check after anything that only starts it', () => {
  it.each(CHECKS)('%s', (command, main, requestedWait) => {
    expect(classifyCommand(command)).toMatchObject({ kind: 'check', main, requestedWait });
  });
});

describe('an edit and a run in one line', () => {
  it.each([
    ["cat > a.py <<'EOF'\nprint(1)\nEOF\npython a.py", true],
    ['sed -i s/a/b/ a.py && pytest', true],
    ['echo "x = 1" > a.py; python a.py', true],
    ["bash -lc 'cat > a.py <<EOF\nx\nEOF\npytest'", true],
    ['mkdir -p build && cd build && cmake ..', false],
    ['rm -rf build; make', false],
    ['pytest > out.log 2>&1; tail -5 out.log', false],
    ['npm test | tee out.log', false],
    ['python a.py && echo done > marker', false],
    ['sed -i s/a/b/ a.py', false],
  ])('%s: %s', (command, edits) => {
    expect(classifyCommand(command).edits).toBe(edits);
  });
});

describe('another commit under the work tree', () => {
  it.each([
    'git bisect good',
    'git bisect bad HEAD~3',
    'git bisect skip',
    'git checkout main',
    'git checkout feature/login',
    'git checkout HEAD~3',
    'git checkout 0a1b2c3d',
    'git checkout v1.2.3',
    'git checkout release-2.4',
    'git checkout --detach main',
    'git checkout -',
    'git switch main',
    'git switch -',
    'git rebase main',
    'git rebase --continue',
    'git merge origin/main',
    'git pull --ff-only',
    'git reset --hard HEAD~1',
    'git reset --hard origin/main',
    'git reset --hard 0a1b2c3d',
    'git reset --hard main',
    'git reset HEAD^',
    'git -C app checkout main',
    'cd app && git checkout main && npm test',
    'bash -lc "git checkout main"',
  ])('%s', (command) => expect(classifyCommand(command).movesHead).toBe(true));

  it.each([
    'git checkout -- src/a.ts',
    'git checkout src/a.ts',
    'git checkout .',
    'git checkout HEAD -- src/a.ts',
    'git checkout HEAD~2 src/a.ts',
    'git restore src/a.ts',
    'git restore --source HEAD~2 src/a.ts',
    'git stash',
    'git stash pop',
    'git reset',
    'git reset --hard',
    'git reset --hard HEAD',
    'git reset src/a.ts',
    'git reset HEAD src/a.ts',
    'git bisect log',
    'git status',
    'git log main',
    'git commit -m "checkout main"',
    'git branch main',
    'echo git checkout main',
    'npm run switch main',
  ])('does not result from %s', (command) => expect(classifyCommand(command).movesHead).toBe(false));
});

describe('a wait lets time pass, or checks the progress of something that runs', () => {
  it.each([
    ['sleep 30', 30],
    ['sleep 1m 30s', 90],
    ['sleep 30 && cat build.log', 30],
    ['sleep 5; git status', 5],
    ['ps aux | grep node', 0],
    ['pgrep -f server', 0],
    ['kill -0 4711', 0],
    ['tail -f server.log', 0],
    ['timeout 20 tail -f server.log', 20],
    ['tail -n 50 /tmp/build.log', 0],
    ['cat /tmp/job.output', 0],
    ['gh run watch 123', 0],
    ['gh run view 123 --log-failed', 0],
    ['gh pr checks 12', 0],
    ['az pipelines runs show --id 123 -o table', 0],
    ['bk build view 123', 0],
    ['buildkite-agent step get "state" --step "tests"', 0],
    ['tkn pipelinerun describe build-7', 0],
    ['eas build:view 4f1c --json', 0],
    ['netlify watch', 0],
    ['doctl apps get-deployment 12 34', 0],
    ['wrangler deployments status', 0],
    ['render deploys list srv-1 -o json', 0],
    ['eb health', 0],
    ['railway logs', 0],
    ['fly logs --no-tail', 0],
    ['docker ps -a', 0],
    ['docker compose logs web', 0],
    ['kubectl -n web get pods', 0],
    ['kubectl rollout status deploy/web --timeout=60s', 60],
    ['tmux capture-pane -p -t work', 0],
    ['jobs', 0],
    ['wait', 0],
    ['Start-Sleep -Seconds 5', 5],
    ['until curl -s localhost:3000; do sleep 2; done', 2],
    ['worker status', 0],
    ['systemctl status nginx', 0],
  ])('%s', (command, requestedWait) => expect(classifyCommand(command)).toMatchObject({ kind: 'wait', requestedWait }));
});

describe('a look only reads', () => {
  it.each([
    'ls -la',
    'cd src && cat a.ts | head -20',
    'git status --short',
    'git -C /repo log --oneline -5',
    'git diff $(git merge-base main HEAD)..HEAD --stat',
    'git branch --contains 40e2e948',
    'rg -n "npm test" docs',
    'grep -rn "sleep 5" src',
    "sed -n '1,20p' a.ts",
    "awk '{print $1}' a.txt",
    'find . -name "*.test.ts" | xargs wc -l',
    'test -f package.json && echo yes',
    'curl -sL https://example.com/docs | head -50',
    'gh issue view 12',
    'gh api repos/a/b/issues',
    'npm --version',
    'tail -20 README.md',
    'Get-Content -Raw README.md',
    'which pytest',
    '# run the tests\ncat a.ts',
  ])('%s', (command) => expect(classifyCommand(command).kind).toBe('look'));
});

describe('a mutation only changes files', () => {
  it.each([
    'sed -i s/a/b/ a.py',
    'cat > a.py <<EOF\npytest\nEOF',
    'rm -rf build',
    'mkdir -p a && touch a/b',
    'ls | tee files.txt',
  ])('%s', (command) => expect(classifyCommand(command).kind).toBe('mutation'));
});

describe('a formatter that writes is a mutation', () => {
  it.each([
    'npx prettier --write src',
    'black .',
    'cd app && gofmt -s -w .',
    'cargo fmt --all',
    'uv run ruff format src',
    'clang-format -i a.cpp',
    'npm run format',
    'make fmt',
  ])('%s', (command) => expect(classifyCommand(command).kind).toBe('mutation'));

  it.each(['black --check .', 'cargo fmt --check', 'npm run format:check', 'gofmt -l .'])(
    'but if it only checks, it is a check: %s',
    (command) => expect(classifyCommand(command).kind).toBe('check'),
  );
});

describe('keeping the books of a repository is a mutation', () => {
  it.each(['git add -A', 'git commit -m "npm test"', 'git push', 'git -C app fetch', 'git switch main'])(
    '%s',
    (command) => expect(classifyCommand(command).kind).toBe('mutation'),
  );
});

describe('everything else runs something', () => {
  it.each([
    'python x.py',
    'python3 test_fix.py',
    'node server.js',
    'npm install',
    'npm run dev',
    'npm start',
    'make clean',
    'make install',
    'docker compose up -d',
    'echo npm test',
    'bash /tmp/test.sh',
    'sleep 1; node server.js',
    'curl -X POST https://example.com -d x=1',
    'curl -o file.zip https://example.com/file.zip',
    'cat $(find-it)',
    'prettier src/a.ts',
    'npm install fmt',
    'npm run deploy:test',
    'constructor',
    '',
  ])('%s', (command) => expect(classifyCommand(command).kind).toBe('other'));
});

it('a request to a service of this machine is marked: a refused connection means a wait for it', () => {
  expect(classifyCommand('curl -s http://localhost:3000/page')).toMatchObject({ kind: 'other', queriesLocal: true });
  expect(classifyCommand('curl -s http://localhost:3000/health')).toMatchObject({ kind: 'wait', queriesLocal: true });
  expect(classifyCommand('curl -s https://example.com')).toMatchObject({ kind: 'look', queriesLocal: false });
});

describe('the command whose exit code the line has', () => {
  it.each([
    ['npm test', 'own'],
    ['cd x; npm test', 'own'],
    ['npm test\n', 'own'],
    ['npm test && echo done', 'zero'],
    ['npm test | tail', 'piped'],
    ['set -o pipefail; npm test | tail', 'own'],
    ['npm test || true', 'none'],
    ['npm test; echo $?', 'none'],
    ['npm test &', 'none'],
    ['bash -c "npm test | tail"', 'piped'],
  ] as const)('%s: %s', (command, exit) => expect(classifyCommand(command).exit).toBe(exit));
});

it('any text has a kind', () => {
  const piece = fc.constantFrom(
    'npm test',
    'sleep 1',
    ';',
    ' && ',
    '|',
    '"',
    "'",
    '$(',
    ')',
    '`',
    '\n',
    '<<E\n',
    '(',
    'x=',
    ' -c ',
    'bash',
    '&',
    '#',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ maxLength: 300 }),
        fc.array(piece, { maxLength: 60 }).map((all) => all.join('')),
      ),
      (text) => {
        const { kind, main, requestedWait } = classifyCommand(text);
        expect(['check', 'wait', 'look', 'mutation', 'other']).toContain(kind);
        expect(main.length).toBeLessThanOrEqual(200);
        expect(requestedWait).toBeGreaterThanOrEqual(0);
      },
    ),
    { numRuns: 500, seed: 4242 },
  );
});
