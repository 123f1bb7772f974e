import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import net, { type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tls from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { makeCertificate } from '../../../../src/cli/fleet/certificate';
import { addressOf, connectOnce } from '../../../../src/fleet/connection/connect';
import { credentialsFile } from '../../../../src/fleet/connection/credentials';
import { newUser } from '../../../../src/fleet/server/keys';

const INFO = { server_id: 'X', version: '2.9.10', proto: 1, headers: true, max_payload: 131_072, nonce: 'abc' };
const info = (more: object) => `INFO ${JSON.stringify({ ...INFO, ...more })}\r\n`;
const folder = mkdtempSync(join(tmpdir(), 'unstuck-transport-'));
const waiting = { timeout: 10_000 };

interface Proof {
  readonly key: string;
  readonly cert: string;
}

let proof: Proof;
let other: Proof;
const stops: (() => void)[] = [];

function proofFor(host: string): Proof {
  const cert = makeCertificate(folder, host);
  return { cert, key: readFileSync(join(folder, 'server.key'), 'utf8') };
}
beforeAll(() => {
  proof = proofFor('127.0.0.1');
  other = proofFor('127.0.0.1');
});
afterEach(() => stops.splice(0).forEach((stop) => stop()));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A server that handles each connection with `take`. Records what it received, and how many connections it has. */
async function serve(take: (socket: Socket, heard: (text: string) => void) => void) {
  const state = { heard: '', open: 0 };
  const sockets = new Set<Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    state.open++;
    socket.on('error', () => undefined);
    socket.on('close', () => state.open--);
    take(socket, (text) => (state.heard += text));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const over = new AbortController();
  stops.push(() => {
    over.abort();
    sockets.forEach((socket) => socket.destroy());
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const connecting = (host = '127.0.0.1') => {
    const credentials = credentialsFile('machine', 'alpha', newUser().seed, proof.cert);
    const address = addressOf({ servers: [`${host}:${port}`], credentials, role: 'machine' });
    if (!address.ok) throw new Error(address.error.detail);
    return connectOnce(address.value, over.signal);
  };
  return { state, over, connecting };
}

/** A server that proves its identity, and answers pings until `then` takes over. */
const speaking = (shown: () => Proof, then: (socket: tls.TLSSocket) => void = () => undefined) =>
  serve((plain, heard) => {
    plain.write(info({ tls_required: true }));
    const socket = new tls.TLSSocket(plain, { isServer: true, ...shown() });
    socket.on('error', () => undefined);
    socket.on('data', (data: Buffer) => {
      heard(data.toString());
      if (!data.includes('PING')) return;
      socket.write('PONG\r\n');
      then(socket);
    });
  });

describe('a connection to a message server', () => {
  it.each(['127.0.0.1', 'localhost'])('is made over TLS, by the name %s', async (host) => {
    const { state, over, connecting } = await speaking(() => proof);
    const connection = await connecting(host);
    expect(connection).toMatchObject({ ok: true });
    expect(state.heard).toContain('CONNECT');
    over.abort();
    await vi.waitFor(() => expect(state.open).toBe(0), waiting);
  });

  it('is not made to an impostor in plain text: it receives nothing', async () => {
    const { state, connecting } = await serve((socket, heard) => {
      socket.write(info({}));
      socket.on('data', (data) => {
        heard(data.toString());
        socket.write('PONG\r\n');
      });
    });
    expect(await connecting()).toMatchObject({ error: { problem: 'no_tls' } });
    expect(state.heard).toBe('');
  });

  it('is not made to a server with another certificate, even for the same name: it receives nothing', async () => {
    const { state, connecting } = await speaking(() => other);
    expect(await connecting()).toMatchObject({ error: { problem: 'no_tls' } });
    expect(state.heard).toBe('');
  });

  it('accepts only one line before TLS', async () => {
    const { connecting } = await serve((socket) => socket.write(`${info({ tls_required: true })}PING\r\n`));
    expect(await connecting()).toMatchObject({ error: { detail: 'The server sent more than a line before TLS.' } });
  });

  it.each([
    ['says nothing', () => undefined],
    ['says the half of a line', (socket: Socket) => void socket.write('INFO {')],
    ['promises TLS and does not speak it', (socket: Socket) => void socket.write(info({ tls_required: true }))],
  ])('with a server that %s ends at once when asked to', async (_, take) => {
    const { state, over, connecting } = await serve((socket) => {
      take(socket);
      socket.resume();
    });
    const connection = connecting();
    await vi.waitFor(() => expect(state.open).toBe(1), waiting);
    over.abort();
    expect(await connection).toMatchObject({ ok: false });
    await vi.waitFor(() => expect(state.open).toBe(0), waiting);
  });

  it.each([
    ['floods it', 'PING\r\n'.repeat(10_000)],
    ['announces a message without end', `MSG a 1 999999999999\r\n${'x'.repeat(10_000)}`],
    ['sends a line without end', `INFO {"a":"${'a'.repeat(100_000)}`],
    ['sends what the library cannot read', 'INFO {\r\n'],
  ])('to a proven server that %s is closed', async (_, bytes) => {
    const printed = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    let connections = 0;
    const { state, connecting } = await speaking(
      () => proof,
      (socket) => {
        if (++connections === 1) socket.write(bytes);
      },
    );
    void connecting();
    // It is tried again with a new connection. The first one is gone.
    await vi.waitFor(() => expect(connections).toBe(2), waiting);
    expect(state.open).toBe(1);
    printed.mockRestore();
  });
});
