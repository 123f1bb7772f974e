// A scripted model on this machine. The protocol defines the form of requests and answers; the script defines what the model does.
import http from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../support/wait.mjs';
import { anthropic } from './anthropic.mjs';
import { gemini } from './gemini.mjs';
import { openaiChat } from './openai-chat.mjs';
import { openaiResponses } from './openai-responses.mjs';

/** Milliseconds that the model "thinks": no real one is faster, and hooks and readers get their turn. */
const THINKS = 120;
const PROTOCOLS = [anthropic, openaiResponses, openaiChat, gemini];

/**
 * @typedef {object} Call a tool call of the model
 * @property {string} name
 * @property {string} [namespace] of Codex' tools
 * @property {object} args
 *
 * @typedef {object} Reply
 * @property {string} [text]
 * @property {readonly Call[]} [calls] without one the model's turn ends
 * @property {Promise<void>} [hold] the answer waits for it
 * @property {Refusal} [refusal] the service fails instead of answering
 *
 * @typedef {object} Refusal
 * @property {'overloaded' | 'broken' | 'login' | 'limit'} kind
 * @property {number} [opensAt] for a limit, milliseconds since the epoch
 *
 * @typedef {object} Request
 * @property {number} at milliseconds since the epoch
 * @property {string} model
 * @property {string} text the whole body, as JSON
 * @property {object} body
 * @property {boolean} main false: a title, a summary, a count of tokens
 * @property {number} [refusedAt] when its refusal was sent, milliseconds since the epoch
 *
 * @typedef {(request: Request) => Reply} Script
 */

export class ScriptedModel {
  /** @type {Request[]} */
  requests = [];
  /** @type {Script} */
  script = () => ({ text: 'Nothing to do.' });
  #server;

  /** Listens on a free port. @param {string} [host] another address of this machine than loopback */
  static async start(host = '127.0.0.1') {
    const model = new ScriptedModel();
    await new Promise((done) => model.#server.listen(0, host, done));
    return model;
  }

  constructor() {
    this.#server = http.createServer((request, response) => {
      this.#answer(request, response).catch((error) => {
        if (!response.headersSent) response.writeHead(500, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ error: { message: String(error) } }));
      });
    });
  }

  /** `host:port` */
  get address() {
    const { address, port } = this.#server.address();
    return `${address}:${port}`;
  }

  /** Switches the model to another script and forgets earlier requests. @param {Script} script */
  play(script) {
    this.requests = [];
    this.script = script;
  }

  /** The first main request that matches. @param {string} what @param {(request: Request) => boolean} matches */
  request(what, matches) {
    return until(`a request to the model ${what}`, () => this.main().find(matches));
  }

  main() {
    return this.requests.filter((request) => request.main);
  }

  /** Reports what the model was asked, for a failure. */
  tell() {
    const main = this.main();
    const first = this.requests[0]?.at ?? 0;
    const times = main.map(({ at }) => at - first);
    return `the model was asked ${this.requests.length} times, ${main.length} of them main: at ${times.slice(-100).join(' ')} ms`;
  }

  close() {
    this.#server.closeAllConnections();
    return new Promise((done) => this.#server.close(done));
  }

  async #answer(incoming, response) {
    let text = '';
    incoming.setEncoding('utf8');
    for await (const chunk of incoming) text += chunk;
    const url = new URL(incoming.url, 'http://127.0.0.1');
    const protocol = PROTOCOLS.find((one) => one.matches(url.pathname));
    if (!protocol) {
      const models = url.pathname.endsWith('/models');
      response.writeHead(models ? 200 : 404, { 'content-type': 'application/json' });
      response.end(models ? '{"object":"list","data":[],"models":[]}' : '{"error":{"message":"not found"}}');
      return;
    }
    const body = text === '' ? {} : JSON.parse(text);
    const asked = { at: Date.now(), text, body, ...protocol.read(body, url.pathname) };
    this.requests.push(asked);
    const reply = asked.main ? this.script(asked) : { text: 'A small project.' };
    await pause(THINKS);
    await reply.hold;
    if (reply.refusal) {
      const { status, headers = {}, body: words } = protocol.refuse(reply.refusal);
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(words));
      asked.refusedAt = Date.now();
      return;
    }
    protocol.write(response, { calls: [], ...reply }, asked);
  }
}
