import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PATIENCE } from '../../../support/patience';
import type { GateRun } from '../../../../src/detect/session/gate-run';
import type { SessionGateSignal } from '../../../../src/engine/events';
import type { FolderGates, GateParts } from '../../../../src/recover/gates/ports';
import { QualityGates } from '../../../../src/recover/gates/quality-gates';
import { VerdictFiles } from '../../../../src/recover/gates/verdict-files';
import { deliveries } from '../../../../src/agents/inbox';
import { isFolderArmed } from '../../../../src/agents/inbox/armed-folder';
import { reportEnd } from '../../../../src/agents/inbox/end-file';
import type { IncidentInput } from '../../../../src/detect/incident';
import type { AgentView, GateReport } from '../../../../src/core/model';
import type { ProcessOutcome, ProcessRequest } from '../../../../src/base/processes/process';
import { Emitter } from '../../../../src/base/util/emitter';
import { NOW, SESSION, workspace } from '../../agents/inbox/inbox-kit';

const source = { file: '/t.jsonl', line: 7, offset: 0 };
const gate = { id: 'tests', name: 'tests', command: 'npm test', needs: [], timeoutMs: 1_000 };

/** An agent in a folder with one gate, whose command ends when the test says how. */
class Stage {
  readonly place = workspace();
  readonly signals = new Emitter<SessionGateSignal>();
  readonly judged: GateRun[] = [];
  readonly told: number[] = [];
  readonly inputs: IncidentInput[] = [];
  readonly shown: GateReport[] = [];
  readonly sent: string[] = [];
  readonly notAgreed: string[] = [];
  readonly claimed = new Set<string>();
  readonly requests: ProcessRequest[] = [];
  view: AgentView;
  now = NOW;
  trusted = true;
  onCompletion = true;
  waitMs = 120_000;
  folder: FolderGates = { gates: [gate], agreed: true };
  holds = false;
  otherWindow = false;
  /** The gates of the folder are read once this has settled. */
  reading: Promise<void> | null = null;
  /** A claim is noted as judged once this has settled. */
  noting: Promise<void> | null = null;
  readonly gates: QualityGates;
  private ends: ((outcome: ProcessOutcome) => void)[] = [];

  constructor() {
    this.view = {
      agent: 'claude-code',
      session: SESSION,
      cwd: this.place.root,
      state: { kind: 'waiting', waitingFor: 'turn_end', since: NOW },
      incidents: [],
      deleted: false,
    } as unknown as AgentView;
    const { engine, ...rest } = this.parts();
    this.gates = new QualityGates({ engine, ...rest });
  }

  private parts(): GateParts {
    return {
      engine: {
        onDidSignalGates: this.signals.event,
        agent: () => this.view,
        session: () => undefined,
        showGates: (_, report) => {
          this.shown.push(report);
          this.view = { ...this.view, gates: report };
        },
        judge: (_, run) => void this.judged.push(run),
        turnEnds: (_, at) => void this.told.push(at),
        changeIncident: (_, input) => {
          this.inputs.push(input);
          return true;
        },
        mailChanged: () => undefined,
      },
      processes: {
        run: (request) => {
          this.requests.push(request);
          return new Promise((settle) => {
            this.ends.push(settle);
            request.signal?.addEventListener('abort', () => settle(ended({ ended: 'cancelled', code: null })));
          });
        },
      },
      now: () => this.now,
      log: {
        debug() {},
        info() {},
        warn() {},
        error: (text) => {
          throw new Error(text);
        },
      },
      settings: () => ({ onCompletion: this.onCompletion, parallel: 2, waitMs: this.waitMs }),
      folders: () => [this.place.root],
      isTrusted: () => this.trusted,
      gatesOf: async () => {
        await this.reading;
        return this.folder;
      },
      notAgreed: (folder) => void this.notAgreed.push(folder),
      holds: () => this.holds,
      claim: (_, what) => {
        if (this.otherWindow || this.claimed.has(what)) return Promise.resolve(null);
        this.claimed.add(what);
        return Promise.resolve({ done: () => this.noting ?? Promise.resolve(), release: () => Promise.resolve() });
      },
      mostRefused: () => 3,
      sent: (_, __, message) => void this.sent.push(message),
      pid: process.pid,
    };
  }

  say(signal: SessionGateSignal['signal']): void {
    this.signals.fire({ session: SESSION, signal });
  }

  claim(at = this.now): void {
    this.say({ type: 'claim', claim: { at, source, text: 'TASK_COMPLETE' } });
  }

  /** Waits until this many commands were started. */
  async started(count: number): Promise<void> {
    await until(() => this.requests.length >= count);
  }

  async end(how: Partial<ProcessOutcome>): Promise<void> {
    const before = this.shown.length;
    this.ends.shift()?.(ended(how));
    await until(() => this.shown.slice(before).some(({ endedAt }) => endedAt !== null));
  }

  get last(): GateReport | undefined {
    return this.shown.at(-1);
  }

  async texts(): Promise<string[]> {
    const found = await deliveries(this.place.root, SESSION, this.now);
    return found.ok ? found.value.deliveries.map(({ message }) => `${message.kind}: ${message.text}`) : [];
  }

  file(): { state: string; pid: number } | null {
    const path = join(this.place.root, '.unstuck/inbox', SESSION, 'gate.json');
    return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null;
  }
}

const ended = (how: Partial<ProcessOutcome>): ProcessOutcome => ({
  ended: 'exited',
  code: 0,
  stdout: '',
  stderr: '',
  dropped: 0,
  ms: 5,
  ...how,
});
const FAILED = { code: 1, stdout: 'src/a.py:3:1: error: wrong\n' };

async function until(holds: () => boolean): Promise<void> {
  // The file is written and synced first, which takes as long as the disk needs.
  await vi.waitFor(() => expect(holds()).toBe(true), { ...PATIENCE, interval: 2 });
}

/** Lets everything that is under way come to rest. */
async function rest(): Promise<void> {
  for (let turn = 0; turn < 200; turn++) await new Promise((later) => setImmediate(later));
}

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});
afterEach(async () => {
  stage.gates.dispose();
  await rest();
  stage.place.remove();
});

describe('a claim of completion', () => {
  it('that fails is blocked: the detectors hear it, and the agent is told', async () => {
    stage.claim();
    await stage.started(1);
    expect(stage.requests[0]).toMatchObject({ command: 'npm test', cwd: stage.place.root });
    await stage.end(FAILED);
    expect(stage.judged).toMatchObject([
      { passed: false, blockedBy: 'tests', summary: 'tests failed: 1 problem', claim: { text: 'TASK_COMPLETE' } },
    ]);
    const [text] = await stage.texts();
    expect(text).toMatch(/^gate: ## Completion Blocked: tests failed/);
    expect(text).toContain('src/a.py:3:1 wrong');
    expect(stage.last).toMatchObject({ verdict: 'failed', attempt: 1, message: stage.sent[0] });
  });

  it('that passes clears what was open, without a message', async () => {
    stage.claim();
    await stage.started(1);
    await stage.end({});
    expect(stage.judged).toMatchObject([{ passed: true }]);
    expect(await stage.texts()).toEqual([]);
    expect(stage.last?.verdict).toBe('passed');
  });

  it('whose gate gives no verdict is not blocked', async () => {
    stage.claim();
    await stage.started(1);
    await stage.end({ ended: 'timed_out', code: null });
    expect(stage.judged).toEqual([]);
    expect(await stage.texts()).toEqual([]);
    expect(stage.last).toMatchObject({ verdict: 'none', results: [{ status: 'not_run' }] });
  });

  it('runs nothing without trust, without consent, when switched off, for a sub-agent, and when it is old', async () => {
    stage.trusted = false;
    stage.claim();
    stage.trusted = true;
    stage.onCompletion = false;
    stage.claim();
    stage.onCompletion = true;
    stage.claim(NOW - 600_000);
    stage.view = { ...stage.view, parent: 'other' };
    stage.claim();
    const { parent: _, ...alone } = stage.view;
    stage.view = alone;
    stage.folder = { gates: [gate], agreed: false };
    stage.claim();
    await rest();
    expect(stage.requests).toEqual([]);
    expect(stage.notAgreed).toEqual([stage.place.root]);
  });

  it('runs nothing while the agent asks for permission', async () => {
    stage.view = { ...stage.view, state: { kind: 'waiting', waitingFor: 'permission', since: NOW } };
    stage.claim();
    await rest();
    expect(stage.requests).toEqual([]);
  });

  it('is judged by one of two windows', async () => {
    stage.otherWindow = true;
    stage.claim();
    await rest();
    expect(stage.requests).toEqual([]);
  });

  it('overtakes an earlier one, whose run ends', async () => {
    stage.claim();
    await stage.started(1);
    stage.now += 1_000;
    stage.claim();
    await stage.started(2);
    expect(stage.requests[0]?.signal?.aborted).toBe(true);
    stage.gates.cancel('nobody');
    await rest();
    expect(stage.judged).toEqual([]);
  });

  it('is void when the agent continues editing, or a person writes', async () => {
    stage.claim();
    await stage.started(1);
    stage.say({ type: 'edited', at: stage.now });
    await until(() => stage.last?.verdict === 'cancelled');
    stage.now += 1_000;
    stage.claim();
    await stage.started(2);
    stage.say({ type: 'person', at: stage.now });
    await until(() => stage.last?.verdict === 'cancelled' && stage.last.startedAt === stage.now);
    expect(stage.judged).toEqual([]);
    expect(await stage.texts()).toEqual([]);
  });
});

// the last command has failed, and that is being noted │ the agent edits again, or a person writes │ it has been noted
it.each(['edited', 'person'] as const)('a failed claim is void as well after its last command (%s)', async (type) => {
  let note = () => {};
  stage.noting = new Promise((resolve) => void (note = resolve));
  stage.claim();
  await stage.started(1);
  void stage.end(FAILED);
  await until(() => stage.last?.results[0]?.status === 'failed');
  await rest();
  stage.say({ type, at: stage.now });
  note();
  await until(() => stage.last?.endedAt !== null);
  expect(stage.last?.verdict).toBe('cancelled');
  expect([stage.judged, await stage.texts()]).toEqual([[], []]);
});

describe('the feedback', () => {
  it('is sent three times for a streak, then it is the person’s turn', async () => {
    stage.view = {
      ...stage.view,
      incidents: [{ id: 'I', detector: 'gate_blocked' }] as unknown as AgentView['incidents'],
    };
    for (let attempt = 1; attempt <= 4; attempt++) {
      stage.now += 10_000;
      stage.claim();
      await stage.started(attempt);
      await stage.end(FAILED);
    }
    expect(await stage.texts()).toHaveLength(3);
    expect(stage.inputs.map(({ type }) => type)).toEqual(['attempt', 'attempt', 'attempt', 'escalate']);
    expect(stage.last).toMatchObject({ attempt: 4, notSent: 'it was told 3 times; over to you' });
    expect(stage.judged).toHaveLength(4);
  });

  it('never reaches an agent that asks its user, or has ended', async () => {
    stage.claim();
    await stage.started(1);
    stage.view = { ...stage.view, state: { kind: 'waiting', waitingFor: 'question', since: NOW } };
    await stage.end(FAILED);
    expect(stage.last?.notSent).toBe('the agent is asking a question');
    stage.now += 1_000;
    stage.view = { ...stage.view, state: { kind: 'finished', ended: 'clean', since: NOW } };
    stage.claim();
    await stage.started(2);
    await stage.end(FAILED);
    expect(stage.last?.notSent).toBe('the agent has ended');
    expect(await stage.texts()).toEqual([]);
  });

  it('is sent by a click after a run that a command started, and once by two quick clicks', async () => {
    const done = stage.gates.run({
      folder: stage.place.root,
      gates: [gate],
      session: SESSION,
      signal: new AbortController().signal,
    });
    await stage.started(1);
    await stage.end(FAILED);
    expect((await done).verdict).toBe('failed');
    expect(stage.judged).toEqual([]);
    expect(await stage.texts()).toEqual([]);
    await Promise.all([stage.gates.send(SESSION), stage.gates.send(SESSION)]);
    expect(await stage.texts()).toHaveLength(1);
  });
});

// the gates failed │ Send to Agent: the gates are being read │ another run passes │ they have been read
it('sends nothing by a click, and hides no newer run, if the work has passed meanwhile', async () => {
  stage.claim();
  await stage.started(1);
  stage.view = { ...stage.view, state: { kind: 'waiting', waitingFor: 'question', since: NOW } };
  await stage.end(FAILED);
  stage.view = { ...stage.view, state: { kind: 'waiting', waitingFor: 'turn_end', since: NOW } };
  let read = () => {};
  stage.reading = new Promise((resolve) => void (read = resolve));
  const sending = stage.gates.send(SESSION);
  stage.reading = null;
  stage.now += 1_000;
  stage.claim();
  await stage.started(2);
  await stage.end({});
  read();
  expect((await sending)?.notSent).toBe('no gate failed');
  expect(await stage.texts()).toEqual([]);
  expect(stage.last?.verdict).toBe('passed');
});

describe('a hook that waits for the verdict', () => {
  const publish = vi.spyOn(VerdictFiles.prototype, 'publish');
  afterAll(() => publish.mockRestore());

  /** Waits until everything that was published is on the disk. */
  async function written(): Promise<void> {
    await rest();
    await Promise.all(publish.mock.results.map(({ value }) => value));
  }

  beforeEach(() => {
    publish.mockClear();
    stage.holds = true;
    stage.view = { ...stage.view, mode: 'print', state: { kind: 'finished', ended: 'clean', since: NOW } };
  });

  it('knows from the first edit on that one would come, then that it comes, then what it is', async () => {
    stage.say({ type: 'edited', at: stage.now });
    await until(() => stage.file()?.state === 'armed');
    expect(stage.file()?.pid).toBe(process.pid);
    stage.claim();
    await until(() => stage.file()?.state === 'running');
    await stage.started(1);
    await stage.end(FAILED);
    await until(() => stage.file()?.state === 'failed');
    expect(await stage.texts()).toHaveLength(1);
  });

  it('does not wait for a turn that claims nothing, nor when the window closes', async () => {
    stage.say({ type: 'edited', at: stage.now });
    await until(() => stage.file()?.state === 'armed');
    stage.say({ type: 'no_claim', at: stage.now });
    await until(() => stage.file()?.state === 'none');
    stage.gates.dispose();
    expect(stage.file()).toBeNull();
  });

  it('knows before its session is known that claims in this folder are judged, as long as they are', async () => {
    const isArmed = () => isFolderArmed(stage.place.root, (pid) => pid === process.pid);
    stage.folder = { gates: [gate], agreed: false };
    stage.gates.configure();
    stage.folder = { gates: [gate], agreed: true };
    expect(await isArmed()).toBe(false);
    stage.gates.configure();
    await vi.waitFor(async () => expect(await isArmed()).toBe(true), PATIENCE);
    stage.folder = { gates: [gate], agreed: false };
    stage.gates.configure();
    await vi.waitFor(async () => expect(await isArmed()).toBe(false), PATIENCE);
    stage.folder = { gates: [gate], agreed: true };
    stage.gates.configure();
    await vi.waitFor(async () => expect(await isArmed()).toBe(true), PATIENCE);
    stage.trusted = false;
    stage.gates.configure();
    expect(await isArmed()).toBe(false);
  });

  it('is told at the end of a turn without an edit that nothing will come', async () => {
    stage.say({ type: 'no_claim', at: stage.now });
    expect(stage.file()).toBeNull();
    stage.gates.configure();
    await vi.waitFor(
      async () => expect(await isFolderArmed(stage.place.root, (pid) => pid === process.pid)).toBe(true),
      PATIENCE,
    );
    stage.say({ type: 'no_claim', at: stage.now });
    await until(() => stage.file()?.state === 'none');
  });

  it.each([
    ['the gates are switched off', () => (stage.onCompletion = false)],
    ['it may no longer wait', () => (stage.waitMs = 0)],
  ])('finds nothing to wait for when %s', async (_, change) => {
    stage.say({ type: 'edited', at: stage.now });
    await until(() => stage.file()?.state === 'armed');
    change();
    stage.gates.configure();
    expect(stage.file()).toBeNull();
    stage.say({ type: 'edited', at: stage.now });
    await rest();
    expect(stage.file()).toBeNull();
  });

  // the gates run │ the agent is killed, or the gates are switched off │ the run ends as cancelled
  it.each([
    ['its session has ended', () => stage.say({ type: 'ended', at: stage.now })],
    ['they are switched off', () => ((stage.onCompletion = false), stage.gates.configure())],
  ])('finds nothing to wait for after %s while the gates ran', async (_, end) => {
    stage.say({ type: 'edited', at: stage.now });
    await until(() => stage.file()?.state === 'armed');
    stage.claim();
    await stage.started(1);
    end();
    await until(() => stage.last?.verdict === 'cancelled');
    await written();
    expect(stage.file()).toBeNull();
  });

  // an edit: its gates are being read │ the turn ends with a question, the agent ends, or the gates are switched off │ they have been read
  it.each([
    ['the turn has ended without a claim', () => stage.say({ type: 'no_claim', at: stage.now }), 'none'],
    ['its session has ended', () => stage.say({ type: 'ended', at: stage.now }), undefined],
    ['they are switched off', () => ((stage.onCompletion = false), stage.gates.configure()), undefined],
  ])('does not wait after %s while the gates of an edit were being read', async (_, end, state) => {
    stage.gates.configure();
    await vi.waitFor(
      async () => expect(await isFolderArmed(stage.place.root, (pid) => pid === process.pid)).toBe(true),
      PATIENCE,
    );
    let read = () => {};
    stage.reading = new Promise((resolve) => void (read = resolve));
    stage.say({ type: 'edited', at: stage.now });
    end();
    read();
    await written();
    expect(stage.file()?.state).toBe(state);
  });

  // a claim in the middle of a turn: the gates run │ the agent edits once more: the run is void │ it claims again at the end of the turn
  it('knows that a verdict would come again after an edit that made the run void', async () => {
    stage.say({ type: 'edited', at: stage.now });
    await until(() => stage.file()?.state === 'armed');
    stage.claim();
    await stage.started(1);
    stage.say({ type: 'edited', at: stage.now });
    await until(() => stage.last?.verdict === 'cancelled');
    await written();
    expect(stage.file()?.state).toBe('armed');
  });

  it('reports the end of the turn if no transcript does so in time: once, and nothing from before', async () => {
    stage.say({ type: 'edited', at: stage.now });
    await until(() => stage.file()?.state === 'armed');
    await rest();
    await reportEnd(stage.place.root, SESSION, NOW - 60_000);
    await reportEnd(stage.place.root, 'another session', NOW + 1);
    await reportEnd(stage.place.root, SESSION, NOW + 2);
    await until(() => stage.told.length > 0);
    await rest();
    expect(stage.told).toEqual([NOW + 2]);
    stage.gates.dispose();
    await reportEnd(stage.place.root, SESSION, NOW + 3);
    await rest();
    expect(stage.told).toEqual([NOW + 2]);
  });

  it('an interactive agent has no such file: its hook returns at once', async () => {
    stage.holds = false;
    stage.say({ type: 'edited', at: stage.now });
    stage.claim();
    await stage.started(1);
    expect(stage.file()).toBeNull();
  });
});

it('gates run in the git worktree that the agent works in, with the commands of the repository’s folder', async () => {
  const worktree = workspace();
  const { root } = stage.place;
  mkdirSync(join(root, '.git/worktrees/apart'), { recursive: true });
  writeFileSync(join(root, '.git/HEAD'), 'ref: refs/heads/main');
  writeFileSync(join(root, '.git/worktrees/apart/commondir'), '../..');
  writeFileSync(join(worktree.root, '.git'), `gitdir: ${join(root, '.git/worktrees/apart')}\n`);
  mkdirSync(join(worktree.root, 'src'));
  stage.view = { ...stage.view, cwd: join(worktree.root, 'src') };
  stage.claim();
  await stage.started(1);
  expect(stage.requests[0]?.cwd).toBe(worktree.root);
  worktree.remove();
});
