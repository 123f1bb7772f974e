// Message servers that are broken or hostile. Each handles a connection in its own way: `first` from its first byte on, `later` after it has proved
// to be the server of the fleet, as a compromised server does.
import { randomBytes } from 'node:crypto';
import net from 'node:net';
import tls from 'node:tls';

const KILOBYTES = 1024;
const filled = (text, bytes) => Buffer.from(text.repeat(Math.ceil(bytes / text.length)).slice(0, bytes));

/** Writes without end, as fast as the other side reads. */
function flood(socket, chunk) {
  const more = () => {
    while (socket.writable && socket.write(chunk()));
  };
  socket.on('drain', more);
  more();
}
const floodOf = (text) => {
  const bytes = Buffer.from(text.repeat(Math.ceil((64 * KILOBYTES) / text.length)));
  return (socket) => flood(socket, () => bytes);
};

const INFO = { server_id: 'X', version: '2.9.10', proto: 1, headers: true, max_payload: 131_072, nonce: 'abcdef' };
const infoLine = (more) => `INFO ${JSON.stringify({ ...INFO, ...more })}\r\n`;

/** Answers of JetStream that make no sense, one after another. */
const NONSENSE = [
  '[]',
  '{"type":7,"error":{"code":"x"}}',
  '{"config":null,"state":{"subjects":{"$KV.unstuck_states.../..":-1,"":null},"last_seq":1e308}}',
  '{"state":{"subjects":[1,2,3],"last_seq":"x"}}',
  '{"stream":9,"seq":-1}',
  '{"name":{},"config":{"max_ack_pending":-5},"num_pending":1e400}',
  '[['.repeat(500_000),
  `"${'\\u0000'.repeat(100_000)}"`,
];

/** The minimum that a message server does: it greets, and answers pings and requests. */
function speak(socket, heard, answer) {
  const subscriptions = [];
  let text = '';
  socket.on('data', (data) => {
    text += data.toString('latin1');
    for (let end = text.indexOf('\r\n'); end >= 0; end = text.indexOf('\r\n')) {
      const [verb, ...words] = text.slice(0, end).split(' ');
      let rest = text.slice(end + 2);
      if (verb === 'PUB' || verb === 'HPUB') {
        const size = Number(words.at(-1));
        if (rest.length < size + 2) return;
        rest = rest.slice(size + 2);
      }
      text = rest;
      heard(verb, words, socket);
      if (verb === 'PING') socket.write('PONG\r\n');
      if (verb === 'SUB') subscriptions.push([words[0].replace(/[*>]$/, ''), words.at(-1)]);
      const reply = verb === 'PUB' ? words.length === 3 && words[1] : verb === 'HPUB' && words.length === 4 && words[1];
      const sid = reply && subscriptions.find(([subject]) => reply.startsWith(subject))?.[1];
      const body = sid && answer(words[0]);
      if (body) socket.write(`MSG ${reply} ${sid} ${Buffer.byteLength(body)}\r\n${body}\r\n`);
    }
  });
}

const CONSUMER = JSON.stringify({
  stream_name: 'unstuck_messages',
  name: 'relay_alpha',
  config: { durable_name: 'relay_alpha', ack_policy: 'explicit', deliver_policy: 'all', replay_policy: 'instant' },
});
const stored = () => '{"stream":"KV_unstuck_states","seq":1}';

export const HOSTILE = [
  { name: 'says nothing', first: () => undefined },
  { name: 'never ends its first line', first: floodOf('x') },
  { name: 'random bytes', first: (socket) => flood(socket, () => randomBytes(64 * KILOBYTES)) },
  { name: 'INFO of 5 MB of [', first: (socket) => socket.write(`INFO ${'['.repeat(5_000_000)}\r\n`) },
  {
    name: 'INFO without end',
    first: (socket) => {
      socket.write('INFO {"a":"');
      floodOf('a')(socket);
    },
  },
  {
    name: 'one byte a second',
    first: (socket) => {
      const bytes = infoLine({ tls_required: true }).split('');
      const timer = setInterval(() => socket.write(bytes.shift() ?? ' '), 1_000);
      socket.on('close', () => clearInterval(timer));
    },
  },
  { name: 'closes at once', first: (socket) => socket.end() },
  { name: 'closes after INFO', first: (socket) => socket.end(infoLine({ tls_required: true })) },
  {
    name: 'plain text where it promised TLS',
    first: (socket) => {
      socket.write(infoLine({ tls_required: true }));
      socket.on('data', () => socket.write('PING\r\nPONG\r\n'));
    },
  },
  { name: 'another certificate', other: true, later: () => undefined },
  {
    name: 'poses as the server, in plain text',
    first: (socket, heard) => {
      socket.write(infoLine({}));
      speak(socket, heard, stored);
    },
  },
  { name: 'flood of PING', later: floodOf('PING\r\n') },
  { name: 'flood of INFO', later: floodOf(infoLine({})) },
  { name: 'INFO that is no JSON', later: (socket) => socket.write('INFO {\u001b]0;PWNED\u0007\r\n') },
  { name: 'flood of -ERR', later: floodOf("-ERR 'x'\r\n") },
  {
    name: 'MSG a 1 999999999999 and data',
    later: (socket) => {
      socket.write('MSG a 1 999999999999\r\n');
      flood(socket, () => filled('x', 64 * KILOBYTES));
    },
  },
  {
    name: 'flood of messages nobody asked for',
    heard: (verb, [subject], socket) => {
      // A relay requests messages, a window the list of states.
      if (verb !== 'PUB' || !/MSG\.NEXT|STREAM\.INFO/.test(subject)) return;
      const to = (sid) => `MSG unstuck.messages.alpha.me ${sid} $JS.ACK.a.b.1.1.1.1.1 200\r\n${'x'.repeat(200)}\r\n`;
      floodOf([1, 2, 3, 4, 5, 6].map(to).join(''))(socket);
    },
    answer: (_, subject) => (subject.includes('CONSUMER.INFO') ? CONSUMER : '{"stream":"x","seq":1}'),
  },
  { name: 'answers of JetStream that make no sense', answer: (n) => NONSENSE[n % NONSENSE.length] },
];

/**
 * Starts a hostile server.
 *
 * @param {{ key: string, cert: string } | null} proof of the fleet; null: the fleet speaks plain text
 * @param {{ key: string, cert: string }} other proof of another server
 */
export async function startHostile(hostile, proof, other) {
  const heard = [];
  const note = (verb, words) => heard.push([verb, ...words].join(' '));
  const sockets = new Set();
  let arrived = 0;
  const server = net.createServer((socket) => {
    sockets.add(socket);
    arrived++;
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    if (hostile.first) return hostile.first(socket, note);
    const shown = hostile.other ? other : proof;
    socket.write(infoLine(shown ? { tls_required: true } : {}));
    const secure = shown ? new tls.TLSSocket(socket, { isServer: true, ...shown }) : socket;
    secure.on('error', () => undefined);
    let answers = 0;
    speak(
      secure,
      (verb, words) => {
        note(verb, words);
        hostile.heard?.(verb, words, secure);
        if (verb === 'PING') hostile.later?.(secure);
      },
      (subject) => hostile.answer?.(answers++, subject),
    );
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    port: server.address().port,
    heard,
    arrived: () => arrived,
    stop: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
