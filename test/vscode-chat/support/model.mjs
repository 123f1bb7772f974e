/**
 * A scripted model behind VS Code's "custom endpoint" provider (OpenAI chat completions, streamed), on the loopback interface. The scenario is
 * named in the newest message of a person as task-<name>; its step is the number of answers since. A message of Unstuck in the request frees
 * the agent: it changes course, whatever the scenario.
 */
import http from 'node:http';

const CHECK = 'node check.js';
/** The end of our messages. */
const MARK = /\[unstuck ([0-9A-HJKMNP-TV-Z]{26})\]/g;

const terminal = (/** @type {string} */ command) => ({
  name: 'run_in_terminal',
  args: {
    command,
    explanation: 'run the tests',
    goal: 'run tests',
    mode: 'sync',
    isBackground: false,
    timeout: 60_000,
  },
});
const read = (/** @type {string} */ filePath) => ({ name: 'read_file', args: { filePath, startLine: 1, endLine: 5 } });

/** `held`: sent once released. @typedef {{ text: string, calls?: { name: string, args: object }[], delay?: number, held?: boolean }} Say */

/** @returns {Say} */
function scenario(/** @type {string} */ name, /** @type {number} */ step, /** @type {string} */ folder) {
  switch (name) {
    case 'loop':
      return step < 60
        ? { text: 'Running the tests again.', calls: [terminal(CHECK)], delay: 500 }
        : { text: 'I give up.' };
    case 'ends':
      return step < 4
        ? { text: 'Running the tests again.', calls: [terminal(CHECK)], delay: 500 }
        : { text: 'I cannot find it.', held: true };
    case 'wait':
      return step < 1 ? { text: 'I run it.', calls: [terminal('echo asked')] } : { text: 'Done.' };
    case 'sub':
      return step < 1
        ? {
            text: 'I ask a sub-agent.',
            calls: [
              { name: 'runSubagent', args: { prompt: 'task-subwork look at a.txt', description: 'look at a.txt' } },
            ],
          }
        : { text: 'It has answered.' };
    case 'subwork':
      return step < 6
        ? { text: 'Looking.', calls: [read(`${folder}/a.txt`)], delay: 1_500 }
        : { text: 'a.txt says alpha.' };
    default:
      return { text: 'Which of the two should I use?' };
  }
}

/** After a nudge it looks, repairs, runs the same check, which passes now, and makes a few more calls. @returns {Say} */
function freed(/** @type {number} */ step, /** @type {string} */ folder) {
  const content = 'exports.total = (all) => all.reduce((sum, one) => sum + one, 0);\n';
  switch (step) {
    case 0:
      return { text: 'I look at the code first.', calls: [read(`${folder}/sum.js`)], delay: 500 };
    case 1:
      return {
        text: 'The sum was wrong.',
        calls: [{ name: 'create_file', args: { filePath: `${folder}/total.js`, content } }],
        delay: 500,
      };
    case 2:
      return { text: 'The test once more.', calls: [terminal(CHECK)], delay: 500 };
    case 3:
    case 4:
    case 5:
      return { text: 'One more.', calls: [terminal(`node -p "'part ${step}: 0 problems'"`)], delay: 500 };
    default:
      return { text: 'It works now.' };
  }
}

const textOf = (/** @type {any} */ message) =>
  typeof message.content === 'string'
    ? message.content
    : (message.content ?? []).map((/** @type {any} */ part) => part.text ?? '').join('\n');

/** @returns {Say} */
function answer(/** @type {any} */ body) {
  if (!body.tools?.length) return { text: 'A short title' };
  const messages = body.messages ?? [];
  const all = JSON.stringify(messages);
  const folder = /folders:\\n- ([^ \\"]+)/.exec(all)?.[1] ?? '/tmp';
  let at = -1;
  let name = '';
  for (const [index, one] of messages.entries()) {
    const found = one.role === 'user' && [...textOf(one).matchAll(/task-(\w+)/g)].pop();
    if (found) [at, name] = [index, found[1]];
  }
  const answers = (/** @type {number} */ from) =>
    messages.slice(from + 1).filter((/** @type {any} */ one) => one.role === 'assistant').length;
  const marked = messages.findIndex(
    (/** @type {any} */ one, /** @type {number} */ index) => index > at && textOf(one).search(MARK) >= 0,
  );
  if (marked >= 0) return freed(answers(marked), folder);
  if (at >= 0 && textOf(messages[at]).includes('You take over from an agent')) return freed(answers(at), folder);
  return scenario(name, answers(at), folder);
}

/** @returns {Promise<{ url: string, requests: { at: number, marks: string[], text: string }[], release: () => void, close: () => void }>} */
export function startModel() {
  /** @type {{ at: number, marks: string[], text: string }[]} */
  const requests = [];
  let count = 0;
  let release = () => {};
  /** @type {Promise<void>} */
  const released = new Promise((done) => (release = done));
  const serve = async (/** @type {http.IncomingMessage} */ request, /** @type {http.ServerResponse} */ response) => {
    let raw = '';
    for await (const chunk of request) raw += chunk;
    const body = JSON.parse(raw || '{}');
    const text = JSON.stringify(body.messages ?? []);
    if (body.tools?.length)
      requests.push({ at: Date.now(), marks: [...text.matchAll(MARK)].map(([, id = '']) => id), text });
    const say = answer(body);
    await (say.held ? released : new Promise((done) => setTimeout(done, say.delay ?? 0)));
    const calls = (say.calls ?? []).map(({ name, args }, index) => ({
      index,
      id: `call_${String(++count).padStart(12, '0')}`,
      type: 'function',
      function: { name, arguments: JSON.stringify(args) },
    }));
    const base = { id: `chatcmpl_${++count}`, created: Math.floor(Date.now() / 1000), model: body.model };
    const end = calls.length > 0 ? 'tool_calls' : 'stop';
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const send = (/** @type {object} */ part) =>
      response.write(`data: ${JSON.stringify({ ...base, object: 'chat.completion.chunk', ...part })}\n\n`);
    send({ choices: [{ index: 0, delta: { role: 'assistant', content: say.text }, finish_reason: null }] });
    if (calls.length > 0) send({ choices: [{ index: 0, delta: { tool_calls: calls }, finish_reason: null }] });
    send({ choices: [{ index: 0, delta: {}, finish_reason: end }] });
    send({ choices: [], usage: { prompt_tokens: 1_200, completion_tokens: 60, total_tokens: 1_260 } });
    response.end('data: [DONE]\n\n');
  };
  const server = http.createServer((request, response) => void serve(request, response));
  return new Promise((done) =>
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address ? address.port : 0;
      done({
        url: `http://127.0.0.1:${port}/v1/chat/completions`,
        requests,
        release,
        close: () => {
          server.closeAllConnections();
          server.close();
        },
      });
    }),
  );
}
