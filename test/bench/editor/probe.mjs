/**
 * A second extension next to ours, in the same extension host: it reports what the host's process used and, with the profiler, how long our code ran
 * without a break, what it holds after a full garbage collection, what keeps its event loop busy, and how long its threads take to answer.
 */
import http from 'node:http';
import { packExtension } from '../support/extension.mjs';

const source = `
const http = require('node:http');
const inspector = require('node:inspector');
const session = new inspector.Session();
session.connect();
const post = (method, params) => new Promise((done, fail) => session.post(method, params, (error, result) => error ? fail(error) : done(result)));
// What our extension asks its threads, and how long each answer takes, milliseconds.
const { Worker } = require('node:worker_threads');
const { postMessage } = Worker.prototype;
const asked = [];
const heard = new WeakMap();
Worker.prototype.postMessage = function (message, ...rest) {
  if (message && message.request !== undefined) {
    if (!heard.has(this)) {
      const waiting = new Map();
      heard.set(this, waiting);
      this.on('message', ({ request } = {}) => {
        const question = waiting.get(request);
        if (!waiting.delete(request)) return;
        asked.push({ what: question.what, ms: performance.now() - question.at });
      });
    }
    heard.get(this).set(message.request, { what: message.what, at: performance.now() });
  }
  return postMessage.call(this, message, ...rest);
};
const answers = {
  '/asked': async () => asked.splice(0),
  '/cpu': async () => ({ at: performance.now(), pid: process.pid, ...process.cpuUsage() }),
  '/state': async () => {
    // Twice: what the first collection sets free by finalizers goes with the second.
    for (let time = 0; time < 2; time++) await post('HeapProfiler.collectGarbage');
    const kinds = {};
    for (const kind of process.getActiveResourcesInfo()) kinds[kind] = (kinds[kind] || 0) + 1;
    const { user, system } = process.cpuUsage();
    return { pid: process.pid, memory: process.memoryUsage(), kinds, cpu: (user + system) / 1e6 };
  },
  '/start': async () => { await post('Profiler.enable'); await post('Profiler.setSamplingInterval', { interval: 250 }); await post('Profiler.start'); return {}; },
  '/stop': async () => runs((await post('Profiler.stop')).profile),
};
// Lengths of the stretches of samples in each of which our bundle is on the stack, in milliseconds, and where the longest ones were.
function runs(profile) {
  const parents = new Map();
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  for (const node of profile.nodes) for (const child of node.children ?? []) parents.set(child, node.id);
  const ours = new Map();
  const isOurs = (id) => {
    if (id === undefined) return false;
    if (!ours.has(id)) ours.set(id, /unstuck\\.unstuck-[^/]*\\/dist\\//.test(nodes.get(id).callFrame.url) || isOurs(parents.get(id)));
    return ours.get(id);
  };
  const lengths = [];
  let length = 0;
  let names = new Map();
  const end = () => {
    if (length > 0) lengths.push({ ms: length / 1000, where: [...names].sort((a, b) => b[1] - a[1]).slice(0, 3).map(([name]) => name) });
    length = 0;
    names = new Map();
  };
  profile.samples.forEach((id, index) => {
    const time = profile.timeDeltas[index];
    // Collecting garbage goes on for whoever ran before.
    if (isOurs(id) || (length > 0 && nodes.get(id).callFrame.functionName === '(garbage collector)')) {
      length += time;
      const name = nodes.get(id).callFrame.functionName;
      names.set(name, (names.get(name) ?? 0) + time);
    } else end();
  });
  end();
  return { runs: lengths.length, ms: lengths.map((one) => one.ms), longest: lengths.sort((a, b) => b.ms - a.ms).slice(0, 8) };
}
exports.activate = () => {
  const server = http.createServer((request, response) => {
    const answer = answers[request.url];
    Promise.resolve(answer ? answer() : {}).then((value) => response.end(JSON.stringify(value)), (error) => response.end(JSON.stringify({ error: String(error) })));
  });
  // Left by the host before, where the window was loaded anew.
  require('node:fs').rmSync(process.env.UNSTUCK_BENCH_SOCKET, { force: true });
  server.listen(process.env.UNSTUCK_BENCH_SOCKET);
};
`;

/** Makes the probe's package in a folder and returns its path. @param {string} folder */
export function probeExtension(folder) {
  return packExtension(folder, { name: 'probe', displayName: 'Probe', source });
}

/** Queries the probe. @param {string} socketPath @param {'/asked' | '/cpu' | '/state' | '/start' | '/stop'} path @returns {Promise<any>} */
export function ask(socketPath, path) {
  return new Promise((done, fail) => {
    const request = http.get({ socketPath, path }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part) => (text += part));
      response.on('end', () => done(JSON.parse(text)));
    });
    request.on('error', fail);
  });
}
