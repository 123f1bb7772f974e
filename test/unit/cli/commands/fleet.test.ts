import { X509Certificate } from 'node:crypto';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runCommandLine } from '../../../../src/cli/command-line';
import * as fleet from '../../../../src/fleet/bundle';
import { readCredentials } from '../../../../src/fleet/connection/credentials';

let folder = '';

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'unstuck-fleet-command-')), 'fleet');
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(join(folder, '..'), { recursive: true, force: true });
});

async function run(...words: string[]) {
  const [lines, notes]: [string[], string[]] = [[], []];
  const output = {
    line: (text: string) => void lines.push(text),
    note: (text: string) => void notes.push(text),
    isTerminal: false,
  };
  const code = await runCommandLine(words, output, new Promise(() => undefined), process.stdin, () => fleet);
  return { code, text: [...lines, ...notes].join('\n') };
}
const read = (name: string) => readFileSync(join(folder, name), 'utf8');
const modeOf = (name: string) => statSync(join(folder, name)).mode & 0o777;
const init = (...more: string[]) =>
  run('fleet', 'init', folder, '--machines', 'alpha,beta', '--viewers', 'me', ...more);

describe('unstuck fleet', () => {
  it('init writes the configuration, and secrets that only their owner can read', async () => {
    expect(await init()).toMatchObject({ code: 0, text: expect.stringContaining('nats-server -c') });
    for (const [name, role] of [
      ['alpha', 'machine'],
      ['beta', 'machine'],
      ['me', 'viewer'],
      ['admin', 'admin'],
    ] as const) {
      expect(readCredentials(read(`${name}.creds`))).toMatchObject({ value: { name, role } });
    }
    expect(read('users.conf') + read('fleet.json') + read('server.conf')).not.toMatch(/\bSU[A-Z2-7]{50}/);
    expect(read('server.conf')).toContain('listen: "127.0.0.1:4222"');
  });

  it.each([
    { words: [], url: 'tls://127.0.0.1:4222', listen: '127.0.0.1:4222', name: 'DNS:localhost' },
    {
      words: ['--host', 'box.example', '--port', '5000'],
      url: 'tls://box.example:5000',
      listen: '0.0.0.0:5000',
      name: 'DNS:box.example',
    },
    { words: ['--host', '10.1.2.3'], url: 'tls://10.1.2.3:4222', listen: '0.0.0.0:4222', name: 'IP Address:10.1.2.3' },
  ])('init $words makes a certificate for $url, which the credentials contain', async ({ words, url, ...made }) => {
    expect((await init(...words)).text).toContain(url);
    expect(read('server.conf')).toContain(`listen: "${made.listen}"`);
    expect(read('server.conf')).toContain('cert_file');
    for (const name of ['alpha', 'beta', 'me', 'admin'])
      expect(readCredentials(read(`${name}.creds`))).toMatchObject({
        value: { certificates: read('server.crt').trim() },
      });
    const names = new X509Certificate(read('server.crt')).subjectAltName;
    for (const name of [made.name, 'IP Address:127.0.0.1', 'IP Address:0:0:0:0:0:0:0:1']) expect(names).toContain(name);
  });

  it('init creates files that only their owner can read', async () => {
    await init();
    const modes = readdirSync(folder).map((name) => [name, modeOf(name)]);
    expect(modes.filter(([, mode]) => mode !== 0o600)).toEqual([]);
    expect(modeOf('.')).toBe(0o700);
  });

  it.each([
    ['that others may write to', () => (mkdirSync(folder), chmodSync(folder, 0o777))],
    ['that its group may write to', () => (mkdirSync(folder), chmodSync(folder, 0o770))],
    ['that is a link', () => (mkdirSync(`${folder}-real`, 0o700), symlinkSync(`${folder}-real`, folder))],
    ['of another user', () => (mkdirSync(folder, 0o700), vi.spyOn(process, 'getuid').mockReturnValue(12_345))],
  ])('init, add and renew write nothing into a folder %s', async (_, make) => {
    make();
    for (const words of [
      ['init', folder, '--machines', 'a', '--viewers', 'b'],
      ['init', folder, '--renew'],
      ['add', folder, '--machines', 'a'],
    ]) {
      const { code, text } = await run('fleet', ...words);
      expect([code, text]).toEqual([2, expect.stringContaining('must be your own folder, not a link')]);
    }
    expect(readdirSync(folder)).toEqual([]);
  });

  it('init does not overwrite an existing fleet', async () => {
    await init();
    const before = read('users.conf');
    expect(await init()).toMatchObject({ code: 2, text: expect.stringContaining('already has a fleet') });
    expect(read('users.conf')).toBe(before);
  });

  it('adds and removes who may sign in, and leaves the keys of the others', async () => {
    await init();
    const key = (name: string) =>
      (JSON.parse(read('fleet.json')) as { machines: { name: string; key: string }[] }).machines.find(
        (one) => one.name === name,
      )?.key;
    const alpha = key('alpha');
    expect(await run('fleet', 'add', folder, '--machines', 'gamma')).toMatchObject({
      code: 0,
      text: expect.stringContaining('reload'),
    });
    expect(await run('fleet', 'remove', folder, '--machines', 'beta')).toMatchObject({ code: 0 });
    expect(key('alpha')).toBe(alpha);
    expect(read('users.conf')).toContain(String(key('gamma')));
    expect(read('users.conf')).not.toContain('unstuck.events.beta');
  });

  it('reports what is wrong, and writes nothing', async () => {
    const cases = [
      [['fleet'], 'say init, add, remove or create'],
      [['fleet', 'init', folder, '--machines', 'alpha'], 'at least one'],
      [['fleet', 'init', folder, '--machines', 'Alpha', '--viewers', 'me'], 'is not a valid name'],
      [['fleet', 'init', folder, '--machines', 'me', '--viewers', 'me'], 'is taken'],
      [['fleet', 'init', folder, '--machines', 'a', '--viewers', 'me', '--host', '$(rm)'], '--host'],
      [['fleet', 'init', folder, '--machines', 'a', '--viewers', 'me', '--port', '0'], '--port'],
      [['fleet', 'add', folder, '--machines', 'x'], 'fleet.json cannot be read'],
      [['fleet', 'create', folder], '--servers is missing'],
      [['fleet', 'init', folder, 'more'], 'name one folder'],
    ] as const;
    for (const [words, text] of cases) {
      const { code, text: said } = await run(...words);
      expect([words, code, said]).toEqual([words, 2, expect.stringContaining(text)]);
    }
  });

  it('adds a machine again that was removed, with a new key', async () => {
    await init();
    const before = read('beta.creds');
    await run('fleet', 'remove', folder, '--machines', 'beta');
    expect(await run('fleet', 'add', folder, '--machines', 'beta')).toMatchObject({ code: 0 });
    expect(read('beta.creds')).not.toBe(before);
    expect(readCredentials(read('beta.creds'))).toMatchObject({ value: { name: 'beta', role: 'machine' } });
    expect(modeOf('beta.creds')).toBe(0o600);
  });

  it('takes the corrected command after a name that is taken, as nothing was written before', async () => {
    const twice = await run('fleet', 'init', folder, '--machines', 'alpha,beta', '--viewers', 'alpha');
    expect(twice.text).toContain('"alpha" is taken');
    expect(await init()).toMatchObject({ code: 0 });
    expect((await run('fleet', 'add', folder, '--machines', 'gamma,beta')).text).toContain('"beta" is taken');
    expect(await run('fleet', 'add', folder, '--machines', 'gamma')).toMatchObject({ code: 0 });
  });

  it('reports a missing bundle', async () => {
    const notes: string[] = [];
    const output = { line: () => undefined, note: (text: string) => void notes.push(text), isTerminal: false };
    expect(
      await runCommandLine(['fleet', 'init', folder, '--machines', 'a', '--viewers', 'b'], output, Promise.resolve()),
    ).toBe(2);
    expect(notes).toEqual([expect.stringContaining('fleet.js')]);
  });
});

describe('a fleet that an earlier version set up in plain text', () => {
  /** Leaves the files as 0.1.0 did: no certificate, and readable for everyone. */
  const old = async (port = '4222') => {
    await init('--port', port);
    unlinkSync(join(folder, 'server.crt'));
    unlinkSync(join(folder, 'server.key'));
    for (const name of ['alpha', 'beta', 'me', 'admin'])
      writeFileSync(join(folder, `${name}.creds`), read(`${name}.creds`).replace(/\n# The server's own[^]*$/, ''));
    writeFileSync(join(folder, 'server.conf'), `listen: "127.0.0.1:${port}"\n`);
    for (const name of ['users.conf', 'fleet.json', 'server.conf']) chmodSync(join(folder, name), 0o644);
  };
  const sentence = 'Run unstuck fleet init --renew';

  it('explains everywhere how it works again', async () => {
    await old();
    const at = ['--servers', 'nats://127.0.0.1:4222'];
    for (const words of [
      ['fleet', 'add', folder, '--machines', 'gamma'],
      ['fleet', 'create', folder, ...at],
      ['relay', folder, ...at, '--creds', join(folder, 'alpha.creds')],
    ])
      expect([words, await run(...words)]).toEqual([words, { code: 2, text: expect.stringContaining(sentence) }]);
    expect(await init()).toMatchObject({ code: 2, text: expect.stringContaining('init --renew') });
  });

  it('works again after one init --renew: the keys stay, certificate and configuration are new', async () => {
    await old('5000');
    const [users, members] = [read('users.conf'), read('fleet.json')];
    const seeds = ['alpha', 'beta', 'me', 'admin'].map((name) => /^SU.*$/m.exec(read(`${name}.creds`))?.[0]);
    const { code, text } = await run('fleet', 'init', folder, '--renew');
    expect([code, text]).toEqual([0, expect.stringContaining('tls://127.0.0.1:5000')]);
    expect([read('users.conf'), read('fleet.json')]).toEqual([users, members]);
    for (const [i, name] of ['alpha', 'beta', 'me', 'admin'].entries())
      expect(readCredentials(read(`${name}.creds`))).toMatchObject({
        value: { name, seed: seeds[i], certificates: read('server.crt').trim() },
      });
    expect(read('server.conf')).toContain('cert_file');
    // What a person wrote into it is not lost.
    expect(read('server.conf.old')).toBe('listen: "127.0.0.1:5000"\n');
    expect(text).toContain('server.conf.old');
    for (const name of readdirSync(folder))
      if (name !== 'server.conf.old') expect([name, modeOf(name)]).toEqual([name, 0o600]);
    expect(await run('fleet', 'add', folder, '--machines', 'gamma')).toMatchObject({ code: 0 });
  });

  it('keeps host and port of a certificate that expires, and says which credentials are elsewhere', async () => {
    await init('--host', 'box.example', '--port', '5001');
    const before = read('server.crt');
    unlinkSync(join(folder, 'beta.creds'));
    const { code, text } = await run('fleet', 'init', folder, '--renew');
    expect([code, text]).toEqual([0, expect.stringContaining('tls://box.example:5001')]);
    expect(text).toContain('beta.creds: not in this folder');
    expect(read('server.crt')).not.toBe(before);
    expect(read('server.conf')).toContain('listen: "0.0.0.0:5001"');
    expect(await run('fleet', 'init', folder, '--renew', '--machines', 'x')).toMatchObject({ code: 2 });
  });
});

describe('unstuck relay', () => {
  it('reports what is missing or wrong before it connects', async () => {
    await init();
    const creds = join(folder, 'alpha.creds');
    const at = ['--servers', 'tls://127.0.0.1:1'];
    const cases = [
      [[], '--servers is missing'],
      [at, '--creds is missing'],
      [[...at, '--creds', join(folder, 'none')], 'cannot be read'],
      [[...at, '--creds', creds, '--name', 'Big'], 'is not a valid name'],
      [[...at, '--creds', creds, '--allow', 'nudge,run'], '--allow'],
      [[join(folder, 'none'), ...at, '--creds', creds], 'is not a readable folder'],
      [[folder, ...at, '--creds', join(folder, 'me.creds')], 'credentials of a viewer'],
      [[folder, '--servers', 'http://x', '--creds', creds], 'An address is wrong'],
    ] as const;
    for (const [words, text] of cases) {
      const { code, text: said } = await run('relay', ...words);
      expect([words, code, said]).toEqual([words, 2, expect.stringContaining(text)]);
    }
  });
});
