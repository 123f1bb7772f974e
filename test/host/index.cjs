/**
 * Called by VS Code inside the extension host: runs every *.test.cjs next to it with mocha and writes the results to the file named by
 * UNSTUCK_TEST_REPORT, even if it could not load a test. See test/host/run.mjs.
 */
const fs = require('node:fs');
const path = require('node:path');
const Mocha = require('mocha');
const vscode = require('vscode');

exports.run = async () => {
  const report = {
    host: {
      version: vscode.version,
      desktop: vscode.env.uiKind === vscode.UIKind.Desktop,
      node: process.versions.node,
    },
    passed: [],
    failed: [],
    skipped: [],
  };
  try {
    await runTests(report);
  } catch (error) {
    report.failed.push({ title: 'the suite could not run', error: textOf(error) });
  }
  fs.writeFileSync(process.env.UNSTUCK_TEST_REPORT, JSON.stringify(report, null, 2));
  if (report.failed.length > 0) throw new Error(`${report.failed.length} failed`);
};

function runTests(report) {
  const mocha = new Mocha({ ui: 'bdd', timeout: 30_000, forbidOnly: true, reporter: 'min', color: false });
  if (process.env.UNSTUCK_TEST_GREP) mocha.grep(process.env.UNSTUCK_TEST_GREP);
  for (const file of fs.readdirSync(__dirname).sort()) {
    if (file.endsWith('.test.cjs')) mocha.addFile(path.join(__dirname, file));
  }
  return new Promise((done) => {
    const runner = mocha.run(done);
    runner.on('pass', (test) => report.passed.push(test.fullTitle()));
    runner.on('fail', (test, error) => report.failed.push({ title: test.fullTitle(), error: textOf(error) }));
    runner.on('pending', (test) => report.skipped.push(test.fullTitle()));
  });
}

/** The stack alone does not contain what an assertion compared. */
function textOf(error) {
  const stack = error instanceof Error ? (error.stack ?? String(error)) : String(error);
  return stack.includes(String(error?.message ?? '')) ? stack : `${error.message}\n${stack}`;
}
