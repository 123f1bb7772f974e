const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const vscode = require('vscode');

/** A command from the user's own settings checks the workspace, and its complaints appear in the Problems view. */
describe('Quality gates', () => {
  const SETTING = 'gates.commands';
  let workspace;
  let file;

  const settings = () => vscode.workspace.getConfiguration('unstuck');

  before(async () => {
    await vscode.extensions.getExtension('unstuck.unstuck').activate();
    workspace = vscode.workspace.workspaceFolders[0].uri.fsPath;
    file = path.join(workspace, 'gate-test.py');
    fs.writeFileSync(file, 'one\ntwo\nthree\n');
  });

  after(async () => {
    await settings().update(SETTING, undefined, vscode.ConfigurationTarget.Global);
    fs.rmSync(file, { force: true });
  });

  const gates = (lint) => [
    { name: 'build', command: 'exit 0', folder: workspace },
    { name: 'lint', command: lint, folder: workspace, needs: ['build'] },
    { name: 'tests', command: 'exit 0', folder: workspace, needs: ['lint'] },
  ];

  const problems = () =>
    vscode.languages
      .getDiagnostics(vscode.Uri.file(file))
      .filter((one) => one.source?.startsWith('Unstuck'))
      .map((one) => `${one.range.start.line}:${one.range.start.character} ${one.source}: ${one.message}`);

  it('put the failures of a manual run into the Problems view, and remove them when they pass', async () => {
    const complaint = 'echo "gate-test.py:2:3: error: not like this"; echo "/etc/passwd:1:1: error: elsewhere"; exit 1';
    await settings().update(SETTING, gates(complaint), vscode.ConfigurationTarget.Global);
    // The command ends when its notification is closed, which does not happen here.
    void vscode.commands.executeCommand('unstuck.runGates');
    await until('the problem', () => problems().length > 0);
    assert.deepEqual(problems(), ['1:2 Unstuck, lint: not like this']);
    assert.deepEqual(vscode.languages.getDiagnostics(vscode.Uri.file('/etc/passwd')), []);

    await settings().update(SETTING, gates('exit 0'), vscode.ConfigurationTarget.Global);
    void vscode.commands.executeCommand('unstuck.runGates');
    await until('no problem', () => problems().length === 0);
  });
});

async function until(what, holds) {
  for (const end = Date.now() + 20_000; Date.now() < end; ) {
    if (holds()) return;
    await new Promise((done) => setTimeout(done, 50));
  }
  assert.fail(`waited 20 s for ${what}`);
}
