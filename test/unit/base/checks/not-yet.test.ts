import { describe, expect, it } from 'vitest';
import { saysNotYet, saysRunning } from '../../../../src/base/checks/not-yet';

const TIMED_OUT = 'error: timed out waiting for the condition';

describe('a command that waits says "not yet" by its documented code', () => {
  it.each([
    ['gh pr checks 12', 8, 'build  pending  0  https://github.com/a/b/actions/runs/7'],
    ['cd app && gh pr checks 12 --watch=false', 8, 'build\tpending'],
    ['kubectl rollout status deploy/web --timeout=60s', 1, TIMED_OUT],
    ['kubectl -n web rollout status deploy/web', 1, TIMED_OUT],
    ['kubectl wait --for=condition=ready pod/web', 1, `${TIMED_OUT} on pods/web`],
    ['oc wait --for=condition=ready pod/web', 1, `${TIMED_OUT} on pods/web`],
    ['pg_isready -h localhost', 1, 'localhost:5432 - rejecting connections'],
    ['pg_isready -h localhost', 2, 'localhost:5432 - no response'],
    ['/usr/bin/pg_isready', 2, '/var/run/postgresql:5432 - no response'],
    ['systemctl is-active web', 3, 'activating'],
    ['systemctl --user is-active web', 3, 'activating\n'],
    ['pgrep -f train.py', 1, ''],
    ['nc -z localhost 5432', 1, ''],
    ['nc -vz localhost 5432', 1, 'nc: connect to localhost port 5432 (tcp) failed: Connection refused'],
    ['curl -sf http://localhost:3000/health', 22, ''],
    ['curl -f http://localhost:3000/health', 22, 'curl: (22) The requested URL returned error: 503'],
    ['curl --fail http://localhost:3000/health', 22, 'curl: (22) The requested URL returned error: 503'],
    ['timeout 60 tail -f server.log', 124, 'listening soon'],
    ['timeout 60 tail -f server.log', undefined, 'listening soon'],
    ['timeout 60 bash -c "until curl -s localhost:3000; do sleep 1; done"', 124, ''],
    ['timeout 60 kubectl rollout status deploy/web', 124, 'Waiting for deployment "web" rollout to finish'],
    ['sleep 30; grep -q READY server.log', 1, ''],
    ['sleep 30 && test -f out/done', 1, ''],
    ['sleep 30; [ -f out/done ]', 1, ''],
  ])('%s: %d', (command, code, output) => expect(saysNotYet(command, code, output)).toBe(true));

  it.each([
    ['there is no such file', 'timeout 60 tail -f sever.log', undefined, 'tail: cannot open sever.log'],
    ['a check failed', 'gh pr checks 12', 1, 'build\tfail'],
    ['nobody is logged in', 'gh pr checks 12', 4, 'To get started with GitHub CLI, please run: gh auth login'],
    ['there is no such deployment', 'kubectl rollout status deploy/wbe', 1, 'Error from server (NotFound): not found'],
    ['nothing matches', 'kubectl wait --for=condition=ready pod -l app=wbe', 1, 'error: no matching resources found'],
    ['its arguments are wrong', 'pg_isready -p x', 3, 'pg_isready: error: invalid port number: "x"'],
    ['the service is off', 'systemctl is-active web', 3, 'inactive'],
    ['the service failed', 'systemctl is-active web', 3, 'failed'],
    ['there is no such service', 'systemctl is-active wbe', 4, 'inactive'],
    ['its arguments are wrong', 'pgrep', 2, 'pgrep: no matching criteria specified'],
    [
      'there is no such machine',
      'nc -z lcalhost 5432',
      1,
      'nc: getaddrinfo for host "lcalhost": Name or service not known',
    ],
    [
      'it asks for what is not there',
      'curl -f localhost/helath',
      22,
      'curl: (22) The requested URL returned error: 404',
    ],
    ['nobody listens', 'curl -f localhost/health', 7, 'curl: (7) Failed to connect to localhost port 80'],
    ['it needs no `--fail`', 'curl -s localhost/health', 22, ''],
    ['what took too long was no wait', 'timeout 60 npm test', 124, ''],
    ['what took too long was a script', 'timeout 10 python solve.py', 124, 'reading input'],
    ['nothing was waited for', 'grep -q READY server.log', 1, ''],
    ['the file is not there', 'sleep 30; grep -q READY sever.log', 2, 'grep: sever.log: No such file or directory'],
    ['something is wrong with it', 'sleep 30; grep -q READY', 1, 'usage: grep [OPTION]... PATTERNS [FILE]...'],
    ['another program failed behind the sleep', 'sleep 30; npm test', 1, ''],
  ])('but not if %s: %s', (_, command, code, output) => {
    expect(saysNotYet(command, code, output)).toBe(false);
  });

  it('says nothing by code 0, and nothing if no code is known', () => {
    expect(saysNotYet('gh pr checks 12', 0, '')).toBe(false);
    expect(saysNotYet('gh pr checks 12', undefined, 'build\tpending')).toBe(true);
    expect(saysNotYet('gh pr checks 12', undefined, 'no pull request')).toBe(false);
    expect(saysNotYet('', 1, '')).toBe(false);
  });

  it('is not searched for in a script of more than 2,000 characters', () => {
    const line = (length: number) => `sleep 1; grep -q ${'x'.repeat(length)} log`;
    expect([saysNotYet(line(1_900), 1, ''), saysNotYet(line(2_000), 1, '')]).toEqual([true, false]);
  });
});

describe('a result that only says that something runs', () => {
  it.each([
    '{"status": "running"}',
    '{"id":7,"status":"in_progress","steps":3}',
    "{'state': 'PENDING'}",
    'status: in progress',
    'State = queued',
    'phase: activating',
    'running',
    'Pending…',
    'Build 12 is still pending',
    'The job is queued.',
    '[running]',
  ])('%s', (output) => expect(saysRunning(output)).toBe(true));

  it.each([
    '{"status": "failed"}',
    '{"status":"done","note":"it was pending before"}',
    'still running, please wait',
    'running 12 tests',
    'pending rows: 4',
    'the run finished',
    'runningmate',
    'status: runnable',
    'the server is not running',
    'no containers are running',
    'nothing is pending',
    '',
    `{"status":"running"}${'x'.repeat(1_000)}`,
  ])('but not %s', (output) => expect(saysRunning(output)).toBe(false));
});
