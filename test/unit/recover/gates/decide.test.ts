import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { GateReport, GateResult } from '../../../../src/core/model';
import { blockingEvent, blockingMarkdown } from '../../../../src/recover/gates/blocking-event';
import { detectGates } from '../../../../src/recover/gates/detect-commands';
import type { ProjectFiles } from '../../../../src/recover/gates/proposal';
import { gatesFromSettings } from '../../../../src/recover/gates/from-settings';
import { consentText, type Gate } from '../../../../src/recover/gates/gate';
import { planGates } from '../../../../src/recover/gates/plan';
import { failureWords, verdictOf } from '../../../../src/recover/gates/verdict';

function project(texts: Record<string, string>, names: readonly string[] = []): ProjectFiles {
  return { texts, names: new Set([...Object.keys(texts), ...names]), has: (path) => names.includes(path) };
}

const commands = (files: ProjectFiles) => detectGates(files).map((gate) => `${gate.id}: ${gate.command}`);

describe('commands that a folder suggests', () => {
  const scripts = {
    build: 'tsc -p .',
    typecheck: 'tsc --noEmit',
    lint: 'eslint .',
    test: 'vitest run',
    pretest: 'node gen.js',
  };
  const manifest = JSON.stringify({ scripts });

  it('are the scripts of package.json, by the package manager of the lock file', () => {
    expect(commands(project({ 'package.json': manifest }))).toEqual([
      'build: npm run build',
      'types: npm run typecheck',
      'lint: npm run lint',
      'tests: npm test',
    ]);
    expect(commands(project({ 'package.json': manifest }, ['pnpm-lock.yaml']))[3]).toBe('tests: pnpm test');
    expect(commands(project({ 'package.json': manifest }, ['yarn.lock']))[0]).toBe('build: yarn run build');
    expect(commands(project({ 'package.json': manifest }, ['bun.lock']))[3]).toBe('tests: bun run test');
    const named = JSON.stringify({ scripts, packageManager: 'pnpm@9.0.0' });
    expect(commands(project({ 'package.json': named }, ['package-lock.json']))[3]).toBe('tests: pnpm test');
  });

  it('say what a script runs, and what runs around it', () => {
    const [, , , tests] = detectGates(project({ 'package.json': manifest }));
    expect(tests).toMatchObject({ runs: 'node gen.js && vitest run', needs: ['build'] });
  });

  it('leave out what never ends and what npm itself wrote', () => {
    const watch = { test: 'vitest --watch', lint: 'echo "Error: no test specified" && exit 1', build: 'vite' };
    expect(commands(project({ 'package.json': JSON.stringify({ scripts: watch }) }))).toEqual([]);
    expect(commands(project({ 'package.json': '{ not json' }))).toEqual([]);
  });

  it('are pytest, ruff and mypy in the environment of the project', () => {
    const pyproject = '[tool.pytest.ini_options]\n[tool.ruff]\n[tool.mypy]\n';
    expect(commands(project({ 'pyproject.toml': pyproject }))).toEqual([
      'types: python3 -m mypy .',
      'lint: python3 -m ruff check .',
      'tests: python3 -m pytest -q',
    ]);
    expect(commands(project({ 'pyproject.toml': pyproject }, ['uv.lock']))[2]).toBe('tests: uv run pytest -q');
    expect(commands(project({ 'pyproject.toml': pyproject }, ['.venv/bin/python']))[2]).toBe(
      'tests: .venv/bin/python -m pytest -q',
    );
  });

  it('are those of Cargo and Go, and a Makefile for what they lack', () => {
    expect(commands(project({ 'Cargo.toml': '[package]\nname = "a"\n' }))).toEqual([
      'build: cargo build --all-targets',
      'tests: cargo test',
    ]);
    const makefile = 'all: build\nbuild:\n\tgo build ./...\nlint:\n\tgolangci-lint run\ntest: build\n\tgo test ./...\n';
    expect(commands(project({ 'go.mod': 'module a\n', Makefile: makefile }))).toEqual([
      'build: go build ./...',
      'lint: go vet ./...',
      'tests: go test ./...',
    ]);
    const own = detectGates(project({ Makefile: makefile }));
    expect(own.map(({ command, runs }) => `${command} = ${runs}`)).toEqual([
      'make build = build:; go build ./...',
      'make lint = lint:; golangci-lint run',
      'make test = test: build; go test ./...',
    ]);
  });

  it('of two kinds in one folder do not mix their needs', () => {
    const both = detectGates(project({ 'package.json': manifest, 'go.mod': 'module a\n' }));
    expect(both.find(({ id }) => id === 'go-tests')?.needs).toEqual(['go-build']);
    expect(planGates(both).ok).toBe(true);
  });

  it('never throw, and always make a plan', () => {
    const text = fc.oneof(fc.string(), fc.json(), fc.constant(manifest));
    const files = fc.dictionary(
      fc.constantFrom('package.json', 'pyproject.toml', 'Cargo.toml', 'go.mod', 'Makefile'),
      text,
    );
    fc.assert(fc.property(files, (texts) => planGates(detectGates(project(texts))).ok));
  });

  it('need consent again when a script changes, even if the command line does not', () => {
    const [before] = detectGates(project({ 'package.json': JSON.stringify({ scripts: { test: 'vitest run' } }) }));
    const [after] = detectGates(project({ 'package.json': JSON.stringify({ scripts: { test: 'echo fine' } }) }));
    expect(before?.command).toBe(after?.command);
    expect(consentText(before ? [before] : [])).not.toBe(consentText(after ? [after] : []));
  });
});

const gate = (id: string, needs: string[] = []): Gate => ({
  id,
  name: id,
  command: `run ${id}`,
  needs,
  timeoutMs: 1000,
});

describe('a plan', () => {
  it('puts each gate after those that it needs', () => {
    const plan = planGates([gate('tests', ['build']), gate('lint'), gate('build', ['types']), gate('types')]);
    expect(plan).toMatchObject({ ok: true });
    expect(plan.ok && plan.value.map(({ id }) => id)).toEqual(['lint', 'types', 'build', 'tests']);
  });

  it('refuses circles, unknown needs and duplicate names, each with a clear sentence', () => {
    const refused = (gates: Gate[]) => {
      const plan = planGates(gates);
      return plan.ok ? '' : plan.error;
    };
    expect(refused([gate('a', ['b']), gate('b', ['a']), gate('c')])).toBe(
      'These quality gates need each other in a cycle: a, b.',
    );
    expect(refused([gate('a', ['biuld'])])).toBe('The gate "a" needs "biuld", which is not a gate.');
    expect(refused([gate('a'), gate('a')])).toBe('Two quality gates have the name "a".');
  });
});

describe('gates of the machine’s settings', () => {
  const read = (value: unknown) => gatesFromSettings(value, '/work/shop', 300_000);

  it('that name the folder take precedence over those that name none', () => {
    const general = { name: 'tests', command: 'make test' };
    const own = { name: 'unit', command: 'make unit', folder: '/work/shop/', needs: [], timeout: 9_999 };
    const other = { name: 'x', command: 'x', folder: '/work/else' };
    expect(read([general, other])).toMatchObject({
      ok: true,
      value: { forThisFolder: false, gates: [{ id: 'tests' }] },
    });
    expect(read([general, own, other])).toMatchObject({
      ok: true,
      value: { forThisFolder: true, gates: [{ id: 'unit', timeoutMs: 3_600_000 }] },
    });
    expect(read(undefined)).toMatchObject({ ok: true, value: { gates: [] } });
  });

  it('that cannot be used say which entry and why', () => {
    const why = (value: unknown) => {
      const result = read(value);
      return result.ok ? '' : result.error;
    };
    expect(why('npm test')).toContain('is not a list');
    expect(why([{ command: 'x' }])).toContain('Entry 1');
    expect(why([{ name: 'a', command: 'x\ny' }])).toContain('needs a command on one line');
    expect(why([{ name: 'a', command: 'x', cwd: '../else' }])).toContain('points outside its folder');
    expect(why([{ name: 'a', command: 'x', cwd: '/etc' }])).toContain('points outside its folder');
    expect(why([{ name: 'a', command: 'x', needs: [1] }])).toContain('not a list of names');
  });

  it('never throw', () => {
    fc.assert(fc.property(fc.anything(), (value) => void read(value)));
    fc.assert(fc.property(fc.array(fc.dictionary(fc.string(), fc.anything())), (value) => void read(value)));
  });
});

const result = (name: string, status: GateResult['status'], more: Partial<GateResult> = {}): GateResult => ({
  id: name,
  name,
  command: `npm run ${name}`,
  status,
  reason: '',
  summary: '',
  failures: [],
  startedAt: 1,
  ms: 5,
  output: '',
  ...more,
});

const report = (results: GateResult[], more: Partial<GateReport> = {}): GateReport => ({
  folder: '/work/shop',
  cause: 'claim',
  claim: 'TASK_COMPLETE',
  startedAt: 1,
  endedAt: 2,
  verdict: 'failed',
  results,
  attempt: 1,
  ...more,
});

describe('the verdict', () => {
  it('is failed with one failure, passed only if all that ran passed', () => {
    expect(verdictOf([result('a', 'passed'), result('b', 'failed')])).toBe('failed');
    expect(verdictOf([result('a', 'passed'), result('b', 'skipped')])).toBe('passed');
    expect(verdictOf([result('a', 'passed'), result('b', 'not_run')])).toBe('none');
    expect(verdictOf([])).toBe('none');
  });

  it('says how many failed', () => {
    expect(failureWords(result('tests', 'failed', { failed: 2, total: 214 }))).toBe('tests failed: 2 of 214');
    expect(failureWords(result('lint', 'failed', { summary: '3 problems' }))).toBe('lint failed: 3 problems');
    expect(failureWords(result('lint', 'failed'))).toBe('lint failed');
  });
});

describe('what a blocked agent is told', () => {
  const failing = report([
    result('build', 'passed'),
    result('tests', 'failed', {
      summary: '1 failed, 46 passed',
      failed: 1,
      total: 47,
      failures: [{ file: 'test/a.test.ts', line: 12, column: 3, test: 'sums > adds', message: 'expected 5 to be 7' }],
    }),
    result('lint', 'skipped', { reason: 'needs types' }),
    result('slow', 'not_run', { reason: 'stopped after 300 s' }),
  ]);

  it('has the form of a blocking event', () => {
    const event = blockingEvent(failing);
    expect(event && blockingMarkdown(event, 1, 3)).toBe(`## Completion Blocked: tests failed: 1 of 47

Your \`TASK_COMPLETE\` request was blocked.

### Issues Found
\`\`\`
test/a.test.ts:12:3 sums > adds: expected 5 to be 7
\`\`\`

### Suggested Actions
1. Review the failing test assertions.
2. Check if recent changes broke existing behavior.
3. Run \`npm run tests\` yourself before you say again that the work is done.

### Gate Status
[x] build: passed
[ ] tests: failed
[~] lint: skipped (needs types)
[-] slow: not run (stopped after 300 s)

Unstuck, an automated watcher, ran \`npm run tests\` and wrote this (1 of 3).
If nothing is failing any more, ignore this.`);
  });

  it('shows the end of the output if no single failure was found, fenced', () => {
    const event = blockingEvent(report([result('check', 'failed', { output: 'one\n```\n# two\nboom' })]));
    const text = event ? blockingMarkdown(event, 1, 3) : '';
    expect(text).toContain('### End of the Output of check\n````\none\n```\n# two\nboom\n````');
  });

  it('includes the advice of the user, and names twelve failures and how many more', () => {
    const failures = Array.from({ length: 15 }, (_, index) => ({ message: `wrong ${index}` }));
    const event = blockingEvent(
      report([result('tests', 'failed', { failures })]),
      new Map([['tests', 'Read docs/x.md']]),
    );
    expect(event?.suggestions[0]).toBe('Read docs/x.md');
    expect(event?.details).toHaveLength(13);
    expect(event?.details[12]).toBe('and 3 more');
  });

  it('is empty if nothing failed', () => {
    expect(blockingEvent(report([result('tests', 'passed')]))).toBeNull();
  });

  it('keeps the output of programs in its lines, whatever they print', () => {
    const message = fc.string({ maxLength: 200, unit: 'binary' });
    fc.assert(
      fc.property(message, message, message, (words, test, output) => {
        const failures = [{ file: test, line: 1, message: words, test: words }];
        const event = blockingEvent(report([result('a', 'failed', { failures }), result('b', 'failed', { output })]));
        const text = event ? blockingMarkdown(event, 1, 3) : '';
        expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u202e]/);
        const issues = text.split('### Issues Found\n')[1]?.split('\n\n')[0]?.split('\n') ?? [];
        // One line, between the two of its fence.
        expect(issues).toHaveLength(3);
      }),
    );
  });
});
