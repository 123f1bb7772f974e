const assert = require('node:assert/strict');
const vscode = require('vscode');

describe('The setting for agents on other machines', () => {
  it('belongs to the machine, and a folder cannot set it', async () => {
    const configuration = vscode.workspace.getConfiguration('unstuck');
    await assert.rejects(
      Promise.resolve(
        configuration.update('fleet.servers', ['nats://evil:4222'], vscode.ConfigurationTarget.Workspace),
      ),
    );
    assert.deepEqual(configuration.get('fleet.servers'), []);
  });
});
