const assert = require('node:assert/strict');
const events = require('node:events');
const fs = require('node:fs');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');
const vscode = require('vscode');

/** As Linux writes it in /proc/net/tcp. */
const LISTENS = '0A';
const ESTABLISHED = '01';

/** What nobody asked for is not there: no server, no connection away from this machine, no bundle that makes them. */
describe('An installation that nobody told of a server', () => {
  it('has loaded nothing but its start and what it starts', async () => {
    const extension = vscode.extensions.getExtension('unstuck.unstuck');
    await extension.activate();
    const root = fs.realpathSync(extension.extensionPath);
    const loaded = Object.keys(require.cache)
      .filter((file) => file.startsWith(root))
      .map((file) => path.relative(root, file));
    for (const needed of ['dist/extension.js', 'dist/main.js']) assert.ok(loaded.includes(needed), needed);
    // The second half is there where a session was, and SQLite where the history was asked.
    const own = ['dist/extension.js', 'dist/main.js', 'dist/later.js', 'dist/sql.js'];
    assert.deepEqual(
      loaded.filter((file) => !own.includes(file)),
      [],
    );
  });

  it('does not even contain what counts for the command line', () => {
    const { extensionPath } = vscode.extensions.getExtension('unstuck.unstuck');
    assert.equal(fs.existsSync(path.join(extensionPath, 'dist/counting.js')), false);
  });

  it('has no socket that listens, and none that leads away from this machine', async function () {
    if (process.platform !== 'linux') this.skip();
    assert.deepEqual(strange(), []);
    // Nor is the test blind: what it looks for shows where there is some.
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

/** 127.0.0.0/8 and ::1, the first also as IPv6 writes it; addresses stand there in hexadecimal, each word backwards. */
function isHere(remote) {
  const [address] = remote.split(':');
  return (
    /^[0-9A-F]{6}7F$/.test(address) || /^0{24}01000000$/.test(address) || /^0{16}FFFF0000[0-9A-F]{6}7F$/.test(address)
  );
}
