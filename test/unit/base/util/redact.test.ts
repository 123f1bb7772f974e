import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { REDACTED, redact, redactDeep, redactWithRanges } from '../../../../src/base/util/redact';

const ALNUM = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const of = (alphabet: string, minLength: number, maxLength = minLength) =>
  fc
    .array(fc.constantFrom(...alphabet.split('')), { minLength, maxLength })
    .map((characters) => characters.join(''))
    // A key without any digit or capital is too rare to occur, and reads like a word.
    .filter((text) => /\d/.test(text) && /[A-Z]/.test(text));
const upper = ALNUM.slice(0, 26) + ALNUM.slice(52);
const url64 = `${ALNUM}_-`;

/** [how it appears in a text, what must not survive] */
type Case = readonly [text: string, secret: string];
const keyed = (make: (secret: string) => string, secrets: fc.Arbitrary<string>): fc.Arbitrary<Case> =>
  secrets.map((secret) => [make(secret), secret] as const);

const password = of(`${ALNUM}!#%^*_+~-`, 8, 40);
const name = fc.constantFrom(
  'API_KEY',
  'KEY',
  'GITHUB_TOKEN',
  'TOKEN',
  'AWS_SECRET_ACCESS_KEY',
  'CLIENT_SECRET',
  'DB_PASSWORD',
  'PASSWORD',
  'SECRET',
);
const lowerName = fc.constantFrom(
  'password',
  'apiKey',
  'api_key',
  'accessToken',
  'client_secret',
  'secret_key',
  'db_password',
  'passwd',
);

const cases: Readonly<Record<string, fc.Arbitrary<Case>>> = {
  openai: keyed(
    (s) => s,
    of(url64, 24, 60).map((s) => `sk-${s}`),
  ),
  anthropic: keyed(
    (s) => s,
    of(url64, 40, 90).map((s) => `sk-ant-api03-${s}`),
  ),
  github: keyed(
    (s) => s,
    fc.tuple(fc.constantFrom('ghp_', 'gho_', 'ghs_', 'ghu_', 'ghr_'), of(ALNUM, 36)).map(([p, s]) => p + s),
  ),
  'github fine-grained': keyed(
    (s) => s,
    of(`${ALNUM}_`, 40, 82).map((s) => `github_pat_${s}`),
  ),
  aws: keyed(
    (s) => s,
    fc.tuple(fc.constantFrom('AKIA', 'ASIA'), of(upper, 16)).map(([p, s]) => p + s),
  ),
  google: keyed(
    (s) => s,
    of(url64, 35).map((s) => `AIza${s}`),
  ),
  slack: keyed(
    (s) => s,
    fc.tuple(fc.constantFrom('xoxb-', 'xoxp-', 'xoxa-'), of(`${ALNUM}-`, 20, 50)).map(([p, s]) => p + s),
  ),
  gitlab: keyed(
    (s) => s,
    of(url64, 20).map((s) => `glpat-${s}`),
  ),
  npm: keyed(
    (s) => s,
    of(ALNUM, 36).map((s) => `npm_${s}`),
  ),
  stripe: keyed(
    (s) => s,
    of(ALNUM, 24).map((s) => `sk_live_${s}`),
  ),
  jwt: keyed(
    (s) => s,
    fc.tuple(of(url64, 20), of(url64, 20), of(url64, 20)).map(([a, b, c]) => `eyJ${a}.eyJ${b}.${c}`),
  ),
  bearer: keyed((s) => `Authorization: Bearer ${s}`, of(`${url64}.`, 20, 60)),
  'bearer without its header': keyed((s) => `Bearer ${s}`, of(url64, 20, 60)),
  basic: fc
    .tuple(
      fc.constantFrom('Authorization: Basic ', 'authorization: basic ', 'Basic '),
      of(ALNUM, 4, 12),
      of(ALNUM, 8, 20),
    )
    .map(([head, user, pass]): Case => {
      const encoded = Buffer.from(`${user}:${pass}`).toString('base64');
      return [head + encoded, encoded];
    }),
  'url password': fc.tuple(of(ALNUM, 4, 10), password).map(([user, s]): Case => {
    const escaped = encodeURIComponent(s);
    return [`postgres://${user}:${escaped}@db.example.com:5432/app`, escaped];
  }),
  'url token': keyed((s) => `https://${s}@github.com/owner/name.git`, of(ALNUM, 20, 40)),
  'query token': keyed((s) => `https://example.com/api?page=2&access_token=${s}&x=1`, of(ALNUM, 12, 40)),
  assignment: fc.tuple(name, password).map(([n, s]): Case => [`${n}=${s}`, s]),
  export: fc.tuple(name, password).map(([n, s]): Case => [`export ${n}="${s}"`, s]),
  'spaced assignment': fc.tuple(name, password).map(([n, s]): Case => [`${n} = '${s}'`, s]),
  'json property': fc
    .tuple(lowerName, password)
    .map(([n, s]): Case => [`{"user": "bob", "${n}": ${JSON.stringify(s)}}`, s]),
  'json in json': fc
    .tuple(lowerName, password)
    .map(([n, s]): Case => [JSON.stringify({ body: JSON.stringify({ [n]: s, other: 1 }) }), s]),
  'words in quotes': of(`${ALNUM}    `, 10, 30)
    .map((s) => s.trim())
    .filter((s) => s.length > 6)
    .map((s): Case => [`PASSWORD="${s}"`, s]),
  'lower case assignment': fc.tuple(lowerName, password).map(([n, s]): Case => [`${n}=${s}`, s]),
  option: keyed((s) => `deploy --password ${s} --verbose`, of(ALNUM, 8, 30)),
  'private key': fc
    .tuple(
      fc.constantFrom('', 'RSA ', 'EC ', 'OPENSSH ', 'ENCRYPTED '),
      fc.array(of(`${ALNUM}+/`, 64), { minLength: 2, maxLength: 12 }),
      fc.constantFrom('\n', '\\n', '\r\n'),
    )
    .map(([kind, lines, newline]): Case => {
      const text = [`-----BEGIN ${kind}PRIVATE KEY-----`, ...lines, `-----END ${kind}PRIVATE KEY-----`].join(newline);
      return [text, lines[0] as string];
    }),
  'private key cut off': fc
    .array(of(`${ALNUM}+/`, 64), { minLength: 2, maxLength: 12 })
    .map((lines): Case => [['-----BEGIN RSA PRIVATE KEY-----', ...lines].join('\n'), lines.at(-1) as string]),
  'private key without its head': fc
    .array(of(`${ALNUM}+/`, 64), { minLength: 2, maxLength: 12 })
    .map((lines): Case => [[...lines, '-----END RSA PRIVATE KEY-----'].join('\n'), lines[0] as string]),
};

const WORDS =
  'the agent ran pytest and saw the same error again token tokens key keys keyboard secret password author authorization basic bearer of a file src index ts line step result expected received undefined function return const import monkey turkey risk-free task-list desk-lamp max_tokens primary id value'.split(
    ' ',
  );

describe('redact', () => {
  for (const [kind, arbitrary] of Object.entries(cases)) {
    it(`leaves nothing of a secret behind: ${kind}`, () => {
      const around = fc.tuple(
        fc.array(fc.constantFrom(...WORDS), { maxLength: 8 }).map((words) => words.join(' ')),
        fc.constantFrom(' ', '\n', '\t', ', ', '(', '> '),
        fc.constantFrom(' ', '\n', '', ' and more\n'),
        fc.array(fc.constantFrom(...WORDS), { maxLength: 8 }).map((words) => words.join(' ')),
      );
      fc.assert(
        fc.property(arbitrary, around, ([text, secret], [head, before, after, tail]) => {
          const redacted = redact(head + before + text + (after === '' ? '' : after + tail));
          expect(redacted).not.toContain(secret);
          // Nor any long piece of it.
          for (let i = 0; i + 8 <= secret.length; i += 4) expect(redacted).not.toContain(secret.slice(i, i + 8));
          expect(redacted).toContain(REDACTED);
          expect(redact(redacted)).toBe(redacted);
        }),
        { numRuns: 150 },
      );
    });
  }

  it('finds a token at the beginning of a line that begins like a line of grep', () => {
    const token = ['eyJvHAGgQBfftqtBPEPnsLk', 'eyJlz4vyk40IIeRgwaFiE5Y', 'JL2-2-amNYlO9EJqL9VgW'].join('.');
    expect(redact(`a line\n${token} and more`)).toBe(`a line\n${REDACTED} and more`);
  });

  it('returns plain text as the very same string', () => {
    const plain = fc
      .array(
        fc.oneof(
          fc.constantFrom(...WORDS),
          fc.nat().map(String),
          fc.uuid(),
          fc.constantFrom('{', '}', '(', ')', '\n', '- ', '# ', '"x"', "'y'", '=', '=>'),
        ),
        {
          maxLength: 40,
        },
      )
      .map((parts) => parts.join(' '))
      // `password = 5a3c-…`, `bearer 5a3c-…` and `bearer value = 5a3c-…` are what we search for.
      .filter((text) => !/(?:key|token|secret|password|authorization|bearer)[^=]{0,16}=|bearer\s+[\w-]*\d/.test(text));
    fc.assert(
      fc.property(plain, (text) => {
        expect(redact(text)).toBe(text);
      }),
    );
  });

  it('handles a chain of URLs at once, however long', () => {
    const redacted = redact(`https://${'u://'.repeat(40)}u:p4ssw0rd@h`);
    expect(redacted).not.toContain('p4ssw0rd');
    expect(redact(redacted)).toBe(redacted);
  });

  it('changes nothing when applied again, whatever the text', () => {
    const pieces = fc.array(
      fc.oneof(
        fc.string({ maxLength: 12 }),
        fc.constantFrom(
          ...WORDS,
          'TOKEN=',
          'password: ',
          '"',
          "'",
          '://',
          '@',
          ':',
          'Bearer ',
          'Cookie: ',
          'a=b',
          '-----BEGIN PRIVATE KEY-----',
          '\\n',
          REDACTED,
        ),
        ...Object.values(cases).map((arbitrary) => arbitrary.map(([text]) => text)),
      ),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(pieces, (parts) => {
        const once = redact(parts.join(''));
        expect(redact(once)).toBe(once);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    'Error: Unexpected token } in JSON at position 120',
    'SyntaxError: Unexpected token: punc (})',
    'const token = tokenizer.next();',
    'password = get_password()',
    'connect(password=password, user=user)',
    'login(password=self.password)',
    'const { apiKey } = options; const client = new Client({ apiKey: process.env.API_KEY });',
    'interface Login { password: string; token?: string; apiKey: string | undefined }',
    'max_tokens=4096, TOKEN_LIMIT=200000, MAX_TOKENS=8192',
    'sorted(items, key=len) and sorted(items, key=lambda item: item[1])',
    '{"key": "value", "keys": ["a", "b"]}',
    "KeyError: 'password'",
    'MONKEY=banana',
    'PASSWORD=${PASSWORD}',
    'export GITHUB_TOKEN=$GITHUB_TOKEN',
    'Authorization: Bearer <token>',
    'API_KEY=***',
    'git clone https://github.com/owner/name.git && ssh://git@host:22/x',
    'http://localhost:3000/path?page=2&key=name',
    'commit 3360b78a1c2d4e5f60718293a4b5c6d7e8f90123',
    'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    'task-management-of-several-things risk-assessment-of-many-things',
    'sk-learn-something-with-long-words',
    'Basic authentication is used here, bearer authentication there',
    'docker run -u 1000:1000 image',
    '"label": "Enter your password"',
    'The password: it must be long',
    "{ token: 'keyword.operator' }",
    '/home/user/project/src/tokens/index.ts:12:5',
    'if (token === "abc12345") return;',
    'grep -rn "BEGIN PRIVATE KEY" .',
    'it ends with -----END PRIVATE KEY----- as usual',
  ])('does not touch: %s', (text) => {
    expect(redact(text)).toBe(text);
  });

  it('keeps the id of a sub-agent, which ends with the id of the call that started it', () => {
    const session = 'b1ea4a04-part_tool_iQgOdjDKFiIYtbZI5VtrVU3f';
    expect(redact(session)).toBe(session);
  });

  it.each(['/app', '/node_modules/left-pad/index.ts', '/v2/users', '/src//main/loop_1.py'])(
    'keeps the path that follows a token: %s',
    (path) => {
      expect(redact(`/home/me/ghp_${'a1B2c3D4e5F6'.repeat(3)}${path}`)).toBe(`/home/me/${REDACTED}${path}`);
    },
  );

  it('finds a token of base64 up to its end, past its slashes', () => {
    const secret = 'aGVsbG8xMjM0/NTY/zODkwMTIz/word/8fLz9Q+/Zm9vYmF==';
    expect(redact(`the key ABSK${secret} opens it`)).toBe(`the key ${REDACTED} opens it`);
  });

  it('finds every one of several private keys, complete and cut', () => {
    const line = `MIIEpAIBAAKCAQEA${'7bq0k3Yx1m9b2c3d'.repeat(3)}`;
    const whole = `-----BEGIN EC PRIVATE KEY-----\n${line}\n-----END EC PRIVATE KEY-----`;
    const text = `a ${line}\n-----END RSA PRIVATE KEY-----\nb ${whole} c ${whole}\nd -----BEGIN PRIVATE KEY-----\n${line}\n${line}`;
    const redacted = redact(text);
    expect(redacted).not.toContain('MIIE');
    expect(redacted.startsWith('a [redacted]\nb ')).toBe(true);
    expect(redact(text.replaceAll('\n', '\\n'))).toBe(redacted.replaceAll('\n', '\\n'));
    for (const letter of ['b ', ' c ', '\nd ']) expect(redacted).toContain(letter);
  });

  it.each([
    ['API_KEY=abc', 'API_KEY=[redacted]'],
    ['DB_PASSWORD: hunter22', 'DB_PASSWORD: [redacted]'],
    ['{"accessToken": "AAA%5AAA"}', '{"accessToken": "[redacted]"}'],
    ['curl -u bob:hunter2 https://x.test', 'curl -u bob:[redacted] https://x.test'],
    ['https://bob:hunter2@x.test/a', 'https://bob:[redacted]@x.test/a'],
    ['password=!1-swordfish', 'password=[redacted]'],
    ['password=swordfish', 'password=[redacted]'],
    ['PASSWORD=123456', 'PASSWORD=[redacted]'],
    ['//packages.example.com/:_authToken=0a1b2c3d4e5f', '//packages.example.com/:_authToken=[redacted]'],
    ['machine x login bob password hunter2', 'machine x login bob password [redacted]'],
    ['Cookie: session=abcdef; theme=dark\nnext', 'Cookie: [redacted]\nnext'],
    ['the output ends with ghp_Ab12…', 'the output ends with [redacted]…'],
    ['X-Api-Key: 0123456789abcdef', 'X-Api-Key: [redacted]'],
  ])('removes the secret from: %s', (text, expected) => {
    expect(redact(text)).toBe(expected);
  });
});

describe('redactWithRanges', () => {
  it('moves the ranges along with the text', () => {
    const text = 'took 3.1s TOKEN=abcdef at 17:09';
    const moved = redactWithRanges(text, [
      [5, 9],
      [26, 31],
    ]);
    expect(moved.text).toBe('took 3.1s TOKEN=[redacted] at 17:09');
    expect(moved.ranges.map(([start, end]) => moved.text.slice(start, end))).toEqual(['3.1s', '17:09']);
  });

  it('keeps every range inside the text and in order, whatever is redacted', () => {
    const secret = fc.constantFrom(
      'TOKEN=abcdefgh ',
      'plain words ',
      'ghp_0123456789012345678901234567890123A6 ',
      'took 3 s\n',
    );
    fc.assert(
      fc.property(fc.array(secret, { maxLength: 8 }), fc.array(fc.nat(200), { maxLength: 12 }), (parts, cuts) => {
        const text = parts.join('');
        const sorted = [...new Set(cuts.map((cut) => Math.min(cut, text.length)))].sort((a, b) => a - b);
        const ranges: [number, number][] = [];
        for (let i = 0; i + 1 < sorted.length; i += 2) ranges.push([sorted[i] as number, sorted[i + 1] as number]);
        const moved = redactWithRanges(text, ranges);
        for (const [start, end] of moved.ranges) {
          expect(start).toBeGreaterThanOrEqual(0);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(moved.text.length);
        }
      }),
    );
  });
});

describe('redactDeep', () => {
  it('searches strings, property names and what a property name reveals', () => {
    expect(
      redactDeep({
        command: 'TOKEN=abcdef ./run',
        env: { password: 'hunter2', tokens: 12 },
        list: ['ghp_0123456789012345678901234567890123A6'],
      }),
    ).toEqual({ command: 'TOKEN=[redacted] ./run', env: { password: REDACTED, tokens: 12 }, list: [REDACTED] });
  });

  it('removes a secret from a property name, too: a tool may list its tokens as names', () => {
    const token = 'ghp_0123456789012345678901234567890123A6';
    expect(redactDeep({ [token]: { scopes: ['repo'] } })).toEqual({ [REDACTED]: { scopes: ['repo'] } });
  });

  it('does not mistake __proto__ in untrusted JSON for the prototype', () => {
    const copy = redactDeep(JSON.parse('{"__proto__": {"polluted": true}}')) as Record<string, unknown>;
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});
