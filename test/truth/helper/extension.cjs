/** Runs next to Unstuck in the same extension host: advances its clock, and writes down what its API says on request. */
const fs = require('node:fs');
const path = require('node:path');
const vscode = require('vscode');
const { follow } = require('./clock.cjs');

const folder = process.env.UNSTUCK_TRUTH ?? '';
follow(path.join(folder, 'clock'));

exports.activate = () => {
  let answered = '';
  setInterval(() => {
    const asked = fs.readFileSync(path.join(folder, 'ask'), { encoding: 'utf8', flag: 'a+' });
    const api = vscode.extensions.getExtension('unstuck.unstuck')?.exports;
    if (asked === answered || !api) return;
    const { id, sessions } = JSON.parse(asked);
    const answers = Object.fromEntries(sessions.map((session) => [session, api.isStuck(session)]));
    fs.writeFileSync(path.join(folder, `answer-${id}.part`), JSON.stringify(answers));
    fs.renameSync(path.join(folder, `answer-${id}.part`), path.join(folder, `answer-${id}`));
    answered = asked;
  }, 50);
};
