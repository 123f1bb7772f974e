import { type Scenes } from './scene';

/** An edit that the next one undoes. */
const back = (n: number) =>
  n % 2 === 0 ? { old_string: 'one', new_string: 'two' } : { old_string: 'two', new_string: 'one' };

export const across: Scenes = {
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
      settings: { rate_limited: 'off', cycle: 'off' },
      run: (to) =>
        to
          .times(3, (one, n) => one.in('abc'[n] ?? '').fault('api', 'overloaded'))
          .times(7, (one, n) => one.in(n % 2 === 0 ? 'a' : 'b').edit('src/p.ts', back(n))),
    },
  },
};
