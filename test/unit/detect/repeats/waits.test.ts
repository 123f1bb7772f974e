import { describe, expect, it } from 'vitest';
import { begin, isStuck, levels, sh } from './telling';

/** Polls it every half minute, this many times. */
const polled = (times: number, command: string, output: string, code: number) =>
  begin().times(times, (run) => sh(run, command, output, code).wait(30));

const TIMED_OUT = 'error: timed out waiting for the condition';

describe('an agent polls what is not there yet', () => {
  it.each([
    ['gh pr checks 12', 8, 'build  pending  0  https://github.com/a/b/actions/runs/7'],
    ['kubectl rollout status deploy/web --timeout=20s', 1, TIMED_OUT],
    ['kubectl wait --for=condition=ready pod/web --timeout=20s', 1, `${TIMED_OUT} on pods/web`],
    ['pg_isready -h localhost', 1, 'localhost:5432 - rejecting connections'],
    ['pg_isready -h localhost', 2, 'localhost:5432 - no response'],
    ['systemctl is-active web', 3, 'activating'],
    ['pgrep -f train.py', 1, ''],
    ['nc -z localhost 5432', 1, ''],
    ['curl -f http://localhost:3000/health', 22, 'curl: (22) The requested URL returned error: 503'],
    ['timeout 20 tail -f server.log', 124, 'still starting'],
    ['sleep 20; grep -q READY server.log', 1, ''],
    ['sleep 20 && test -f out/done', 1, ''],
  ])('`%s` ends with %d nine times: it waits', (command, code, output) => {
    expect(levels(polled(9, command, output, code))).toEqual([]);
  });

  it('and is stuck in the end if the board never moves', () => {
    const pending = (times: number) => polled(times, 'gh pr checks 12', 'build  pending  0', 8);
    expect(levels(pending(12))).toEqual(['warn']);
    expect(levels(pending(19))).toEqual(['warn']);
    expect(levels(pending(20))).toEqual(['stuck']);
  });

  it.each([
    ['gh pr checks 12', 1, 'build  fail  20s  https://github.com/a/b/actions/runs/7'],
    ['kubectl rollout status deploy/wbe', 1, 'Error from server (NotFound): deployments.apps "wbe" not found'],
    ['kubectl wait --for=condition=ready pod -l app=wbe', 1, 'error: no matching resources found'],
    ['pg_isready -p x', 3, 'pg_isready: error: invalid port number: "x"'],
    ['systemctl is-active web', 3, 'failed'],
    ['pgrep', 2, 'pgrep: no matching criteria specified'],
    ['nc -z lcalhost 5432', 1, 'nc: getaddrinfo for host "lcalhost" port 5432: Name or service not known'],
    ['curl -f http://localhost:3000/helath', 22, 'curl: (22) The requested URL returned error: 404'],
    ['timeout 20 python solve.py', 124, 'reading input'],
    ['sleep 20; grep -q READY sever.log', 2, 'grep: sever.log: No such file or directory'],
  ])('twin: `%s` ends with %d, which no waiting fixes: it is stuck', (command, code, output) => {
    expect(isStuck(polled(9, command, output, code))).toBe(true);
  });
});

describe('a tool that says that something runs', () => {
  const asked = (times: number, name: string, output: string) =>
    begin().times(times, (run) => run.call(name, { id: 7 }, { output }).wait(30));

  it.each([
    ['mcp__ci__get_build', '{"id": 7, "status": "running"}'],
    ['mcp__ci__get_build', '{"id": 7, "state": "IN_PROGRESS"}'],
    ['describe_deployment', 'status: pending'],
    ['fetch_job', 'The job is queued.'],
    ['unit_state', 'activating'],
  ])('%s answers %s nine times: it waits', (name, output) => {
    expect(levels(asked(9, name, output))).toEqual([]);
  });

  it('and is stuck in the end if it runs and runs', () => {
    expect(levels(asked(20, 'mcp__ci__get_build', '{"id": 7, "status": "running"}'))).toEqual(['stuck']);
  });

  it.each([
    ['mcp__ci__get_build', '{"id": 7, "status": "failed"}'],
    ['mcp__ci__get_build', '{"id": 7, "status": "success"}'],
    ['describe_deployment', 'the deployment is not running'],
    ['fetch_job', 'there is no job 7'],
  ])('twin: %s answers %s: it is stuck', (name, output) => {
    expect(isStuck(asked(9, name, output))).toBe(true);
  });

  it('twin: a file that contains that word is a file', () => {
    const read = begin().times(9, (run) =>
      run.call('read_file', { path: 'job.json' }, { output: '{"status": "running"}' }),
    );
    expect(isStuck(read)).toBe(true);
  });
});
