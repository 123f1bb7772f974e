import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { main } from '../../../../src/cli/main';
import * as fleet from '../../../../src/fleet-bundle';
import { readCredentials } from '../../../../src/fleet/connection/credentials';

let folder = '';

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'unstuck-fleet-command-')), 'fleet');
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }));

async function run(...words: string[]) {
  const [lines, notes]: [string[], string[]] = [[], []];
  const output = {
    line: (text: string) => void lines.push(text),
    note: (text: string) => void notes.push(text),
    isTerminal: false,
  };
  const code = await main(words, output, new Promise(() => undefined), process.stdin, () => fleet);
  return { code, text: [...lines, ...notes].join('\n') };
}
const read = (name: string) => readFileSync(join(folder, name), 'utf8');
const init = (...more: string[]) =>
  run('fleet', 'init', folder, '--machines', 'alpha,beta', '--viewers', 'me', ...more);

describe('unstuck fleet', () => {
  it('init writes the configuration, and secrets that only their owner reads', async () => {
    expect(await init()).toMatchObject({ code: 0, text: expect.stringContaining('nats-server -c') });
    for (const [name, role] of [
      ['alpha', 'machine'],
      ['beta', 'machine'],
      ['me', 'viewer'],
      ['admin', 'admin'],
    ] as const) {
      expect(readCredentials(read(`${name}.creds`))).toMatchObject({ value: { name, role } });
      expect(statSync(join(folder, `${name}.creds`)).mode & 0o777).toBe(0o600);
    }
    expect(read('users.conf') + read('fleet.json') + read('server.conf')).not.toMatch(/\bSU[A-Z2-7]{50}/);
    expect(read('server.conf')).toContain('listen: "127.0.0.1:4222"');
  });

  it('init with a host sets TLS up, and the credentials bring the certificate along', async () => {
    expect((await init('--host', 'box.example', '--port', '5000')).text).toContain('tls://box.example:5000');
    expect(read('server.conf')).toContain('listen: "0.0.0.0:5000"');
    expect(readCredentials(read('me.creds'))).toMatchObject({ value: { certificates: read('server.crt').trim() } });
    expect(statSync(join(folder, 'server.key')).mode & 0o777).toBe(0o600);
  });

  it('init does not write over a fleet that is there', async () => {
    await init();
    const before = read('users.conf');
    expect(await init()).toMatchObject({ code: 2, text: expect.stringContaining('has a fleet already') });
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

  it('says what is wrong, and writes nothing', async () => {
    const cases = [
      [['fleet'], 'say init, add, remove or create'],
      [['fleet', 'init', folder, '--machines', 'alpha'], 'at least one'],
      [['fleet', 'init', folder, '--machines', 'Alpha', '--viewers', 'me'], 'is not a name'],
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

  it('without its bundle says so', async () => {
    const notes: string[] = [];
    const output = { line: () => undefined, note: (text: string) => void notes.push(text), isTerminal: false };
    expect(await main(['fleet', 'init', folder, '--machines', 'a', '--viewers', 'b'], output, Promise.resolve())).toBe(
      2,
    );
    expect(notes).toEqual([expect.stringContaining('fleet.js')]);
  });
});

describe('unstuck relay', () => {
  it('says what is missing or wrong before it connects', async () => {
    await init();
    const creds = join(folder, 'alpha.creds');
    const at = ['--servers', 'nats://127.0.0.1:1'];
    const cases = [
      [[], '--servers is missing'],
      [at, '--creds is missing'],
      [[...at, '--creds', join(folder, 'none')], 'cannot be read'],
      [[...at, '--creds', creds, '--name', 'Big'], 'is not a name'],
      [[...at, '--creds', creds, '--allow', 'nudge,run'], '--allow'],
      [[join(folder, 'none'), ...at, '--creds', creds], 'is not a folder'],
      [[folder, ...at, '--creds', join(folder, 'me.creds')], 'credentials of a viewer'],
      [[folder, '--servers', 'http://x', '--creds', creds], 'An address is not right'],
    ] as const;
    for (const [words, text] of cases) {
      const { code, text: said } = await run('relay', ...words);
      expect([words, code, said]).toEqual([words, 2, expect.stringContaining(text)]);
    }
  });
});
