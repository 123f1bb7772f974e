import { describe, expect, it } from 'vitest';
import { addressOf, connectFailure } from '../../../../src/fleet/connection/connect';
import { credentialsFile, readCredentials } from '../../../../src/fleet/connection/credentials';
import { readServers } from '../../../../src/fleet/connection/servers';
import { newUser } from '../../../../src/fleet/server/keys';

const { seed } = newUser();
const CERTIFICATE = `-----BEGIN CERTIFICATE-----\n${'QUJD'.repeat(16)}\n-----END CERTIFICATE-----`;

describe('credentials', () => {
  it('say whose they are, and which certificate to trust', () => {
    const text = credentialsFile('machine', 'alpha', seed, `${CERTIFICATE}\n`);
    expect(readCredentials(text)).toEqual({
      ok: true,
      value: { role: 'machine', name: 'alpha', seed, jwt: false, certificates: CERTIFICATE },
    });
    // As a person appends a certificate that arrived later.
    expect(readCredentials(`# unstuck viewer me\n${seed}\n${CERTIFICATE}\n`)).toMatchObject({
      value: { role: 'viewer', name: 'me', certificates: CERTIFICATE },
    });
  });

  it('may be a JWT with its seed, which contains its name', () => {
    const claims = Buffer.from(JSON.stringify({ name: 'alpha', sub: 'U' })).toString('base64url');
    const text = `-----BEGIN NATS USER JWT-----\nhead.${claims}.sign\n------END NATS USER JWT------\n\n-----BEGIN USER NKEY SEED-----\n${seed}\n------END USER NKEY SEED------\n`;
    expect(readCredentials(text)).toEqual({ ok: true, value: { name: 'alpha', seed, jwt: true } });
  });

  it('are invalid without a seed, or if the text is endless', () => {
    for (const text of ['', 'SUABC', 'password', 'x'.repeat(100_000), seed.toLowerCase()])
      expect(readCredentials(text)).toEqual({ ok: false, error: 'no_credentials' });
  });

  it('of a viewer are not accepted as those of a machine', () => {
    const servers = ['box:4222'];
    const credentials = credentialsFile('viewer', 'me', seed, CERTIFICATE);
    expect(addressOf({ servers, credentials, role: 'machine' })).toMatchObject({ error: { problem: 'credentials' } });
    expect(addressOf({ servers, credentials: seed, role: 'machine' })).toMatchObject({
      error: { problem: 'no_credentials' },
    });
    expect(addressOf({ servers, credentials: seed, role: 'machine', name: 'alpha' })).toMatchObject({
      ok: true,
      value: { name: 'alpha', options: { inboxPrefix: '_INBOX.machine.alpha', tls: {} } },
    });
  });
});

describe('addresses of servers', () => {
  it('say which of them are this machine', () => {
    expect(readServers(['nats://127.0.0.1:4222', 'localhost', '[::1]:1'])).toEqual({
      ok: true,
      value: { addresses: ['127.0.0.1:4222', 'localhost:4222', '[::1]:1'], onLoopback: true },
    });
    for (const address of ['nats://box', 'tls://10.0.0.1:4222', 'nats://127.0.0.1.evil.example', 'nats://0.0.0.0'])
      expect([address, readServers([address])]).toMatchObject([address, { value: { onLoopback: false } }]);
    expect(readServers(['box', 'tls://127.0.0.1'])).toMatchObject({ value: { onLoopback: true } });
  });

  it('hold no password and nothing else', () => {
    for (const address of [
      '',
      'nats://me:secret@box',
      'nats://me@box',
      'nats://:secret@box',
      'https://box',
      'nats://box/path',
      'nats://box?x',
      'nats://box#x',
      'nats://',
      'ws://box',
    ])
      expect([address, readServers([address])]).toEqual([address, { ok: false, error: 'address' }]);
    expect(readServers([])).toEqual({ ok: false, error: 'address' });
    expect(readServers(Array.from({ length: 17 }, () => 'box'))).toEqual({ ok: false, error: 'address' });
    expect(readServers(Array.from({ length: 16 }, () => 'box'))).toMatchObject({ ok: true });
  });

  it('are required to use TLS and the certificate of the credentials, even on loopback', () => {
    const credentials = credentialsFile('machine', 'alpha', seed, CERTIFICATE);
    for (const server of ['127.0.0.1', 'localhost', '[::1]', 'nats://127.0.0.1:4222', 'box'])
      expect(addressOf({ servers: [server], credentials, role: 'machine' })).toMatchObject({
        value: { options: { tls: { ca: CERTIFICATE } } },
      });
  });

  it('on loopback are not connected to by credentials without a certificate: anyone could listen there', () => {
    const credentials = `# unstuck machine alpha\n${seed}\n`;
    for (const server of ['127.0.0.1', 'tls://localhost', '[::1]', 'nats://127.8.8.8:4222'])
      expect(addressOf({ servers: ['box', server], credentials, role: 'machine' })).toMatchObject({
        error: { problem: 'no_certificate' },
      });
    // There the certificate authorities of the system vouch for the name.
    expect(addressOf({ servers: ['box'], credentials, role: 'machine' })).toMatchObject({ ok: true });
  });
});

describe('errors of the server', () => {
  it('are classified by what a person can do about them', () => {
    const problems = [
      ['self-signed certificate', 'no_tls'],
      ['The server does not speak TLS.', 'no_tls'],
      ['maximum bytes exceeded', 'full'],
      ['stream not found', 'not_prepared'],
      ['connect ECONNREFUSED 127.0.0.1:4222', 'unreachable'],
    ];
    for (const [text = '', problem] of problems)
      expect([text, connectFailure(new Error(text)).problem]).toEqual([text, problem]);
  });
});

it('a file that is far too large contains no credentials', () => {
  const seed = `SU${'A'.repeat(56)}`;
  expect(readCredentials(`${seed}\n`)).toMatchObject({ ok: true });
  expect(readCredentials(`${seed}\n${'#'.repeat(65_536)}`)).toMatchObject({ ok: false });
});
