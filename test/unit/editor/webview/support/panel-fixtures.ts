/** Snapshots of agents in every state, made by the same function as in the editor. Contains no test code, so that a page can load them too. */
import type {
  AgentState,
  AgentView,
  Delivery,
  DeliveryState,
  Evidence,
  GateReport,
  GateResult,
  Incident,
  InboxMessage,
  MachineOfAgent,
  MessageKind,
  NearMiss,
  Sample,
} from '../../../../../src/core/model';
import {
  PANEL_ACTIONS,
  type PanelAction,
  type PanelHelpedBefore,
  type PanelMarker,
  type PanelRecovery,
  type PanelRung,
  type PanelSnapshot,
  type StepSubjects,
} from '../../../../../src/editor/panel-model';
import { panelSnapshot } from '../../../../../src/editor/panel-model/build';
import type { SnapshotInput } from '../../../../../src/editor/panel-model/snapshot-input';
import { type DrawnStep, drawn, on, random, stepArrays, texture } from './texture';
import { HINDRANCE_TEXTS, type MachineReport, actionName } from '../../../../../src/core/words';

const FILE = '/home/dev/.claude/projects/app/5f2c.jsonl';
export const NOW = on(17, 10, 20);

const OUTPUT = (folder: string, time: string) => `    def test_plugin_path_is_first():
>       assert sys.path[0] == str(PLUGIN_DIR)
E       AssertionError: assert
E         'pytest-${folder}/cwd0' == 'plugins'

tests/test_bootstrap.py:31: AssertionError
FAILED tests/test_bootstrap.py::test_plugin_path_is_first
1 failed, 46 passed in ${time}`;

function sample(text: string, at: number, line: number, ignored: readonly string[]): Sample {
  let from = 0;
  const ranges = ignored.map((part): readonly [number, number] => {
    const start = text.indexOf(part, from);
    from = start + part.length;
    return [start, from];
  });
  return { source: { file: FILE, line, offset: line * 400 }, at, text, ignored: ranges };
}

const TIMES = [on(17, 2, 11), on(17, 3, 29), on(17, 4, 51), on(17, 6, 40), on(17, 8, 20), on(17, 9, 38)] as const;
const LINES = [1204, 1231, 1258, 1299, 1342, 1391] as const;
const STEPS = [202, 204, 206, 209, 211, 213] as const;
const BETWEEN = [
  ['edited sitecustomize.py, +4 −1'],
  ['edited sitecustomize.py, +2 −4'],
  ['edited sitecustomize.py, +6 −2', 'read tests/conftest.py'],
  ['edited sitecustomize.py, +1 −1'],
  ['edited sitecustomize.py, +3 −6'],
] as const;

const DRAFT = `Unstuck, an automated watcher, wrote this; a person sent it.

pytest -q has given the same result 6 times: tests/test_bootstrap.py::test_plugin_path_is_first fails, 46 pass. You edited sitecustomize.py 5 times in between, and the result did not change. That file may not decide it.

Before the next edit, print sys.path and sitecustomize.__file__ inside the failing test and read the output. Do not edit sitecustomize.py again until then.

If nothing is failing any more, ignore this.`;

function evidence(subject = 'pytest -q'): Evidence[] {
  return TIMES.flatMap((at, index) => {
    const line = LINES[index] ?? 0;
    const occurrence: Evidence = {
      source: { file: FILE, line, offset: line * 400 },
      at,
      step: STEPS[index] ?? 0,
      letter: 'A',
      role: index === 0 ? 'first' : 'repeat',
      subject,
      text: '1 failed, 46 passed',
    };
    const between = (BETWEEN[index] ?? []).map(
      (text): Evidence => ({
        source: { file: FILE, line: line + 9, offset: (line + 9) * 400 },
        at: at + 30_000,
        role: 'between',
        subject: 'Edit sitecustomize.py',
        text,
      }),
    );
    return [occurrence, ...between];
  });
}

export function incident(changes: Partial<Incident> = {}): Incident {
  return {
    id: '01JDSTUCK',
    key: 'pytest',
    agent: 'claude-code',
    agentName: 'claude-code',
    session: '5f2c',
    title: 'Fix the import error in the test suite',
    file: FILE,
    detector: 'repeating_outcome',
    rule: null,
    reason: 'repetition_loop',
    exhaustion: null,
    certainty: 'counted',
    level: 'stuck',
    confidence: 0.94,
    state: 'open',
    count: 6,
    firstAt: TIMES[0],
    openedAt: TIMES[2],
    stuckAt: TIMES[3],
    resolvedAt: null,
    updatedAt: TIMES[5],
    firstLine: 1204,
    alertLine: 1258,
    stuckLine: 1299,
    resolvedLine: null,
    subject: 'pytest -q',
    why: '`pytest -q` gave the same result 6 times in the last 12 steps, with 5 different edits of `sitecustomize.py` in between. No edit changed the result: 1 failed, 46 passed.',
    suggestion: 'Find out whether the edited file is loaded at all.',
    clears: [
      '`pytest -q` gets a different result',
      'it does not come back within 12 messages of the agent',
      'you send the agent a message, or its session ends',
    ],
    evidence: evidence(),
    firstSample: sample(OUTPUT('41', '3.41s'), TIMES[0], LINES[0], ['41', '3.41s']),
    lastSample: sample(OUTPUT('46', '3.38s'), TIMES[5], LINES[5], ['46', '3.38s']),
    pattern: [{ letter: 'A', subject: 'pytest -q', steps: [...STEPS] }],
    cleared: null,
    outcome: null,
    attempts: [],
    notified: true,
    history: false,
    reopened: 0,
    ...changes,
  };
}

export function delivery(
  id: string,
  state: DeliveryState,
  times: Partial<Record<DeliveryState, number>>,
  more: Partial<Delivery> = {},
): Delivery {
  const message: InboxMessage = {
    v: 1,
    id,
    t: new Date(times.queued ?? NOW).toISOString(),
    session: '5f2c',
    agent: 'claude-code',
    kind: 'nudge',
    text: DRAFT,
    incident: '01JDSTUCK',
    from: 'unstuck',
    automated: false,
    expires: new Date((times.queued ?? NOW) + 600_000).toISOString(),
  };
  return { message, state, times, ...more };
}

const FIRST_NUDGE = delivery(
  '01NUDGE1',
  'acted',
  { queued: on(17, 6, 58), taken: on(17, 7, 4), seen: on(17, 7, 6), acted: on(17, 8, 20) },
  { outcome: 'same' },
);

const STEPS_OF_LADDER = [
  ['Nudge', 'nudged 17:06, no change', 'nudge'],
  ['Next model', 'opus-4.5', 'next_model'],
  ['Top model', 'opus-4.5, --effort high', null],
  ['Ask you', '', 'ask'],
] as const;

/** The ladder at a step, 1-based, 0 before the first. `notes` replaces the notes of steps by their number. */
function rungs(current: number, notes: Readonly<Record<number, string>> = {}): PanelRung[] {
  return STEPS_OF_LADDER.map(([name, note, action], index) => {
    const number = index + 1;
    const state = number < current ? 'done' : number === current ? 'current' : 'coming';
    return { name, state, note: notes[number] ?? note, action };
  });
}

const IMPOSSIBLE: Readonly<Partial<Record<PanelAction, string>>> = {
  split: 'Its plan has no smaller step.',
  top_model: 'No models are set for this agent (unstuck.recovery.models).',
  stop: 'Not available until this agent is connected.',
};

function recoveryAt(current: number, changes: Partial<PanelRecovery> = {}): PanelRecovery {
  return {
    rungs: rungs(current),
    actions: PANEL_ACTIONS.map((action) => ({
      action,
      name: actionName(action, action === 'next_model' ? 'opus-4.5' : undefined),
      possible: IMPOSSIBLE[action] === undefined,
      text: IMPOSSIBLE[action] ?? 'You asked for it.',
    })),
    recommended: { action: 'nudge', note: '' },
    automatic: null,
    ...changes,
  };
}

const HELPED: PanelHelpedBefore = {
  ways: [
    { name: 'Fresh context', helped: 2, tried: 2 },
    { name: 'Nudge', helped: 0, tried: 1 },
  ],
  noted: '“pytest -q” kept failing: 1 failed: test_add.\nIt continued with: pytest -q passed',
  similar: ['01JDSIM1', '01JDSIM2', '01JDSIM3'],
};

function gate(id: string, status: GateResult['status'], more: Partial<GateResult> = {}): GateResult {
  const startedAt = status === 'skipped' || status === 'not_run' ? 0 : on(16, 57, 40);
  return {
    id,
    name: id,
    command: `npm run ${id}`,
    status,
    reason: '',
    summary: '',
    failures: [],
    startedAt,
    ms: 12_000,
    output: '',
    ...more,
  };
}

function gateReport(changes: Partial<GateReport> = {}): GateReport {
  const results = [
    gate('build', 'passed'),
    gate('tests', 'failed', {
      summary: '1 failed, 46 passed',
      failures: [
        {
          file: 'tests/test_bootstrap.py',
          line: 31,
          test: 'test_plugin_path_is_first',
          message: "AssertionError: assert 'pytest-46/cwd0' == 'plugins'",
        },
      ],
      failed: 1,
      total: 47,
    }),
    gate('lint', 'skipped', { reason: 'needs tests' }),
  ];
  return {
    folder: '/home/dev/app',
    cause: 'claim',
    claim: 'TASK_COMPLETE',
    startedAt: on(16, 57, 30),
    endedAt: on(16, 58, 2),
    verdict: 'failed',
    results,
    attempt: 1,
    notSent: 'a nudge waits for the agent already',
    ...changes,
  };
}

function view(changes: Partial<AgentView>): AgentView {
  return {
    agent: 'claude-code',
    agentName: 'claude-code',
    session: '5f2c',
    file: FILE,
    title: 'Fix the import error in the test suite',
    model: 'sonnet-4.5',
    cwd: '/home/ada/pytest-plugins',
    branch: 'fix/import-path',
    pid: 4711,
    state: { kind: 'working', since: on(16, 4) },
    health: {
      calls: 214,
      callsByTool: { Bash: 90, Edit: 60, Read: 64 },
      failures: 23,
      failuresInARow: 1,
      validationFailures: 0,
      validationFailuresInARow: 0,
      gateAttempts: 0,
      blockedByPlanItem: {},
      contextTokens: 118_000,
      contextWindow: 200_000,
      startedAt: on(16, 4),
      lastEventAt: on(17, 9, 38),
      lastNewAt: on(17, 2, 11),
      lastNewStep: 202,
    },
    coverage: { seen: 214, there: 214, lines: 1391, skipped: 3, problems: [], lastReadAt: NOW - 1000 },
    plan: [],
    incidents: [],
    hints: [],
    nearMisses: [],
    deliveries: [],
    history: false,
    deleted: false,
    ...changes,
  };
}

const SEEN = [151, 176, 184, 189, 195, 201];

function stuckSteps(): DrawnStep[] {
  const steps = [
    ...texture(166, 11, on(16, 4), on(16, 50)),
    ...drawn('r r x r e x! r e x r r e e x r e x! r r e x r r r e x e x! x! r r e e x r x', on(16, 50), on(17, 2)),
    ...drawn('x! e x! e x! e r x! e x! e x!', on(17, 2, 11), on(17, 10, 20)),
  ];
  STEPS.forEach((step, index) => {
    const one = steps[step];
    if (one) steps[step] = { ...one, at: TIMES[index] ?? one.at };
  });
  return steps.map((step, index) => ({ ...step, at: Math.max(step.at, steps[index - 1]?.at ?? 0) }));
}

function marker(kind: PanelMarker['kind'], step: number, at: number, number?: number): PanelMarker {
  return { kind, step, at, text: '', ...(number !== undefined && { number }) };
}

const MARKERS: readonly PanelMarker[] = [
  marker('user', 0, on(16, 4)),
  marker('commit', 58, on(16, 20)),
  marker('user', 96, on(16, 31)),
  marker('commit', 121, on(16, 38)),
  marker('compacted', 148, on(16, 45)),
  marker('user', 170, on(16, 51)),
  marker('compacted', 180, on(16, 54)),
  marker('gate_failed', 194, on(16, 58)),
  marker('stuck', 210, TIMES[3]),
  marker('nudge', 211, on(17, 7, 4), 1),
];

function subjectsOf(steps: readonly DrawnStep[], named: Readonly<Record<number, string>>): StepSubjects {
  const from = Math.max(0, steps.length - 64);
  const words = { looked: 'Read src/app.py', ran: 'pytest tests/unit', changed: 'Edit sitecustomize.py' } as const;
  return {
    from,
    subjects: steps.slice(from).map((step, index) => {
      const kind = step.kind === 'looked' || step.kind === 'ran' ? step.kind : 'changed';
      return named[from + index] ?? words[kind];
    }),
  };
}

const PYTEST = Object.fromEntries(STEPS.map((step) => [step, 'pytest -q']));

/** Repeats in a drawn session, each with the step that it repeats. */
function repeats(neutral: readonly number[], chains: readonly (readonly number[])[]): Map<number, number> {
  const seen = new Map<number, number>(neutral.map((step) => [step, Math.max(0, step - 7)]));
  for (const chain of chains) for (const step of chain.slice(1)) seen.set(step, chain[0] ?? 0);
  return seen;
}

function input(changes: Partial<SnapshotInput> & Pick<SnapshotInput, 'view' | 'steps'>): SnapshotInput {
  return {
    subjects: { from: 0, subjects: [] },
    markers: [],
    past: [],
    flags: { restricted: false, paused: false, gone: false, storeLocked: false },
    draft: '',
    reach: { kind: 'next_call' },
    connected: true,
    now: NOW,
    ...changes,
  };
}

export function stuckInput(): SnapshotInput {
  const steps = stuckSteps();
  const lines: Record<number, number> = Object.fromEntries(STEPS.map((step, index) => [step, LINES[index] ?? 0]));
  return input({
    view: view({
      state: { kind: 'stuck', since: TIMES[0] },
      doing: { kind: 'model', subject: 'the model', since: on(17, 9, 40) },
      incidents: [incident()],
      deliveries: [FIRST_NUDGE],
      gates: gateReport(),
    }),
    recovery: recoveryAt(1),
    helpedBefore: HELPED,
    steps: stepArrays(steps, repeats(SEEN, [STEPS]), (step) => lines[step] ?? step * 6 + 37),
    subjects: subjectsOf(steps, PYTEST),
    markers: MARKERS,
    draft: DRAFT,
  });
}

export function stuck(changes: Partial<SnapshotInput> = {}): PanelSnapshot {
  return panelSnapshot({ ...stuckInput(), ...changes });
}

export function recovering(): PanelSnapshot {
  const base = stuckInput();
  const now = on(17, 11, 11);
  const steps: DrawnStep[] = [
    ...stuckSteps(),
    { kind: 'looked', failed: false, at: on(17, 10, 44) },
    { kind: 'ran', failed: false, at: on(17, 11, 2) },
  ];
  const second = delivery('01NUDGE2', 'taken', { queued: on(17, 10, 24), taken: on(17, 10, 31) });
  return panelSnapshot({
    ...base,
    recovery: recoveryAt(1, { rungs: rungs(1, { 1: 'nudged 2 times, last 17:10, watching' }) }),
    now,
    view: view({
      state: { kind: 'recovering', since: on(17, 10, 31) },
      incidents: [incident({ state: 'nudged' })],
      deliveries: [FIRST_NUDGE, second],
      health: {
        ...base.view.health,
        calls: 216,
        failuresInARow: 0,
        lastNewAt: on(17, 11, 5),
        lastNewStep: 215,
        lastEventAt: on(17, 11, 8),
      },
      coverage: { ...base.view.coverage, seen: 216, there: 216, lastReadAt: now - 1000 },
    }),
    steps: stepArrays(steps, repeats(SEEN, [STEPS]), (step) => base.steps.lines[step] ?? 1180 + (step - 189) * 3 + 69),
    subjects: subjectsOf(steps, { ...PYTEST, 214: 'Read sitecustomize.py', 215: 'python -c "import sys"' }),
    markers: [...MARKERS, marker('nudge', 214, on(17, 10, 31), 2)],
  });
}

const NEAR_MISSES: readonly NearMiss[] = [
  near(
    'repeating_outcome',
    'gh run view 8812: 3 equal results',
    3,
    4,
    'Its result then changed: queued, in progress, passed',
  ),
  near('repeating_action', 'npm test -- rate-limit, 4 times', 0, 3, 'Four different results: 9, 5, 2, 0 failed'),
  near('consecutive_failures', 'npm test, npm run lint', 2, 5, 'tsc passed after them'),
  near('stall', '2 min 10 s in npm run build', 2, 10, 'Builds have 10 min'),
  near('monologue', '2 messages', 2, 4, 'A tool call followed'),
  near('token_exhaustion', '41 % with a commit 6 min ago', 41, 80, 'Progress since'),
];

function near(
  detector: NearMiss['detector'],
  nearest: string,
  reached: number,
  limit: number,
  heldBackBy: string,
): NearMiss {
  return { detector, rule: null, nearest, reached, limit, heldBackBy, at: NOW, source: null };
}

/** Steps that look at the same run. A guard kept a rule from counting them. */
const LOOKS = [96, 101, 104] as const;

/** An agent with something to report in each part of its loop health. */
export function counted(): PanelSnapshot {
  const base = healthyInput();
  return panelSnapshot({
    ...base,
    view: {
      ...base.view,
      plan: [{ id: '2', title: 'Write the migration guide', status: 'blocked' }],
      health: {
        ...base.view.health,
        callsByTool: Object.fromEntries(
          Array.from({ length: 15 }, (_, index) => [`mcp__server__tool_${index}`, 20 - index]),
        ),
        validationFailures: 3,
        validationFailuresInARow: 2,
        gateAttempts: 2,
        blockedByPlanItem: { 2: 3 },
        totalTokens: 1_900_000,
      },
    },
  });
}

function healthyInput(): SnapshotInput {
  const steps = texture(143, 5, on(15, 52), on(17, 10), 0.13);
  return input({
    view: view({
      agent: 'codex',
      agentName: 'codex',
      session: 'rate',
      title: 'Add rate limiting to the public API',
      model: 'gpt-5.1-codex',
      branch: 'feat/rate-limit',
      state: { kind: 'working', since: on(15, 52) },
      doing: { kind: 'tool', subject: 'npm test -- rate-limit', since: NOW - 2000 },
      health: {
        ...view({}).health,
        calls: 143,
        failures: 14,
        failuresInARow: 0,
        contextTokens: 112_000,
        contextWindow: 272_000,
        startedAt: on(15, 52),
        lastEventAt: NOW - 2000,
        lastNewAt: NOW - 2000,
        lastNewStep: 142,
        lastProgress: {
          kind: 'commit',
          at: on(17, 4),
          source: { file: FILE, line: 800, offset: 1 },
          text: 'commit 4be19c2',
        },
      },
      coverage: { seen: 143, there: 143, lines: 889, skipped: 0, problems: [], lastReadAt: NOW - 1000 },
      nearMisses: NEAR_MISSES,
      gates: gateReport({
        cause: 'command',
        claim: '',
        startedAt: on(17, 1),
        endedAt: on(17, 2),
        verdict: 'passed',
        attempt: 0,
        results: [
          gate('build', 'passed', { ms: 31_000 }),
          gate('tests', 'passed', { summary: '212 passed', ms: 9000 }),
          gate('lint', 'passed', { ms: 3000 }),
        ],
        notSent: '',
      }),
    }),
    steps: stepArrays(steps, repeats([22, 47, 60, 88, 111, 127], [LOOKS]), (step) => step * 6 + 37),
    subjects: subjectsOf(steps, {
      142: 'npm test -- rate-limit',
      96: 'gh run view 8812',
      101: 'gh run view 8812',
      104: 'gh run view 8812',
    }),
    markers: [
      marker('user', 0, on(15, 52)),
      marker('commit', 31, on(16, 9)),
      marker('user', 66, on(16, 28)),
      marker('commit', 92, on(16, 42)),
      marker('commit', 98, on(16, 45)),
      marker('gate_passed', 118, on(16, 56)),
      marker('commit', 131, on(17, 4)),
    ],
  });
}

export function healthy(changes: Partial<SnapshotInput> = {}): PanelSnapshot {
  return panelSnapshot({ ...healthyInput(), ...changes });
}

/** An agent that was stuck until a nudge reached it, and now continues. */
export function freed(): PanelSnapshot {
  const takenAt = NOW - 60_000;
  const {
    firstSample: _a,
    lastSample: _b,
    pattern: _c,
    ...was
  } = incident({
    count: 22,
    firstAt: takenAt - 3 * 60_000,
    state: 'recovered',
    outcome: 'nudge',
    resolvedAt: takenAt + 4_000,
    tokensSinceFirst: 41_200,
    progressed: { at: takenAt + 12_000, text: 'pytest -q passed' },
  });
  const sent = {
    attempt: 1,
    kind: 'nudge',
    message: '01JDFREED',
    at: takenAt - 2_000,
    automated: false,
    state: 'acted',
    takenAt,
    outcome: 'changed',
  } as const;
  return healthy({ past: [{ ...was, attempts: [sent] }] });
}

function inState(
  state: AgentState,
  changes: Partial<AgentView> = {},
  more: Partial<SnapshotInput> = {},
): PanelSnapshot {
  const base = healthyInput();
  const { doing: _, ...rest } = base.view;
  return panelSnapshot({ ...base, view: { ...rest, state, ...changes }, ...more });
}

/** A working agent with a warning: a hint, not an alarm. */
export function hinted(): PanelSnapshot {
  const base = stuckInput();
  return panelSnapshot({
    ...base,
    view: {
      ...base.view,
      state: { kind: 'working', since: on(16, 4) },
      incidents: [incident({ level: 'warn', count: 3, confidence: 0.7, stuckAt: null, stuckLine: null })],
      deliveries: [],
      nearMisses: NEAR_MISSES,
    },
    draft: '',
  });
}

const CONTINUE = [
  'Unstuck, an automated watcher, wrote this; a person sent it.',
  'Continue with the task where you left off.',
  'If you are working on it already, ignore this.',
].join('\n\n');

/** An agent that stopped before its work was done. */
function stopped(state: Partial<AgentState>, changes: Partial<AgentView> = {}): PanelSnapshot {
  const since = NOW - 6 * 60_000;
  return inState({ kind: 'waiting', since, ...state }, changes, { draft: CONTINUE, reach: { kind: 'wakes' } });
}

export function stoppedByError(): PanelSnapshot {
  return stopped({ waitingFor: 'error', ended: 'error', error: 'API Error: 529 Overloaded' });
}

export function limitOpened(): PanelSnapshot {
  return stopped({ waitingFor: 'limit', until: NOW - 6 * 60_000 });
}

export function missedNotice(): PanelSnapshot {
  const missed = { kind: 'command', subject: 'npm run build', endedAt: NOW - 6 * 60_000, exitCode: 1 } as const;
  return stopped({ waitingFor: 'missed_notice', missed }, { run: { number: 7, isLast: true } });
}

export function waitingForPermission(): PanelSnapshot {
  const question = 'run the migration on the dev database (psql -f 0042_billing.sql)';
  return inState(
    { kind: 'waiting', since: NOW - 4 * 60_000, waitingFor: 'permission', question },
    {},
    { reach: { kind: 'hindered', why: 'waits_for_permission' } },
  );
}

export function probablyWaiting(): PanelSnapshot {
  const since = NOW - 40_000;
  return inState(
    { kind: 'waiting', since, waitingFor: 'permission', probable: true },
    { doing: { kind: 'tool', subject: 'npm publish', since } },
    { reach: { kind: 'next_call' } },
  );
}

export function yourTurn(): PanelSnapshot {
  return inState(
    { kind: 'waiting', since: NOW - 9 * 60_000, waitingFor: 'turn_end' },
    {},
    { reach: { kind: 'wakes' } },
  );
}

export function stalled(): PanelSnapshot {
  const since = NOW - 7 * 60_000;
  return inState(
    { kind: 'stalled', since },
    {
      doing: { kind: 'tool', subject: 'npm run build', since },
      health: { ...healthyInput().view.health, lastEventAt: since, lastNewAt: since },
      incidents: [
        incident({
          id: '01JDSTALL',
          detector: 'stall',
          reason: 'stall',
          level: 'warn',
          certainty: 'guessed',
          confidence: 0.4,
          count: 7,
          subject: 'npm run build',
          why: 'Nothing was written for 5 min while running `npm run build`. Calls of this kind may take 5 min.',
          clears: ['the next line in the transcript'],
          evidence: [
            {
              source: { file: FILE, line: 889, offset: 355_600 },
              at: since,
              role: 'first',
              subject: 'npm run build',
              text: 'no result yet',
            },
          ],
          firstAt: since,
        }),
      ].map(({ firstSample: _a, lastSample: _b, pattern: _c, ...rest }) => rest),
    },
    {
      reach: { kind: 'long_call', call: 'npm run build', since, until: NOW + 6 * 60_000 },
      recovery: recoveryAt(0, { recommended: { action: 'resume', note: 'helped 2 of 2' } }),
    },
  );
}

export function notMonitored(): PanelSnapshot {
  const base = healthyInput();
  return panelSnapshot({
    ...base,
    view: {
      ...view({
        title: 'Write tests for the template parser',
        agentName: 'cline',
        agent: 'cline',
        state: { kind: 'not_monitored', since: NOW - 120_000 },
        health: {
          ...view({}).health,
          calls: 0,
          failures: 0,
          failuresInARow: 0,
          startedAt: NOW - 600_000,
          lastEventAt: NOW - 120_000,
        },
        coverage: { seen: 0, there: 41, lines: 940, skipped: 611, problems: [], lastReadAt: NOW - 1000 },
      }),
    },
    steps: stepArrays([], new Map(), () => 0),
    subjects: { from: 0, subjects: [] },
    markers: [],
    reach: { kind: 'not_connected', canConnect: true },
    connected: false,
  });
}

export function finished(ended: 'clean' | 'died' = 'clean'): PanelSnapshot {
  return inState({ kind: 'finished', since: NOW, ended }, {}, { reach: null, now: NOW + 12 * 60_000 });
}

export function gone(): PanelSnapshot {
  return inState(
    { kind: 'finished', since: NOW, ended: 'clean' },
    { deleted: true },
    {
      reach: null,
      now: NOW + 3 * 3_600_000,
      flags: { restricted: false, paused: false, gone: true, storeLocked: false },
    },
  );
}

export function restricted(): PanelSnapshot {
  const text = 'Nothing is sent until you trust this folder.';
  const actions = PANEL_ACTIONS.map((action) => ({ action, name: actionName(action), possible: false, text }));
  return stuck({
    flags: { restricted: true, paused: false, gone: false, storeLocked: false },
    reach: { kind: 'hindered', why: 'untrusted' },
    recovery: recoveryAt(1, { actions }),
  });
}

export function escalated(): PanelSnapshot {
  const base = stuckInput();
  return panelSnapshot({
    ...base,
    view: {
      ...base.view,
      state: { kind: 'escalated', since: NOW - 21 * 60_000 },
      incidents: [incident({ state: 'escalated' })],
      deliveries: [
        FIRST_NUDGE,
        delivery('01NUDGE2', 'expired', { queued: on(17, 6, 58), expired: on(17, 16, 58) }),
        delivery(
          '01NUDGE3',
          'withdrawn',
          { queued: on(17, 6, 58), withdrawn: on(17, 7, 2) },
          { reason: 'the agent recovered on its own' },
        ),
      ],
    },
    recovery: recoveryAt(4, {
      rungs: rungs(4, {
        1: 'nudged 2 times, last 17:02, no change',
        2: 'restarted 17:04, no change',
        3: 'restarted 17:06, not delivered',
      }),
    }),
    past: [
      incident({
        id: '01JDPAST1',
        state: 'recovered',
        outcome: 'nudge',
        detector: 'consecutive_failures',
        subject: 'npm test',
        count: 5,
        firstAt: on(16, 20),
        resolvedAt: on(16, 24),
        cleared: 'success',
        evidence: [],
        pattern: [],
      }),
    ],
  });
}

export function queued(connected = true): PanelSnapshot {
  const base = stuckInput();
  const second = delivery('01NUDGE2', 'queued', { queued: on(17, 10, 14) });
  return panelSnapshot({ ...base, connected, view: { ...base.view, deliveries: [FIRST_NUDGE, second] } });
}

/** Two alternating calls: two lanes of tiles. */
export function inTurn(): PanelSnapshot {
  const steps = [
    ...texture(60, 7, on(16, 30), on(16, 58)),
    ...drawn('e x! e x! e x! e x! e x! r e x!', on(16, 58), on(17, 9)),
  ];
  const a = [60, 62, 64, 66, 68, 71];
  const b = [61, 63, 65, 67, 69, 72];
  const row = (step: number, letter: string, role: Evidence['role'], subject: string, text: string): Evidence => ({
    source: { file: FILE, line: step * 6 + 37, offset: step * 2400 },
    at: steps[step]?.at ?? 0,
    step,
    letter,
    role,
    subject,
    text,
  });
  const rows = a.flatMap((step, index) => [
    row(step, 'A', index === 0 ? 'first' : 'repeat', 'Edit src/parser/dates.ts', 'replaced 1 line'),
    row(b[index] ?? 0, 'B', index === 0 ? 'first' : 'repeat', 'npm test -- dates', '4 failed'),
  ]);
  return panelSnapshot(
    input({
      view: view({
        title: 'Port the date parser to Temporal',
        agent: 'gemini-cli',
        agentName: 'gemini-cli',
        model: 'gemini-3-pro',
        branch: 'temporal',
        state: { kind: 'stuck', since: steps[60]?.at ?? 0 },
        health: {
          ...view({}).health,
          calls: 73,
          startedAt: on(16, 30),
          contextTokens: 88_000,
          contextWindow: 1_000_000,
          lastNewStep: 61,
          lastNewAt: steps[61]?.at ?? 0,
          lastEventAt: NOW - 60_000,
        },
        incidents: [
          incident({
            id: '01JDTURN',
            detector: 'action_error_alternation',
            reason: 'alternation_loop',
            count: 6,
            confidence: 0.91,
            firstAt: steps[60]?.at ?? 0,
            subject: 'npm test -- dates',
            why: '2 steps repeat in turn, 6 rounds with the same results.',
            clears: ['one of them gets a new result'],
            evidence: rows,
            pattern: [
              { letter: 'A', subject: 'Edit src/parser/dates.ts', steps: a },
              { letter: 'B', subject: 'npm test -- dates', steps: b },
            ],
          }),
        ].map(({ firstSample: _a, lastSample: _b, ...rest }) => rest),
        deliveries: [],
      }),
      steps: stepArrays(steps, repeats([20, 41], [a, b]), (step) => step * 6 + 37),
      subjects: subjectsOf(steps, {}),
      markers: [marker('user', 0, on(16, 30)), marker('stuck', 66, steps[66]?.at ?? 0)],
      draft: DRAFT,
    }),
  );
}

/** A long session: columns on the strip, more results than the list shows. */
export function long(count = 5000): PanelSnapshot {
  const steps = texture(count, 3, on(9, 0), on(17, 8));
  const next = random(9);
  const chain: number[] = [];
  for (let step = count - 160; step < count; step += 4 + Math.floor(next() * 5)) chain.push(step);
  const rows = [...chain.slice(0, 3), ...chain.slice(-8)].map(
    (step, index): Evidence => ({
      source: { file: FILE, line: step * 6, offset: step * 2400 },
      at: steps[step]?.at ?? 0,
      step,
      letter: 'A',
      role: index === 0 ? 'first' : 'repeat',
      subject: 'cargo test --workspace --all-features -- --test-threads=1 integration::billing::invoices_are_rounded',
      text: 'test result: FAILED. 211 passed; 3 failed; 0 ignored; 0 measured; 18 filtered out; finished in 41.20s',
    }),
  );
  const text = Array.from(
    { length: 214 },
    (_, index) => `line ${index + 1}: ${index % 9 === 0 ? 'warning: unused' : 'ok'}`,
  ).join('\n');
  return panelSnapshot(
    input({
      view: view({
        title:
          'Round every invoice of the billing service to the cent, also for currencies without minor units, keep the audit',
        state: { kind: 'stuck', since: steps[chain[0] ?? 0]?.at ?? 0 },
        health: { ...view({}).health, calls: count, failures: 611, startedAt: on(9, 0), lastEventAt: NOW - 200_000 },
        doing: { kind: 'model', subject: 'the model', since: NOW - 200_000 },
        incidents: [
          incident({
            id: '01JDLONG',
            count: chain.length,
            firstAt: steps[chain[0] ?? 0]?.at ?? 0,
            subject: rows[0]?.subject ?? '',
            evidence: rows,
            pattern: [{ letter: 'A', subject: rows[0]?.subject ?? '', steps: chain }],
            firstSample: sample(text, NOW, 1, []),
            lastSample: sample(
              text.replace('line 100: warning', 'line 100: error').replace('line 101', 'line 101 b'),
              NOW,
              2,
              [],
            ),
          }),
        ],
      }),
      steps: stepArrays(steps, repeats([], [chain]), (step) => step * 6),
      subjects: subjectsOf(steps, {}),
      markers: [marker('user', 0, on(9, 0)), marker('stuck', chain[4] ?? 0, NOW)],
      draft: DRAFT,
    }),
  );
}

/** Transcript text that would be dangerous as markup, and control characters. */
export function hostile(): PanelSnapshot {
  const evil = '<img src=x onerror="document.title=1"><script>document.title=1</script>';
  const base = stuckInput();
  return panelSnapshot({
    ...base,
    view: {
      ...base.view,
      title: `${evil} \u202Egnp.exe\u0007`,
      gates: gateReport({
        claim: evil,
        notSent: evil,
        results: [
          gate(evil, 'failed', {
            summary: `${evil}\u0000`,
            failures: [
              { file: `/${evil.replaceAll(' ', '')}`.repeat(5), line: 3, test: evil, message: `\u2066${evil}` },
            ],
          }),
        ],
      }),
      agentName: evil,
      branch: evil.repeat(3),
      incidents: [
        incident({
          subject: evil,
          why: `\`${evil}\` gave ${evil}\u0000`,
          clears: [evil],
          evidence: evidence(evil.repeat(20)),
          firstSample: sample(`${evil}\u001b[31mred\u0000\u2066x\r\nnext`, NOW, 1, ['red']),
          lastSample: sample(`${evil.repeat(30)}\u001b[31mred`, NOW, 2, ['red']),
        }),
      ],
    },
    draft: `${evil}\u202e`,
    recovery: recoveryAt(1, {
      rungs: rungs(2, { 2: evil.repeat(4) }),
      actions: PANEL_ACTIONS.map((action) => ({ action, name: evil, possible: false, text: evil })),
    }),
    helpedBefore: { ways: [{ name: evil, helped: 0, tried: 1 }], noted: evil, similar: [evil] },
  });
}

/** Automatic mode counts down; the next step starts the agent again. */
export function automatic(held = false): PanelSnapshot {
  const notes = { 1: 'nudged 2 times, last 17:08, no change' };
  return stuck({
    recovery: recoveryAt(1, {
      rungs: rungs(1, notes),
      automatic: held
        ? { held, text: 'You are holding it.' }
        : { held, nextAt: NOW + 40_000, text: 'This will happen automatically unless you hold it.' },
    }),
  });
}

export function held(): PanelSnapshot {
  return automatic(true);
}

/** Automatic mode is on and has nothing to do. */
export function idle(): PanelSnapshot {
  const [nudge, , , ask] = rungs(1);
  if (!nudge || !ask) throw new Error('four steps');
  return stuck({
    recovery: recoveryAt(1, {
      rungs: [nudge, ask],
      automatic: {
        held: false,
        text: 'The next step restarts the agent, which only you or its supervisor can do.',
      },
    }),
  });
}

/** Gates are running. */
export function checking(): PanelSnapshot {
  const base = stuckInput();
  const { notSent: _, ...report } = gateReport({
    startedAt: NOW - 20_000,
    endedAt: null,
    verdict: 'running',
    attempt: 0,
    results: [
      gate('build', 'passed'),
      gate('tests', 'running', { startedAt: NOW - 8000, ms: 0 }),
      gate('lint', 'not_run'),
    ],
  });
  return panelSnapshot({ ...base, view: { ...base.view, gates: report } });
}

/** Gates failed with more failures than are listed. */
export function manyFailures(): PanelSnapshot {
  const base = stuckInput();
  const failures = Array.from({ length: 30 }, (_, index) => ({
    file: `/home/dev/app/packages/billing/src/invoices/rounding/currencies_without_minor_units_${index}.test.ts`,
    line: 100 + index,
    message: 'expected 12 to be 12.00 after rounding to the cent with the rules of the country',
    ...(index % 2 === 0 && { test: 'invoices > are rounded > once' }),
  }));
  const { notSent: _, ...report } = gateReport({
    attempt: 3,
    results: [
      gate('types of every package', 'not_run', { reason: 'stopped after 300 s' }),
      gate('tests', 'failed', { summary: '44 failed, 3 passed', failures, failed: 44, total: 47 }),
    ],
  });
  return panelSnapshot({ ...base, view: { ...base.view, gates: report } });
}

/** Messages other than nudges. */
export function messages(): PanelSnapshot {
  const base = stuckInput();
  const of = (kind: MessageKind, one: Delivery): Delivery => ({ ...one, message: { ...one.message, kind } });
  return panelSnapshot({
    ...base,
    view: {
      ...base.view,
      gates: gateReport({ message: '01GATE' }),
      deliveries: [
        of('checkpoint', delivery('01CHECK', 'taken', { queued: on(17, 5), taken: on(17, 5, 4) })),
        of('gate', delivery('01GATE', 'seen', { queued: on(17, 6), taken: on(17, 6, 4), seen: on(17, 6, 9) })),
        of('block', delivery('01BLOCK', 'expired', { queued: on(17, 6, 30), expired: on(17, 16, 30) })),
        of('restart', delivery('01RESTART', 'queued', { queued: on(17, 8) })),
        of('stop', delivery('01STOP', 'taken', { queued: on(17, 9), taken: on(17, 9, 1) })),
      ],
    },
  });
}

const BUILD: MachineOfAgent = {
  name: 'build-1',
  presence: 'live',
  lastSeenAt: NOW - 3_000,
  accepts: ['nudge', 'stop'],
};

/** An incident as a machine sends it: no sample of a result, and steps by their lines only. */
function sent(evil = ''): Incident {
  const { firstSample: _, lastSample: __, pattern: ___, ...rest } = incident();
  const rows = rest.evidence.map(({ step: ____, ...row }) => ({ ...row, text: `${row.text}${evil}` }));
  return { ...rest, session: 'machine/build-1/5f2c', evidence: rows, file: '' };
}

function told(): readonly MachineReport[] {
  const { detector, rule, subject, count, firstAt } = incident();
  const facts = { level: 'stuck', detector, rule, subject, count, firstAt, cleared: null, outcome: null } as const;
  return [
    { at: on(16, 4), kind: 'state', state: 'working' },
    { at: TIMES[3], kind: 'incident', facts: { ...facts, state: 'open', resolvedAt: null, attempts: 0 } },
    { at: TIMES[3], kind: 'state', state: 'stuck' },
    { at: on(17, 6, 58), kind: 'message', action: 'nudge', viewer: 'laptop' },
    { at: on(17, 7, 4), kind: 'receipt', action: 'nudge', state: 'taken', reason: '' },
    { at: on(17, 9), kind: 'receipt', action: 'restart', state: 'refused', reason: 'not_allowed' },
  ];
}

/** An agent on another machine, stuck; a message is on its way. */
export function remote(
  machine: Partial<MachineOfAgent> = {},
  changes: Partial<AgentView> = {},
  events = told(),
): PanelSnapshot {
  const there = { ...BUILD, ...machine };
  const steps = stepArrays([], new Map(), () => 0);
  const may = (act: 'stop' | 'restart') => there.accepts.includes(act);
  const offer = (action: PanelAction, act: 'stop' | 'restart') => {
    const text = may(act) ? '' : HINDRANCE_TEXTS.not_allowed;
    return { action, name: actionName(action), possible: may(act), text };
  };
  return panelSnapshot(
    input({
      view: view({
        session: 'machine/build-1/5f2c',
        file: '',
        state: { kind: 'stuck', since: TIMES[0] },
        machine: there,
        incidents: [sent()],
        deliveries: [
          FIRST_NUDGE,
          delivery('01NUDGE2', 'queued', {}, { onTheWay: { state: 'sent', at: on(17, 10, 18) } }),
        ],
        ...changes,
      }),
      steps,
      reports: events,
      recovery: {
        rungs: [],
        actions: [offer('resume', 'restart'), offer('fresh', 'restart'), offer('stop', 'stop')],
        recommended: null,
        automatic: null,
      },
      draft: DRAFT,
      reach: { kind: 'elsewhere', machine: 'build-1', isLost: there.presence !== 'live' },
    }),
  );
}

/** Its machine has been silent for four minutes. */
export function remoteSilent(): PanelSnapshot {
  const lastSeenAt = NOW - 4 * 60_000;
  const state = { kind: 'not_monitored', since: lastSeenAt, lost: 'silent' } as const;
  return remote({ presence: 'silent', lastSeenAt }, { state, deliveries: [FIRST_NUDGE] });
}

/** A machine that sends what would be dangerous as markup. */
export function remoteHostile(): PanelSnapshot {
  const evil =
    '<img src=x onerror="document.title=1"><script>document.title=1</script>\u202e[x](command:workbench.action.quit)';
  const events: readonly MachineReport[] = [
    { at: NOW, kind: 'message', action: 'nudge', viewer: evil },
    { at: NOW, kind: 'receipt', action: 'nudge', state: evil, reason: evil },
  ];
  return remote({}, { title: evil, agentName: evil, branch: evil, incidents: [sent(evil)] }, events);
}
