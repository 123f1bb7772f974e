import { describe, expect, it } from 'vitest';
import { begin, edit, isStuck, levels, pytest, saidBy, sh } from './telling';

const ACTS: readonly (readonly [command: string, output: string])[] = [
  ['npx prisma generate', 'Generated Prisma Client to ./node_modules/@prisma/client'],
  ['go generate ./...', ''],
  ['protoc --go_out=. api.proto', ''],
  ['npx prisma migrate deploy', 'All migrations have been applied'],
  ['docker compose up -d --build', 'Container app-web-1 Started'],
  ['sudo systemctl restart web', ''],
  ['npm run format', 'src/sum.ts formatted'],
  ['pip install -e .', 'Successfully installed app'],
  ['kubectl apply -f deploy.yaml', 'deployment.apps/web configured'],
  ['curl -s -X POST https://api.example.org/reload', '{"ok":true}'],
  ['python seed.py', 'seeded the tables'],
  ['fly deploy', 'v1 deployed successfully'],
  ['pm2 restart web', '[PM2] [web] ✓'],
];
const FAILING = ['test_a', 'test_b', 'test_c', 'test_d', 'test_e', 'test_f', 'test_g', 'test_h'];

describe('an act that succeeds with the same words each time', () => {
  it.each(ACTS)('`%s` between edits and tests that get better is work', (command, output) => {
    const better = begin().times(8, (run, n) => pytest(sh(edit(run), command, output), ...FAILING.slice(n)));
    expect(levels(better)).toEqual([]);
  });

  it.each(ACTS)('twin: `%s` while the same test fails is a loop', (command, output) => {
    const same = begin().times(6, (run) => pytest(sh(edit(run), command, output), 'test_a'));
    expect(isStuck(same)).toBe(true);
  });

  it.each(ACTS)('twin: `%s` six times with nothing in between is a loop', (command, output) => {
    expect(isStuck(begin().times(6, (run) => sh(run, command, output)))).toBe(true);
  });

  it.each(ACTS)('twin: `%s` that fails between tests that get better is a loop', (command) => {
    const fails = begin().times(6, (run, n) =>
      pytest(sh(edit(run), command, 'error: no access to the registry', 1), ...FAILING.slice(n)),
    );
    expect(isStuck(fails)).toBe(true);
  });

  it('an acting tool of a server is an act too', () => {
    const sent = begin().times(8, (run, n) =>
      pytest(run.call('mcp__cms__publish_page', { page: 'home' }, { output: 'the page is live' }), ...FAILING.slice(n)),
    );
    expect(levels(sent)).toEqual([]);
  });

  it('forty of them only warn if a check in between said something new', () => {
    const round = (failing: (n: number) => string[]) =>
      saidBy(
        begin().times(44, (run, n) => pytest(sh(edit(run), 'npm run format', 'src/sum.ts formatted'), ...failing(n))),
        'repeating_outcome',
        null,
      );
    expect(round((n) => [`test_${n}`])).toEqual([]);
    expect(round(() => ['test_a'])).not.toEqual([]);
  });
});
