const assert = require('node:assert/strict');
const events = require('node:events');
const fs = require('node:fs');
const inspector = require('node:inspector/promises');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');
const { fileURLToPath } = require('node:url');
const vscode = require('vscode');

/** States of a socket, as in /proc/net/tcp on Linux. */
const LISTENS = '0A';
const ESTABLISHED = '01';

/** Without a setting there must be no server, no connection away from this machine, and no bundle that makes them. */
describe('An installation without a message server', () => {
  it('has loaded only its start and what it starts', async () => {
    const extension = vscode.extensions.getExtension('unstuck.unstuck');
    await extension.activate();
    const loaded = await scripts(fs.realpathSync(extension.extensionPath));
    for (const needed of [/^dist\/extension\.mjs$/, /^dist\/window-\w+\.mjs$/])
      assert.ok(
        loaded.some((file) => needed.test(file)),
        `${needed} is not among ${loaded.join(', ')}`,
      );
    // The bundle that reads sessions is there if a session was, the one that runs gates if they ran, and SQLite if the history was queried.
    assert.deepEqual(
      loaded.filter(
        (file) => !/^dist\/(?:extension|(?:window|chunk|reading|run-gates)-\w+)\.mjs$|^dist\/sql\.js$/.test(file),
      ),
      [],
    );
  });

  it('does not even contain what is only for the command line', () => {
    const { extensionPath } = vscode.extensions.getExtension('unstuck.unstuck');
    for (const name of ['dist/counting.js', 'dist/fleet.js'])
      assert.equal(fs.existsSync(path.join(extensionPath, name)), false, name);
  });

  it('has no listening socket, and none that leads away from this machine', async function () {
    if (process.platform !== 'linux') this.skip();
    assert.deepEqual(strange(), []);
    // The test is not blind either: it sees such a socket when there is one.
    const server = net.createServer().listen(0, '0.0.0.0');
    await events.once(server, 'listening');
    const [own] = strange();
    assert.equal(own?.state, LISTENS);
    const address = Object.values(os.networkInterfaces())
      .flat()
      .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
    if (address) {
      const client = net.connect(server.address().port, address);
      await events.once(client, 'connect');
      assert.ok(strange().some(({ state }) => state === ESTABLISHED));
      client.destroy();
    }
    server.close();
  });
});

/** The scripts below a folder that this process has compiled: relative paths. */
async function scripts(root) {
  const session = new inspector.Session();
  session.connect();
  /** @type {Set<string>} */
  const found = new Set();
  session.on('Debugger.scriptParsed', ({ params: { url } }) => {
    const file = url.startsWith('file:') ? fileURLToPath(url) : url;
    if (file.startsWith(root)) found.add(path.relative(root, file).replaceAll('\\', '/'));
  });
  await session.post('Debugger.enable');
  session.disconnect();
  return [...found];
}

/** Sockets that listen or lead away from this machine. */
function strange() {
  return sockets().filter(({ state, remote }) => state === LISTENS || !isHere(remote));
}

/** The TCP and UDP sockets of this process. */
function sockets() {
  const inodes = new Set(
    fs.readdirSync('/proc/self/fd').flatMap((fd) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(fs.readlinkSync(`/proc/self/fd/${fd}`))?.[1] ?? [];
      } catch {
        return [];
      }
    }),
  );
  return ['tcp', 'tcp6', 'udp', 'udp6'].flatMap((protocol) => {
    const [, ...rows] = fs.readFileSync(`/proc/self/net/${protocol}`, 'utf8').trim().split('\n');
    return rows
      .map((row) => row.trim().split(/\s+/))
      .filter((cells) => inodes.has(cells[9]))
      .map(([, local, remote, state]) => ({ protocol, local, remote, state }));
  });
}

/** True for 127.0.0.0/8 and ::1, the first also in its IPv6 form. Addresses are in hexadecimal there, each word reversed. */
function isHere(remote) {
  const [address] = remote.split(':');
  return (
    /^[0-9A-F]{6}7F$/.test(address) || /^0{24}01000000$/.test(address) || /^0{16}FFFF0000[0-9A-F]{6}7F$/.test(address)
  );
}
