import { describe, expect, it } from 'vitest';
import type { Script } from '../support/script';
import { begin, edit, isStuck, saidBy, sh } from './telling';

const deadStarts = (run: Script): string[] => saidBy(run, 'repeating_outcome', 'dead_start');
const REFUSED = 'curl: (7) Failed to connect to localhost port 3000: Connection refused';
let pids = 100;
const start = (run: Script, command = 'npm start &'): Script => sh(run, command, `[1] ${++pids}`);

describe('a start that dies', () => {
  it.each<[string, (run: Script) => Script]>([
    ['nothing listens', (run) => sh(run, 'lsof -i :3000', '', 1)],
    ['the service is down', (run) => sh(run, 'systemctl status web', 'web.service: inactive (dead)', 3)],
  ])('and %s: five starts are stuck', (_, look) => {
    expect(isStuck(begin().times(5, (run) => look(start(edit(run)))))).toBe(true);
  });

  it.each<[string, (run: Script) => Script]>([
    ['nothing answers', (run) => sh(run, 'curl -s localhost:3000/health', REFUSED, 7)],
    ['no process is there', (run) => sh(run, 'pgrep -f server.js', '', 1)],
    ['its container has exited', (run) => sh(run, 'docker ps -a', 'web  Exited (1) 2 seconds ago')],
  ])('and %s: three starts warn, five are stuck', (_, look) => {
    const of = (count: number) => deadStarts(begin().times(count, (run) => look(start(edit(run))))).at(-1);
    expect(of(2)).toBeUndefined();
    expect(of(3)).toBe('warn 3');
    expect(of(5)).toBe('stuck 5');
  });

  it.each(['nohup node server.js > out.log', 'docker compose up -d', 'gunicorn app:app --daemon'])('%s', (command) => {
    const run = begin().times(5, (one) => sh(start(edit(one), command), 'curl -s localhost:3000/health', REFUSED, 7));
    expect(isStuck(run)).toBe(true);
  });

  it('is reported for the start, not for the look at it', () => {
    const { findings } = begin()
      .times(6, (run) => sh(start(edit(run)), 'pgrep -f server.js', '', 1))
      .run();
    const told = findings.filter(({ rule }) => rule === 'dead_start');
    expect(told.length).toBeGreaterThan(0);
    for (const { subject, why } of told) expect([subject, why].join(' ')).not.toContain('pgrep');
  });

  it('twin: it runs, and is started again after each edit', () => {
    const run = begin().times(8, (one, n) =>
      sh(start(edit(one)), 'curl -s localhost:3000/page', `<html>page ${n}</html>`),
    );
    expect(deadStarts(run)).toEqual([]);
  });

  it('twin: the first look comes too early, the second one sees it run', () => {
    const run = begin().times(8, (one, n) => {
      sh(start(edit(one)), 'curl -s localhost:3000/page', REFUSED, 7);
      sh(one, 'sleep 2', '');
      sh(one, 'curl -s localhost:3000/page', `<html>page ${n}</html>`);
    });
    expect(deadStarts(run)).toEqual([]);
  });

  it('twin: it ran once between two starts that died and two more', () => {
    const died = (one: Script) => sh(start(edit(one)), 'pgrep -f server.js', '', 1);
    const run = begin().times(2, died);
    sh(start(edit(run)), 'pgrep -f server.js', '4711');
    expect(deadStarts(run.times(2, died))).toEqual([]);
  });

  it('twin: five services, each of which needs a moment', () => {
    const run = begin();
    for (const name of ['web', 'db', 'mail', 'cache', 'queue'])
      sh(start(run, `./bin/${name} --port 3000 &`), 'curl -s localhost:3000/health', REFUSED, 7);
    expect(deadStarts(run)).toEqual([]);
  });

  it('twin: a look at something else', () => {
    const run = begin().times(8, (one, n) => sh(start(edit(one)), 'cat README.md', `Part ${n}: how to shut it down`));
    expect(deadStarts(run)).toEqual([]);
  });

  it('ends when a look says that it runs', () => {
    const run = begin().times(4, (one) => sh(start(edit(one)), 'pgrep -f server.js', '', 1));
    sh(start(edit(run)), 'pgrep -f server.js', '4711');
    const [alert] = run.run().incidents.filter(({ name }) => name.endsWith('dead_start'));
    expect(alert?.cleared).not.toBeNull();
  });
});
