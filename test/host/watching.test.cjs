const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const vscode = require('vscode');

/**
 * A recorded Claude Code run that repeats one failing command is written into the home's own store, as the agent would write it. The extension has to
 * find it on its own.
 */
describe('An agent that gets stuck', () => {
  const session = `host-${process.pid}-${vscode.env.sessionId.slice(0, 8)}`;
  let workspace;
  let file;

  const api = async () => vscode.extensions.getExtension('unstuck.unstuck').activate();

  before(() => {
    workspace = vscode.workspace.workspaceFolders[0].uri.fsPath;
    const folder = path.join(os.homedir(), '.claude/projects', workspace.replace(/[^A-Za-z0-9]/g, '-'));
    fs.mkdirSync(folder, { recursive: true });
    file = path.join(folder, `${session}.jsonl`);
  });

  after(() => fs.rmSync(file, { force: true }));

  it('is found, watched line by line, and reported as stuck at the fourth equal result', async () => {
    const { isStuck, onStuck } = await api();
    let heard;
    const subscription = onStuck((of, status) => {
      if (of === session) heard = status;
    });
    for (const line of recorded().slice(0, 36)) {
      fs.appendFileSync(file, `${moved(line)}\n`);
      await sleep(5);
    }
    await until('the alert', () => isStuck(session).stuck);
    const status = isStuck(session);
    assert.equal(status.detector, 'repeating_action');
    assert.equal(status.level, 'stuck');
    assert.ok(status.evidence.length >= 2, 'evidence of first and last');
    assert.ok(status.evidence.every(({ source }) => source.file === file && source.line > 0));
    assert.equal(heard?.stuck, true, 'onStuck was told');
    subscription.dispose();
  });

  it('does not call an unknown session stuck', async () => {
    const { isStuck } = await api();
    assert.equal(isStuck('no-such-session').stuck, false);
  });

  it('opens its transcript read-only at the evidence, and its panel', async () => {
    await vscode.commands.executeCommand('unstuck.showEvidence', session);
    await until('the panel', () => tabs().some((tab) => tab.input instanceof vscode.TabInputWebview));
    await vscode.commands.executeCommand('unstuck.openTranscript', session);
    await until('the transcript', () => vscode.window.activeTextEditor?.document.uri.scheme === 'unstuck-transcript');
    assert.ok(vscode.window.activeTextEditor.document.lineCount >= 36);
  });

  it('is free again when the process of its session ends', async () => {
    const { isStuck } = await api();
    for (const line of recorded().slice(36)) fs.appendFileSync(file, `${moved(line)}\n`);
    await until('the end', () => !isStuck(session).stuck);
  });

  const recorded = () =>
    fs.readFileSync(path.join(__dirname, '../../media/demo/same-command.jsonl'), 'utf8').trim().split('\n');

  const moved = (line) => {
    const record = JSON.parse(line);
    if (record.timestamp) record.timestamp = new Date().toISOString();
    if (record.sessionId) record.sessionId = session;
    return JSON.stringify(record).split('/home/dev/project').join(workspace);
  };

  const tabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs);
});

/** Only the editor's own search finds a transcript in the workspace. */
describe('An agent whose transcript is in the workspace', () => {
  const session = `paused-${process.pid}`;
  let file;

  before(() => {
    file = path.join(vscode.workspace.workspaceFolders[0].uri.fsPath, `${session}.agent.jsonl`);
  });

  after(async () => {
    await vscode.commands.executeCommand('unstuck.resume');
    fs.rmSync(file, { force: true });
  });

  it('is watched again after a pause, although nothing was written in the meantime', async () => {
    const { isStuck } = await vscode.extensions.getExtension('unstuck.unstuck').activate();
    const steps = [1, 2, 3, 4].flatMap((step) => [
      { type: 'tool_call', id: `c${step}`, name: 'bash', args: { command: 'npm test' } },
      { type: 'tool_result', id: `c${step}`, output: 'expected 3 to be 4', isError: true },
    ]);
    const records = [{ type: 'user', text: 'Make the test pass.' }, ...steps];
    const lines = records.map((record, at) =>
      JSON.stringify({ v: 1, t: Date.now() - 60_000 + at * 1000, session, ...record }),
    );
    fs.writeFileSync(file, `${lines.join('\n')}\n`);
    await until('the alert', () => isStuck(session).stuck);
    await vscode.commands.executeCommand('unstuck.pause');
    await until('the pause', () => !isStuck(session).stuck);
    await vscode.commands.executeCommand('unstuck.resume');
    await until('the alert again', () => isStuck(session).stuck);
  });
});

const sleep = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

async function until(what, holds) {
  for (const end = Date.now() + 20_000; Date.now() < end; await sleep(50)) if (holds()) return;
  assert.fail(`waited 20 s for ${what}`);
}
