import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import type { ConnectionOptions } from '@nats-io/nats-core';
import { deferred, type Server, type Transport } from '@nats-io/nats-core/internal';
import { version } from '../../../package.json';
import { fieldsOf, parseJson } from '../../base/util/json';
import { StreamLimits } from './stream-limits';

export interface TransportOptions extends ConnectionOptions {
  /** Certificates in PEM that are trusted; absent: those that the system trusts. */
  readonly tls: { readonly ca?: string };
  /** Destroys the socket at once. */
  readonly over: AbortSignal;
}

/** Bytes passed to the library at a time; other work can run in between. */
const PIECE = 16 * 1024;
/** Bytes that may wait for a server that does not read. */
const MOST_UNREAD = 16 * 1024 * 1024;

/**
 * The socket below the library. It replaces the library's own, which uses plain text if a server requests it, reads without limits, and keeps the
 * socket of a server that does not answer.
 */
export class TlsTransport implements Transport {
  readonly lang = 'unstuck';
  readonly version = version;
  closeError?: Error;
  private readonly limits = new StreamLimits();
  private readonly ended = deferred<void | Error>();
  private readonly sockets: Socket[] = [];
  private over: AbortSignal | undefined;
  private info: Buffer = Buffer.alloc(0);
  private connected = false;
  private done = false;
  readonly discard = (): void => {
    this.done = true;
    this.over?.removeEventListener('abort', this.discard);
    for (const socket of this.sockets) socket.destroy();
  };

  /** Connects. The library limits the time, and closes it afterwards. */
  async connect({ hostname, port }: Server, options: ConnectionOptions): Promise<void> {
    const { tls, over } = options as TransportOptions;
    this.over = over;
    over.addEventListener('abort', this.discard);
    if (over.aborted) this.discard();
    this.stopWhereDone();
    const plain = this.own(connectTcp({ host: hostname, port, noDelay: true }));
    this.info = await this.firstLine(plain);
    this.stopWhereDone();
    const { tls_required: required, tls_available: available } = fieldsOf(parseJson(this.info.toString().slice(5)));
    if (required !== true && available !== true) throw new Error('The server does not speak TLS.');
    const name = isIP(hostname) ? {} : { servername: hostname };
    // The certificate is checked whatever the environment says about it.
    const secure = connectTls({ socket: plain, host: hostname, ...name, ...tls, rejectUnauthorized: true });
    await new Promise<void>((resolve, reject) => {
      whenItEnds(this.own(secure), reject);
      secure.once('secureConnect', resolve);
    });
    this.connected = true;
  }

  /** Reads the server's line before TLS, which is used only for the names of its features. */
  private firstLine(plain: Socket): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      let read = Buffer.alloc(0);
      whenItEnds(plain, reject);
      plain.on('data', (piece: Buffer) => {
        const problem = this.limits.take(piece);
        if (problem !== null) reject(new Error(`The server sent ${problem}.`));
        read = Buffer.concat([read, piece]);
        if (!read.includes('\n')) return;
        plain.removeAllListeners('data');
        // Bytes after it would be taken for a part of the TLS data.
        if (read.indexOf('\n') + 1 < read.length) reject(new Error('The server sent more than a line before TLS.'));
        resolve(read);
      });
    });
  }

  private stopWhereDone(): void {
    if (this.done) throw new Error('The connection is closed.');
  }

  private own(socket: Socket): Socket {
    this.sockets.push(socket);
    return socket;
  }

  async *[Symbol.asyncIterator](): AsyncIterableIterator<Uint8Array> {
    let problem: Error | undefined;
    try {
      yield this.info;
      for await (const read of this.sockets.at(-1) ?? []) {
        const bytes = read as Buffer;
        for (let at = 0; at < bytes.length; at += PIECE) {
          const piece = bytes.subarray(at, at + PIECE);
          const found = this.limits.take(piece);
          if (found !== null) throw new Error(`The server sent ${found}.`);
          yield piece;
          await nextTurn();
        }
      }
    } catch (error) {
      problem = error instanceof Error ? error : new Error(String(error));
    } finally {
      // Even if the library cannot read the data passed to it: it would wait for more.
      this.end(problem);
    }
  }

  send(frame: Uint8Array): void {
    const socket = this.sockets.at(-1);
    if (this.done || !socket) return;
    socket.write(frame);
    if (socket.writableLength > MOST_UNREAD) this.end(new Error('The server does not read.'));
  }

  get isClosed(): boolean {
    return this.done;
  }

  isEncrypted(): boolean {
    return true;
  }

  close(error?: Error): Promise<void> {
    this.end(error);
    return Promise.resolve();
  }

  disconnect(): void {
    this.end();
  }

  closed(): Promise<void | Error> {
    return this.ended;
  }

  /** Ends the connection. The library is notified if there was one. */
  private end(error?: Error): void {
    if (this.done) return;
    this.discard();
    if (error) this.closeError = error;
    if (this.connected) this.ended.resolve(error);
  }
}

function whenItEnds(socket: Socket, ended: (error: Error) => void): void {
  socket.on('error', ended);
  socket.on('close', () => ended(new Error('The server closed the connection.')));
}
