const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const vscode = require('vscode');

describe('The packaged extension', () => {
  const extension = () => {
    const found = vscode.extensions.getExtension('unstuck.unstuck');
    assert.ok(found, 'unstuck.unstuck is not installed');
    return found;
  };

  it('runs from the installed package, not from the sources', () => {
    const { extensionPath } = extension();
    assert.ok(
      fs.existsSync(path.join(extensionPath, '.vsixmanifest')),
      `${extensionPath} was not unpacked from a .vsix`,
    );
    assert.notEqual(fs.realpathSync(extensionPath), path.resolve(__dirname, '../..'));
  });

  it('activates without an error', async () => {
    await extension().activate();
    assert.equal(extension().isActive, true);
  });

  it('registers every command that its manifest contributes', async () => {
    await extension().activate();
    const contributed = (extension().packageJSON.contributes?.commands ?? []).map(({ command }) => command);
    assert.ok(contributed.length > 0, 'the manifest contributes no command');
    const registered = new Set(await vscode.commands.getCommands(true));
    assert.deepEqual(
      contributed.filter((command) => !registered.has(command)),
      [],
      'contributed, but registered by nobody',
    );
  });
});
