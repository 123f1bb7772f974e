// Much at once: three calls in each turn, a half-written prompt of the person, two nudges together, and another one while the last answer is being
// written.
import { copiesIn, takenOnce } from './terminal.mjs';
import { time } from '../../support/wait.mjs';

const HALF = 'and then I would like';
const words = (what) => `Unstuck, an automated watcher, wrote this; a person sent it. Read ${what} before you go on.`;

export async function handsFull(stage) {
  const { agent, model, watcher, parts } = stage;
  const terminal = await stage.open();
  let release = () => {};
  const hold = new Promise((done) => (release = done));
  let round = 0;
  let marks = [];
  model.play((request) => {
    const arrived = marks.filter((mark) => request.text.includes(mark)).length;
    if (arrived >= 3) return { text: 'I did that, too.' };
    if (arrived >= 2) return { text: 'All done.', hold };
    round += 1;
    const last = `sleep 1; echo third ${round}`;
    return { calls: [`echo first ${round}`, `echo second ${round}`, last].map((command) => agent.shell(command)) };
  });
  await terminal.prompt('Look around in this shop.');
  await model.request('of the third turn', () => model.main().length >= 3);
  const { session } = await watcher.session();
  await terminal.type(HALF);

  const sent = Date.now();
  const send = async (what) => (await watcher.send({ kind: 'nudge', text: words(what) }, session, agent.id)).message.id;
  const ids = [await send('README.md'), await send('src/price.js')];
  marks = ids.map((id) => parts.markOf(id));
  const both = await model.request('with both nudges', ({ text }) => marks.every((mark) => text.includes(mark)));
  for (const id of ids) await watcher.receipt(session, id, 'seen');

  const late = await send('test.js');
  marks = [...marks, parts.markOf(late)];
  const ended = Date.now();
  release();
  const third = await model.request('with the third nudge', ({ text }) => text.includes(marks[2]));
  await watcher.receipt(session, late, 'seen');
  await takenOnce(stage, session, [...ids, late]);
  // Claude Code's message to its model about a held stop contains the text twice.
  for (const mark of marks.slice(0, 2)) {
    if (copiesIn(third, mark) !== 1) throw new Error(`a nudge stands ${copiesIn(third, mark)} times in the request`);
  }
  if (model.main().some(({ text }) => text.includes(HALF))) throw new Error('the half-written prompt was sent');
  await terminal.sees('the half-written prompt, still', () => terminal.shows(HALF));
  return `two nudges ${time(both.at - sent)} after they were sent, one more ${time(third.at - ended)} after the last answer; the half-written prompt stayed`;
}
