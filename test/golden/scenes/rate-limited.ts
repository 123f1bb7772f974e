import { type Scenes } from './scene';

export const rateLimited: Scenes = {
  detectors: ['rate_limited'],
  scenes: {
    'requests of the model, until it answers': {
      run: (to) =>
        to
          .used({ totalTokens: 50 })
          .fault('rate_limit', '429')
          .used({ totalTokens: 80 })
          .fault('api', 'Overloaded.')
          .fault('timeout', 'no answer', { retryInMs: 90_000 })
          .fault('api', 'no answer!')
          .say('Here.')
          .fault('api', '400 invalid request')
          .fault('other', 'disk'),
    },
    'calls that a service refuses': {
      run: (to) =>
        to
          .fail('curl a', 'HTTP 503')
          .say('Again.')
          .fail('curl a', 'status code: 429')
          .line('plan', { items: [] })
          .fail('curl b', `quota exceeded ${'x'.repeat(900)}`)
          .fail('curl b', `${'x'.repeat(900)} temporarily unavailable`)
          .run('curl a', 'ok'),
    },
    'and those that it does not': {
      run: (to) =>
        to
          .fail('curl a', `${'x'.repeat(500)} HTTP 503 ${'x'.repeat(500)}`)
          .run('curl a', 'HTTP 503')
          .fail('curl a', 'HTTP 404')
          .fail('grep', 'rate_limit.ts')
          .fault('rate_limit', '529')
          .fault('rate_limit', '529')
          .told('go on')
          .fault('rate_limit', '529')
          .user('Wait a moment.'),
    },
    'what a tool stands on is gone': {
      run: (to) =>
        to
          .fail('gti status', 'bash: gti: command not found')
          .run('ls')
          .fail('gti status', 'bash: gti: command not found')
          .read('a')
          .fail('gti log', 'bash: gti: command not found')
          .read('b')
          .run('git status', 'clean')
          .fail('gti log', 'bash: gti: command not found')
          .line('session_end', { reason: 'clean' }),
    },
    'waits, plans and what is not counted end nothing': {
      run: (to) =>
        to
          .fail('curl a', 'HTTP 503')
          .start('TodoWrite', 'plan', 'TodoWrite')
          .answer('Todos have been modified')
          .fail('curl b', 'HTTP 503')
          .start('Bash', 'ran', 'curl c', { command: 'curl c' })
          .answer('interrupted', { interrupted: true })
          .fail('curl c', 'HTTP 503', { result: { denied: 'user' } })
          .fail('curl d', `${'x'.repeat(394)} 503: HTTP 503`)
          .fail('curl e', `${'x'.repeat(390)} HTTP 503 ${'y'.repeat(410)}`)
          .fail('curl f', `HTTP 503${' y'.repeat(396)}`)
          .fail('curl g', `HTTP 503${' y'.repeat(397)}`),
    },
    'many kinds of trouble of tools, each for itself': {
      settings: { rate_limited: { warn: 2 } },
      run: (to) =>
        to
          .times(40, (one, n) => one.fail(`run${n}`, `bash: run${n}: command not found`))
          .fail('run3', 'bash: run3: command not found')
          .run('ls')
          .fail('run39', 'bash: run39: command not found')
          .fail('run4', `${'x'.repeat(395)} command not found`)
          .fail('run4', `${'x'.repeat(400)}y command not found ${'x'.repeat(400)}`)
          .start('signer', 'other', 'sign')
          .answer('signing failed', { isError: true })
          .start('signer', 'other', 'sign')
          .answer('signing failed', { isError: true })
          .read('a')
          .start('signer', 'other', 'sign')
          .answer('signed'),
    },
    'errors of the service by what they say': {
      run: (to) =>
        [
          '401',
          '413 too large',
          'invalid api key',
          'credit is low',
          'permission',
          'unauthorized',
          'not found',
          'context window',
          `${'x'.repeat(400)} 400`,
        ]
          .reduce((all, message) => all.fault('api', message), to)
          .fault('timeout', 'no answer')
          .fault('timeout', 'no answer'),
    },
    'each way to be refused': {
      settings: { rate_limited: { warn: 1 } },
      run: (to) =>
        [
          'HTTP 429 | HTTP/1.1 502 | HTTP503 | status: 504 | status code 529 | status code: 429 | error: 502 | error 503',
          'code: 504 | code 529 | 429 too many requests | rate limit | rate-limited | rate_limits | ratelimiting',
          'too many requests | quota exceeded | quota exhausted | RESOURCE_EXHAUSTED | overloaded | service unavailable',
          'temporarily unavailable | ECONNREFUSED | ECONNRESET | ETIMEDOUT | EAI_AGAIN | ENETUNREACH | could not resolve host',
          'HTTP 404 | error: 500 | line 429 | rate of limit | quota is fine | unavailable | ECONNECTED | xoverloaded | 5030',
        ]
          .flatMap((line) => line.split(' | '))
          .reduce((all, text, n) => all.fail(`call ${n}`, `it said ${text} then`).run('ls', `fine ${n}`), to),
    },
    'each thing that a tool stands on': {
      settings: { rate_limited: 'eager' },
      run: (to) =>
        [
          'bash: x: command not found | spawn chrome ENOENT | x is not recognized as an internal or external command',
          'No such file or directory: /usr/bin/chrome | No such file or directory: /a/chromium',
          "No such file or directory: 'bin/node | No such file or directory: python | No such file or directory: git",
          'No such file or directory: docker | No such file or directory: /x/y.txt | agent refused operation',
          'signing failed | communication with agent failed | gpg failed to sign | ssh failed to sign',
          'Cannot connect to the Docker daemon | no space left on device | spawn ENOENT | commands not found | spawn a b ENOENT',
        ]
          .flatMap((line) => line.split(' | '))
          .reduce((all, text, n) => {
            const call = () => all.fail(`call ${n}`, `it said ${text} then`);
            return call() && call().run('ls', `fine ${n}`);
          }, to),
    },
    'errors of the service that come of the request': {
      settings: { rate_limited: { warn: 1 } },
      run: (to) =>
        [
          '400 | 401 | 402 | 403 | 404 | 413 | 422 | 405 | 4000 | invalid request | invalid_key | invalid-key | invalidated',
          'api key | too long | too large | credit | billing | permission | unauthorized | unauthorised | not found',
          'context window | context length | context | overloaded | 500',
        ]
          .flatMap((line) => line.split(' | '))
          .reduce((all, text) => all.fault('api', `it said ${text} then`).say('Fine.'), to),
    },
    'an agent that signs': {
      run: (to) =>
        to
          .times(3, (one) => one.fail('git commit', `${'file\n'.repeat(300)}error: gpg failed to sign the data`))
          .user('I unlock it.')
          .times(2, (one) => one.fail('docker ps', `${'x'.repeat(450)} no space left on device ${'x'.repeat(450)}`)),
    },
  },
};
