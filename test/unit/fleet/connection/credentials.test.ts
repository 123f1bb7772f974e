import { describe, expect, it } from 'vitest';
import { addressOf, failureOf } from '../../../../src/fleet/connection/connect';
import { credentialsFile, readCredentials } from '../../../../src/fleet/connection/credentials';
import { readServers } from '../../../../src/fleet/connection/servers';
import { newUser } from '../../../../src/fleet/server/keys';

const { seed } = newUser();
const CERTIFICATE = `-----BEGIN CERTIFICATE-----\n${'QUJD'.repeat(16)}\n-----END CERTIFICATE-----`;

describe('credentials', () => {
  it('say whose they are, and what certificate to trust', () => {
    const text = credentialsFile('machine', 'alpha', seed, `${CERTIFICATE}\n`);
    expect(readCredentials(text)).toEqual({
      ok: true,
      value: { role: 'machine', name: 'alpha', seed, jwt: false, certificates: CERTIFICATE },
    });
    expect(readCredentials(credentialsFile('viewer', 'me', seed, null))).toMatchObject({
      value: { role: 'viewer', name: 'me' },
    });
  });

  it('may be a JWT with its seed, which says its name', () => {
    const claims = Buffer.from(JSON.stringify({ name: 'alpha', sub: 'U' })).toString('base64url');
    const text = `-----BEGIN NATS USER JWT-----\nhead.${claims}.sign\n------END NATS USER JWT------\n\n-----BEGIN USER NKEY SEED-----\n${seed}\n------END USER NKEY SEED------\n`;
    expect(readCredentials(text)).toEqual({ ok: true, value: { name: 'alpha', seed, jwt: true } });
  });

  it('are none without a seed, or where the text is endless', () => {
    for (const text of ['', 'SUABC', 'password', 'x'.repeat(100_000), seed.toLowerCase()])
      expect(readCredentials(text)).toEqual({ ok: false, error: 'no_credentials' });
  });

  it('of a viewer are not taken for those of a machine', () => {
    const servers = ['127.0.0.1:4222'];
    const credentials = credentialsFile('viewer', 'me', seed, null);
    expect(addressOf({ servers, credentials, role: 'machine' })).toMatchObject({ error: { problem: 'credentials' } });
    expect(addressOf({ servers, credentials: seed, role: 'machine' })).toMatchObject({
      error: { problem: 'no_credentials' },
    });
    expect(addressOf({ servers, credentials: seed, role: 'machine', name: 'alpha' })).toMatchObject({
      ok: true,
      value: { name: 'alpha', options: { inboxPrefix: '_INBOX.machine.alpha', tls: null } },
    });
  });
});

describe('addresses of servers', () => {
  it('are plain on loopback only', () => {
    expect(readServers(['nats://127.0.0.1:4222', 'localhost', '[::1]:1'])).toEqual({
      ok: true,
      value: { addresses: ['127.0.0.1:4222', 'localhost:4222', '[::1]:1'], tls: false },
    });
    for (const address of [
      'nats://box',
      'nats://10.0.0.1:4222',
      'tls://127.0.0.1',
      'nats://127.0.0.1.evil.example',
      'nats://0.0.0.0',
    ])
      expect([address, readServers([address])]).toMatchObject([address, { value: { tls: true } }]);
    expect(readServers(['127.0.0.1', 'box'])).toMatchObject({ value: { tls: true } });
  });

  it('hold no password, and are nothing else', () => {
    for (const address of [
      '',
      'nats://me:secret@box',
      'https://box',
      'nats://box/path',
      'nats://box?x',
      'nats://',
      'ws://box',
    ])
      expect([address, readServers([address])]).toEqual([address, { ok: false, error: 'address' }]);
    expect(readServers([])).toEqual({ ok: false, error: 'address' });
    expect(readServers(Array.from({ length: 17 }, () => 'box'))).toEqual({ ok: false, error: 'address' });
  });

  it('with a certificate of their own are asked for TLS also on loopback, and trust it alone', () => {
    const credentials = credentialsFile('machine', 'alpha', seed, CERTIFICATE);
    expect(addressOf({ servers: ['127.0.0.1'], credentials, role: 'machine' })).toMatchObject({
      value: { options: { tls: { ca: CERTIFICATE } } },
    });
  });
});

describe('errors of the server', () => {
  it('are told by what a person can do', () => {
    const problems = [
      ['self-signed certificate', 'no_tls'],
      ["server does not support 'tls'", 'no_tls'],
      ['maximum bytes exceeded', 'full'],
      ['stream not found', 'not_prepared'],
      ['connect ECONNREFUSED 127.0.0.1:4222', 'unreachable'],
    ];
    for (const [text = '', problem] of problems)
      expect([text, failureOf(new Error(text)).problem]).toEqual([text, problem]);
  });
});
