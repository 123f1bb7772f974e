import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, expect } from 'vitest';
import { systemCheckpointFiles } from '../../../../src/recover/checkpoint/system-files';
import type { Engine } from '../../../../src/engine/engine';
import type { EngineSettings } from '../../../../src/engine/ports';
import { workspaceMail } from '../../../../src/engine/inbox-mail';
import { systemProcesses } from '../../../../src/base/processes/system';
import type { Launch, RecoverySettings, RecoveryStep } from '../../../../src/recover/act/ports';
import { readRecoverySettings } from '../../../../src/recover/act/settings';
import { Recovery } from '../../../../src/recover/act/service';
import { takeMessages } from '../../../../src/agents/inbox';
import type { AgentView, Incident, InboxMessage, MessageKind } from '../../../../src/core/model';
import { type IncidentStore, openStore } from '../../../../src/history';
import { resolveOptions } from '../../../../src/detect/session/options';
import { silentLog } from '../../../../src/base/util/log';
import { keepHistory } from '../../../../src/engine/history/keep';
import { contradictionsIn } from '../../../../src/history/queries/contradictions';
import { FakeClock } from '../../history/support/fake-clock';
import { WASM } from '../../history/support/make';
import { engineOver } from '../../engine/support';
import { STUCK_AT } from '../../support/limits';

export interface StageOptions {
  readonly settings?: Partial<RecoverySettings>;
  readonly supervised?: boolean;
  readonly takes?: readonly MessageKind[];
  /** Finds programs; every program is there by default. */
  readonly findProgram?: (program: string) => Promise<string | null>;
  /** `unstuck.budgets`. */
  readonly budgets?: object;
  /** A checkpoint is saved once this has settled. */
  readonly saving?: () => Promise<void>;
  /** Sessions that work in the chat of the window. */
  readonly chats?: readonly string[];
  /** Sessions that run in a terminal of the window; those that were ended there are added to `ended`. */
  readonly terminals?: { readonly here: readonly string[]; readonly ended: string[] };
}

/** A machine with a workspace folder. Its clock advances only in `until` and `pass`, and with each line of an agent. */
export class Machine {
  readonly home = realpathSync(mkdtempSync(join(tmpdir(), 'unstuck-recovery-')));
  readonly workspace = join(this.home, 'work');
  readonly clock = new FakeClock(Date.now());
  readonly windows: Window[] = [];

  constructor() {
    mkdirSync(this.workspace);
    onTestFinished(() => rmSync(this.home, { recursive: true, force: true, maxRetries: 3 }));
  }

  /** Advances the clock by a tenth of a second at a time until a condition holds. */
  async until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
    for (let look = 0; look < 5000; look++) {
      if (await isSo()) return;
      this.clock.pass(100);
      await new Promise((done) => setTimeout(done, 1));
      // On a busy machine the clock waits for the disk, as a real one would let the disk catch up.
      await stat(this.workspace);
    }
    throw new Error(`never: ${what}; ${this.describe()}`);
  }

  /** Describes the state, for a test that waits in vain. */
  private describe(): string {
    const shown = this.windows.flatMap((window) =>
      window.engine.agents().flatMap((view) => {
        const all = window.engine.session(view.session)?.book.all() ?? [];
        const incidents = all.map(({ detector, level, state, attempts }) => ({
          detector,
          level,
          state,
          attempts,
          now: window.recovery.propose(all[0]?.id ?? '')?.automatic.text,
        }));
        return { session: view.session, state: view.state.kind, incidents, steps: window.steps };
      }),
    );
    return JSON.stringify(shown);
  }

  /** Lets this much time pass, and whatever is due happen. */
  async pass(milliseconds: number): Promise<void> {
    const end = this.clock.now() + milliseconds;
    await this.until(`${milliseconds} ms`, () => this.clock.now() >= end);
  }

  agent(session: string): Agent {
    return new Agent(this, session);
  }

  async window(options: StageOptions = {}): Promise<Window> {
    const window = new Window(this, options);
    await window.open();
    this.windows.push(window);
    return window;
  }

  messages(session: string, folder: 'new' | 'cur' = 'new'): InboxMessage[] {
    const path = join(this.workspace, '.unstuck/inbox', session, folder);
    try {
      return readdirSync(path)
        .sort()
        .map((name) => JSON.parse(readFileSync(join(path, name), 'utf8')) as InboxMessage);
    } catch {
      return [];
    }
  }
}

let windows = 0;

/** One editor window: engine, store and recovery over the machine's folder. */
export class Window {
  readonly launches: Launch[] = [];
  readonly steps: RecoveryStep[] = [];
  engine!: Engine;
  store!: IncidentStore;
  recovery!: Recovery;
  settings: RecoverySettings;
  engineSettings!: EngineSettings;

  constructor(
    readonly machine: Machine,
    readonly options: StageOptions,
  ) {
    this.settings = {
      ...readRecoverySettings({
        automatic: false,
        ladder: undefined,
        limits: undefined,
        brakes: () => ({}),
        models: { generic: ['small', 'middle', 'large'] },
        launch: {
          generic: {
            program: 'agent',
            resume: ['--resume', '{session}', ['--model', '{model}'], '{prompt}'],
            fresh: [['--model', '{model}'], ['--effort', '{thinking}'], '{prompt}'],
          },
        },
        expiryMs: 600_000,
      }),
      ...options.settings,
    };
  }

  async open(): Promise<void> {
    const { clock, workspace, home } = this.machine;
    this.store = await openStore({
      folder: join(home, 'store'),
      wasm: WASM,
      clock,
      window: `window-${++windows}`,
      log: silentLog,
      settleMs: 0,
    });
    const { engine, tail, settings } = engineOver(home, workspace, {
      probe: { list: () => [], read: () => undefined, processStart: () => null },
      clock,
      mail: workspaceMail(
        () => [workspace],
        () => clock.now(),
        silentLog,
        () => true,
      ),
      stored: (id) => this.store.adopt(id),
      settings: {
        detectors: (agent) =>
          resolveOptions({ preset: 'balanced', detectors: {}, budgets: this.options.budgets ?? {} }, agent),
      },
    });
    this.engine = engine;
    this.engineSettings = settings;
    const kept = keepHistory({ engine: this.engine, store: this.store, log: silentLog });
    this.recovery = new Recovery({
      engine: this.engine,
      store: this.store,
      clock,
      log: silentLog,
      processes: systemProcesses(() => []),
      files: {
        ...systemCheckpointFiles,
        temporary: async () => {
          await this.options.saving?.();
          return systemCheckpointFiles.temporary();
        },
      },
      folders: () => [workspace],
      settings: () => this.settings,
      trusted: () => true,
      takes: () => this.options.takes ?? [],
      supervised: () => this.options.supervised ?? false,
      terminals: terminalsOf(this.options.terminals ?? { here: [], ended: [] }),
      chats: { isHere: ({ session }) => this.options.chats?.includes(session) === true },
      findProgram: this.options.findProgram ?? ((program) => Promise.resolve(program)),
      newSession: () => '22222222-0000-4000-8000-000000000001',
      before: () => undefined,
    });
    this.recovery.onLaunch((launch) => this.launches.push(launch));
    this.recovery.onRecovery((step) => this.steps.push(step));
    this.engine.start();
    onTestFinished(async () => {
      this.recovery.dispose();
      kept.dispose();
      this.engine.dispose();
      tail.dispose();
      const events = await this.store.events();
      const closing = this.store.close();
      clock.pass(60_000);
      await closing;
      // Whatever the test is about, the event log of its window must be consistent.
      const told = contradictionsIn(events).map(({ code, text, event }) => {
        const log = events.filter((one) => one.incident === event.incident);
        return [code, text, ...log.map(({ t, id, type, data }) => `${t} ${id} ${type} ${JSON.stringify(data)}`)];
      });
      expect(told).toEqual([]);
    });
  }

  view(session: string): AgentView | undefined {
    return this.engine.agent(session);
  }

  incident(session: string, detector?: string): Incident {
    const all = this.engine.session(session)?.book.all() ?? [];
    const found = all.find((one) => detector === undefined || one.detector === detector);
    if (!found) throw new Error(`no incident of ${session}: ${all.map((one) => one.detector).join()}`);
    return found;
  }

  async untilStuck(session: string, detector?: string): Promise<Incident> {
    await this.machine.until(`${session} is stuck`, () => {
      const all = this.engine.session(session)?.book.all() ?? [];
      return all.some((one) => one.level === 'stuck' && (detector === undefined || one.detector === detector));
    });
    return this.incident(session, detector);
  }

  /** The event log, oldest first. */
  async log(type?: 'Recovery' | 'SubtaskBlocked' | 'ApprovalRequested') {
    let events: Awaited<ReturnType<IncidentStore['events']>> | undefined;
    void this.store.events(type ? { type } : {}).then((found) => (events = found));
    await this.machine.until('the event log is read', () => events !== undefined);
    return events ?? [];
  }
}

function terminalsOf({ here, ended }: NonNullable<StageOptions['terminals']>) {
  return {
    isHere: ({ session }: AgentView) => here.includes(session),
    end: async ({ session }: AgentView) => here.includes(session) && ended.push(session) > 0,
  };
}

/** An agent that writes a generic transcript and reads its inbox. */
export class Agent {
  private calls = 0;
  private readonly file: string;

  constructor(
    private readonly machine: Machine,
    readonly session: string,
  ) {
    this.file = join(machine.workspace, `${session}.agent.jsonl`);
  }

  line(type: string, fields: object = {}): this {
    this.machine.clock.pass(1000);
    const t = this.machine.clock.now();
    appendFileSync(this.file, `${JSON.stringify({ v: 1, t, session: this.session, type, ...fields })}\n`);
    return this;
  }

  /** Each agent has its own task: two successive sessions with the same task in one folder would count as a loop of runs. */
  begin(task = `Fix the failing test of the calculator: ${this.session}`, more: object = {}): this {
    this.line('session_start', { cwd: this.machine.workspace, model: 'small', ...more });
    return this.line('user', { text: task });
  }

  call(name: string, args: object, output: string, isError = false): this {
    const id = `c${++this.calls}`;
    this.line('tool_call', { id, name, args });
    return this.line('tool_result', { id, output, isError, ...(isError && { exitCode: 1 }) });
  }

  /** A call without a result yet. */
  start(name: string, args: object): this {
    return this.line('tool_call', { id: `c${++this.calls}`, name, args });
  }

  /** Repeats a failing command, by default until the agent is stuck. */
  loop(times = STUCK_AT, command = 'pytest -q'): this {
    for (let n = 0; n < times; n++) this.call('bash', { command }, '1 failed, 3 passed: test_add', true);
    return this;
  }

  /** Does something new each time, which counts as progress. */
  work(name: string): this {
    this.call('write_file', { path: `src/${name}.py`, content: `print("${name}")\n` }, 'ok');
    return this.call('bash', { command: `cat src/${name}.py` }, `print("${name}")`);
  }

  /** Takes the queued messages of its inbox and records that in the transcript. */
  async take(by = 'hook:test'): Promise<readonly InboxMessage[]> {
    const { workspace: root, clock } = this.machine;
    const taken = await takeMessages({ root, session: this.session, by, now: clock.now(), choose: (all) => all });
    if (!taken.ok) throw new Error(taken.error.message);
    for (const message of taken.value.messages) this.line('message_taken', { message: message.id });
    return taken.value.messages;
  }
}
