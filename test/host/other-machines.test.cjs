const assert = require('node:assert/strict');
const path = require('node:path');
const vscode = require('vscode');

/** Sockets of this process by what they are, as libuv counts them. */
function sockets() {
  const { libuv } = process.report.getReport();
  return libuv.filter(({ type, is_active: isActive }) => isActive && (type === 'tcp' || type === 'udp'));
}

function loaded(name) {
  return Object.keys(require.cache).some((file) => path.basename(path.dirname(file)) === 'dist' && file.endsWith(name));
}

describe('Without a server for other machines', () => {
  const extension = () => vscode.extensions.getExtension('unstuck.unstuck');

  it('no bundle that opens sockets is loaded', async () => {
    await extension().activate();
    assert.ok(loaded('main.js'), 'the main bundle is not among the loaded modules: this test would see nothing');
    assert.equal(loaded('fleet.js'), false);
  });

  it('no socket is open but those of the editor itself', async () => {
    await extension().activate();
    const open = sockets();
    console.log(JSON.stringify(open));
    const own = open.filter(({ remoteEndpoint }) => remoteEndpoint && !isLoopback(remoteEndpoint.host));
    assert.deepEqual(own, []);
  });

  it('its setting is of the machine, and a folder cannot say it', async () => {
    const configuration = vscode.workspace.getConfiguration('unstuck');
    await assert.rejects(
      Promise.resolve(
        configuration.update('fleet.servers', ['nats://evil:4222'], vscode.ConfigurationTarget.Workspace),
      ),
    );
    assert.deepEqual(configuration.get('fleet.servers'), []);
  });
});

function isLoopback(host) {
  return host === 'localhost' || host === '::1' || host.startsWith('127.') || host.startsWith('::ffff:127.');
}
