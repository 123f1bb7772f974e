import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { LivenessProbe } from '../../../../src/agents/transcripts';
import { systemProbe } from '../../../../src/engine/follow/probe';
import { deliveries, type MessageDraft, sendMessage } from '../../../../src/agents/inbox';
import type { AgentId, Delivery, DeliveryState } from '../../../../src/core/model';
import { supervise, type SupervisorEvent } from '../../../../src/agents/supervisor';
import { PATIENCE } from '../../../support/patience';

/** Small programs that behave like agents. Each prints its input, so that the test can read it. */
export const FAKES = {
  /** Returns what it reads, byte for byte, and exits with 7. */
  echo: `process.stdin.on('data', (data) => process.stdout.write(data)); process.stdin.on('end', () => { process.exitCode = 7; });`,
  /** Prints its arguments and its prompt, then works until it is ended. */
  worker: `console.log(JSON.stringify({ argv: process.argv.slice(2), prompt: process.env.UNSTUCK_PROMPT ?? null }));
    setInterval(() => {}, 1000);`,
  /** Exits with 3 when it is told to end. */
  polite: `for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => { console.log(signal); process.exit(3); });
    console.log('{}'); setInterval(() => {}, 1000);`,
  /** Cannot be told to end. */
  deaf: `for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => {});
    console.log('{}'); setInterval(() => {}, 1000);`,
  /** Claude Code with JSON lines: names its session, repeats its input, answers control requests, ends with its input. */
  claude: `const print = (value) => console.log(JSON.stringify(value));
    const flag = process.argv.indexOf('--resume');
    const session = flag > 0 && !process.argv.includes('--fork-session') ? process.argv[flag + 1] : 'made-by-' + process.argv.length;
    print({ type: 'system', subtype: 'init', session_id: session, argv: process.argv.slice(2) });
    let text = '';
    process.stdin.on('data', (data) => {
      text += data;
      for (let end = text.indexOf('\\n'); end >= 0; end = text.indexOf('\\n')) {
        const line = JSON.parse(text.slice(0, end));
        text = text.slice(end + 1);
        if (line.type === 'control_request')
          print({ type: 'control_response', response: { subtype: 'success', request_id: line.request_id } });
        print({ type: 'told', line });
        if (line.message?.content === 'end your turn') print({ type: 'result' });
      }
    });
    process.stdin.on('end', () => { print({ type: 'closed' }); });`,
  /** Codex's server: one thread with one turn, answers all requests and prints what it was asked. */
  codex: `const print = (value) => console.log(JSON.stringify(value));
    print({ method: 'thread/started', params: { thread: { id: 'thread-1' } } });
    print({ method: 'turn/started', params: { threadId: 'thread-1', turn: { id: 'turn-1' } } });
    let text = '';
    process.stdin.on('data', (data) => {
      text += data;
      for (let end = text.indexOf('\\n'); end >= 0; end = text.indexOf('\\n')) {
        const asked = JSON.parse(text.slice(0, end));
        text = text.slice(end + 1);
        print({ method: 'asked', params: { asked } });
        const result = /thread\\/(start|fork)/.test(asked.method) ? { thread: { id: 'thread-2' } } : {};
        print({ id: asked.id, result });
      }
    });
    process.stdin.on('end', () => process.exit(0));`,
  /** One run of a loop, behaving like Claude Code: in the registry while it lives, ignores everything, done after a moment unless it is the third. */
  round: `const { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
    const runs = __dirname + '/runs';
    mkdirSync(runs, { recursive: true });
    const session = 'run-' + (readdirSync(runs).length + 1);
    writeFileSync(runs + '/' + session, '');
    const entry = __dirname + '/.claude/sessions/' + process.pid + '.json';
    mkdirSync(__dirname + '/.claude/sessions', { recursive: true });
    const stat = readFileSync('/proc/self/stat', 'utf8');
    const procStart = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    writeFileSync(entry, JSON.stringify({ pid: process.pid, sessionId: session, procStart, status: 'busy' }));
    console.log(JSON.stringify({ session, prompt: process.env.UNSTUCK_PROMPT ?? null }));
    const leave = () => { rmSync(entry, { force: true }); process.exit(0); };
    for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, leave);
    setTimeout(leave, session === 'run-3' ? 600_000 : 700);`,
} as const;

export interface Run {
  readonly ended: Promise<number>;
  readonly stdin: PassThrough;
  readonly events: SupervisorEvent[];
  /** Everything that was passed on from standard output. */
  output(): string;
  /** The lines of standard output that are JSON. */
  printed(): readonly Record<string, unknown>[];
  signal(signal: NodeJS.Signals): void;
  send(
    draft: Omit<MessageDraft, 'agent' | 'automated' | 'session' | 'text'> & { session?: string; text?: string },
  ): Promise<Delivery>;
  reaches(id: string, state: DeliveryState, session?: string): Promise<Delivery>;
  until<T>(ask: () => T | Promise<T>): Promise<NonNullable<T>>;
}

/** A workspace folder with the fakes in it. */
export class Bench {
  readonly folder = mkdtempSync(join(tmpdir(), 'unstuck-supervisor-'));

  command(fake: keyof typeof FAKES, ...args: readonly string[]): readonly string[] {
    const file = join(this.folder, `${fake}.cjs`);
    writeFileSync(file, FAKES[fake]);
    return [process.execPath, file, ...args];
  }

  /** A script that starts a fake again and again. */
  loop(fake: keyof typeof FAKES, ...args: readonly string[]): readonly string[] {
    const file = join(this.folder, 'ralph.sh');
    writeFileSync(file, `while :; do ${this.command(fake, ...args).join(' ')}; done\n`);
    return ['sh', file];
  }

  run(
    agent: AgentId,
    command: readonly string[],
    more: {
      session?: string;
      args?: readonly string[];
      limits?: { most: number; pause: number };
      probe?: LivenessProbe;
    } = {},
  ): Run {
    const stdin = new PassThrough();
    const stdout = new PassThrough();
    const events: SupervisorEvent[] = [];
    const chunks: Buffer[] = [];
    const listeners = new Set<(signal: NodeJS.Signals) => void>();
    stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    const ended = supervise({
      agent,
      command,
      folder: this.folder,
      env: process.env,
      streams: { stdin, stdout, stderr: new PassThrough().resume() },
      environment: { home: this.folder, env: {}, platform: process.platform },
      probe: systemProbe,
      now: Date.now,
      report: (event) => void events.push(event),
      onSignal(listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
      patience: { requested: 1_500, terminated: 400 },
      ...more,
    });
    const until = async <T>(ask: () => T | Promise<T>): Promise<NonNullable<T>> => {
      for (const end = Date.now() + PATIENCE.timeout; Date.now() < end; ) {
        const answer = await ask();
        if (answer) return answer;
        await new Promise((done) => setTimeout(done, 15));
      }
      throw new Error(
        `it did not come; printed: ${Buffer.concat(chunks).toString()}; events: ${JSON.stringify(events)}`,
      );
    };
    const output = () => Buffer.concat(chunks).toString();
    return {
      ended,
      stdin,
      events,
      output,
      until,
      printed: () =>
        output()
          .split('\n')
          .filter((line) => line.startsWith('{'))
          .map((line) => JSON.parse(line) as Record<string, unknown>),
      signal: (signal) => listeners.forEach((listener) => listener(signal)),
      send: async ({ session = more.session ?? '', text = 'You repeat yourself.', ...draft }) => {
        const sent = await sendMessage(this.folder, { agent, automated: false, session, text, ...draft }, Date.now());
        if (!sent.ok) throw new Error(sent.error.message);
        return sent.value;
      },
      reaches: (id, state, session = more.session ?? '') =>
        until(async () => {
          const list = await deliveries(this.folder, session, Date.now());
          const found = list.ok ? list.value.deliveries.find(({ message }) => message.id === id) : undefined;
          return found?.state === state ? found : undefined;
        }),
    };
  }

  dispose(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
