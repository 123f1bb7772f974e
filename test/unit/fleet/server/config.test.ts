import { describe, expect, it } from 'vitest';
import { machinePermissions, serverFile, usersFile, viewerPermissions } from '../../../../src/fleet/server/config';
import { isName, nameOfHost, placeOfState, sessionKey } from '../../../../src/fleet';

const KEY = `U${'A'.repeat(55)}`;

describe('the configuration of a message server', () => {
  it('gives a machine nothing but its own subjects', () => {
    const { publish, subscribe } = machinePermissions('alpha');
    for (const subject of [...publish, ...subscribe]) expect(subject).toMatch(/alpha/);
    for (const subject of publish)
      expect(subject).not.toMatch(/DIRECT\.GET|STREAM\.|CONSUMER\.(?:CREATE|DURABLE|DELETE)/);
  });

  it('gives a viewer no subject that the stream of the machines captures', () => {
    const { publish } = viewerPermissions('me');
    for (const subject of publish)
      expect(subject).toMatch(/^unstuck\.(?:messages\.\*\.me$|api\.(?:STREAM\.INFO|DIRECT\.GET)\.)/);
  });

  it('contains public keys only, and uses TLS everywhere', () => {
    const users = usersFile({
      admin: KEY,
      machines: [{ name: 'alpha', key: KEY }],
      viewers: [{ name: 'me', key: KEY }],
    });
    expect(users).not.toMatch(/\bSU[A-Z2-7]{10}/);
    const tls = { certificate: '/server.crt', key: '/server.key' };
    for (const [host, listen] of [
      ['127.0.0.1', '127.0.0.1:4222'],
      ['localhost', '127.0.0.1:4222'],
      ['box', '0.0.0.0:4222'],
    ] as const) {
      const text = serverFile({ host, port: 4222, storage: '/data', tls });
      expect(text).toContain(`listen: "${listen}"`);
      expect(text).toContain('cert_file: "/server.crt"');
    }
  });
});

describe('names', () => {
  it('of machines and viewers are one token of a subject', () => {
    for (const name of ['a', 'box-1', 'x_y', '0', 'a'.repeat(63)]) expect([name, isName(name)]).toEqual([name, true]);
    for (const name of ['', 'A', 'a.b', '*', '>', 'a b', '-a', 'ä', 'a'.repeat(64), 'a\n'])
      expect([name, isName(name)]).toEqual([name, false]);
    expect(nameOfHost('Build-Server.example.org')).toBe('build-server');
    expect(nameOfHost('__')).toBeNull();
  });

  it('of sessions never leave their token, and differ if the sessions do', () => {
    expect(sessionKey('0190-abc')).toBe('0190-abc');
    const odd = ['a.b', 'a b', '*', '>', '', 'x'.repeat(65), 'a/b', '../x'].map(sessionKey);
    for (const key of odd) expect(key).toMatch(/^s-[a-z0-9-]+$/);
    expect(new Set(odd).size).toBe(odd.length);
    expect(placeOfState(`alpha.agent.${odd[0] ?? ''}`)).toEqual({ machine: 'alpha', key: odd[0] });
  });
});
