// Places in which an agent is started: a folder below the open one, a git worktree of it elsewhere, and another repository that is not open.
import { join } from 'node:path';
import { time, until } from '../../support/wait.mjs';
import { copiesIn, takenOnce } from './terminal.mjs';

const WORDS = 'Unstuck, an automated watcher, wrote this; a person sent it. Read src/price.js before you go on.';
const treeOf = ({ root }) => join(root, 'tree');
const otherOf = ({ root }) => join(root, 'other');

/** Makes the places and has the user trust them. */
export function preparePlaces(sandbox) {
  sandbox.git('worktree', 'add', '-q', treeOf(sandbox));
  sandbox.git('init', '-q', '-b', 'main', otherOf(sandbox));
  sandbox.write(join(otherOf(sandbox), 'README.md'), '# Another project\n');
  sandbox.folders.push(treeOf(sandbox), otherOf(sandbox));
}

export async function places(stage) {
  const { agent, model, watcher, sandbox, parts } = stage;
  const said = [];
  const known = new Set();

  // The other repository first: whatever is found of it would be there by the time the rest is found.
  const away = await at(otherOf(sandbox), 'another project');
  await until('its work', () => away.rounds() >= 4);
  await away.end();

  for (const [name, cwd] of [
    ['subfolder', join(sandbox.workspace, 'src')],
    ['worktree', treeOf(sandbox)],
  ]) {
    const here = await at(cwd, name);
    const { session } = await until(`the session in the ${name}`, () =>
      watcher.engine.agents().find((view) => view.parent === undefined && !known.has(view.session)),
    );
    known.add(session);
    await until('its work', () => here.rounds() >= 3);
    const sent = Date.now();
    const { message } = await watcher.send({ kind: 'nudge', text: WORDS }, session, agent.id);
    const mark = parts.markOf(message.id);
    const request = await model.request('with the nudge', ({ text }) => text.includes(mark));
    if (!request.text.includes(`in the ${name}`)) throw new Error('a session elsewhere got it');
    if (copiesIn(request, mark) !== 1) throw new Error(`it stands ${copiesIn(request, mark)} times in the request`);
    await watcher.receipt(session, message.id, 'seen');
    await takenOnce(stage, session, [message.id]);
    said.push(`${name} ${time(request.at - sent)}`);
    await here.end();
  }
  if (watcher.engine.agents().length !== known.size) throw new Error('the session of another project is listed');
  return `${said.join(', ')}; another repository is not listed`;

  async function at(cwd, name) {
    let rounds = 0;
    model.play(() => {
      rounds += 1;
      return rounds > 200 ? { text: 'Enough.' } : { calls: [agent.shell(`sleep 1; echo round ${rounds}`)] };
    });
    const terminal = await stage.open({ cwd });
    await terminal.prompt(`Count in the ${name}.`);
    return { rounds: () => rounds, end: () => terminal.end() };
  }
}
