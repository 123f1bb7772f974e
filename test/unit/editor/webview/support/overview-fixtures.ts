/** Rows of the overview, made by the same function as in the editor. Contains no test code, so that a page can load them too. */
import {
  type AgentState,
  type AgentView,
  type Incident,
  type LoopRun,
  type MachineOfAgent,
  type UsageLimit,
  compareStanding,
  stepFlags,
} from '../../../../../src/core/model';
import type { OverviewMessage, OverviewRow } from '../../../../../src/editor/panel-model';
import { overviewRow } from '../../../../../src/editor/panel-model/build-overview';
import { HINT_LOOK, LIMIT_LOOK, whyWords, stateLook } from '../../../../../src/core/words';
import { NOW, incident } from './panel-fixtures';
import { on, random, texture } from './texture';

const MINUTE = 60_000;

interface Made {
  readonly title: string;
  readonly agentName: string;
  readonly folder: string;
  readonly place?: string;
  readonly state: AgentState;
  readonly repeats?: number;
  readonly letters?: 1 | 2;
  readonly incident?: Partial<Incident>;
  readonly doing?: string;
  readonly steps?: number;
  readonly usageLimit?: UsageLimit;
  readonly machine?: MachineOfAgent;
  readonly run?: LoopRun;
}

const ago = (minutes: number) => NOW - minutes * MINUTE;

/** Ten agents of three folders: three are stuck, one asks for permission. */
const TEN: readonly Made[] = [
  {
    title: 'Rename the billing tables',
    agentName: 'Codex',
    folder: 'billing',
    place: 'billing',
    state: {
      kind: 'waiting',
      waitingFor: 'permission',
      since: ago(4),
      question: 'Run the migration on the dev database?',
    },
  },
  {
    title: 'Fix the flaky checkout test',
    agentName: 'Claude Code',
    folder: 'shop',
    place: 'shop, fix-checkout',
    state: { kind: 'stuck', since: ago(14) },
    repeats: 8,
    incident: { subject: 'npm test -- checkout', count: 8 },
  },
  {
    title: 'Fix the import error in the test suite',
    agentName: 'Claude Code',
    folder: 'shop',
    place: 'shop, main',
    state: { kind: 'stuck', since: ago(8) },
    repeats: 6,
    incident: { subject: 'pytest -q', count: 6 },
  },
  {
    title: 'Port the date parser to Temporal',
    agentName: 'Gemini CLI',
    folder: 'dates',
    place: 'dates',
    state: { kind: 'stuck', since: ago(3) },
    repeats: 10,
    letters: 2,
    incident: { detector: 'cycle', subject: 'npm run build', count: 5 },
  },
  {
    title: 'Speed up the CSV import',
    agentName: 'Aider',
    folder: 'billing',
    place: 'billing',
    state: { kind: 'stalled', since: ago(7) },
    doing: 'npm run build',
  },
  {
    title: 'Write tests for the template parser',
    agentName: 'Cline',
    folder: 'shop',
    place: 'shop, main',
    state: { kind: 'not_monitored', since: ago(2) },
    steps: 0,
  },
  {
    title: 'Translate the error messages',
    agentName: 'Claude Code',
    folder: 'shop',
    place: 'shop, main',
    state: { kind: 'waiting', waitingFor: 'turn_end', since: ago(12) },
    usageLimit: { since: ago(12), opensAt: on(18, 0) },
  },
  {
    title: 'Add rate limiting to the public API',
    agentName: 'Codex',
    folder: 'billing',
    place: 'billing',
    state: { kind: 'working', since: ago(1) },
    doing: 'npm test -- rate-limit',
  },
  {
    title: 'Split the checkout module into parts that can be tested alone, and move the totals',
    agentName: 'Claude Code',
    folder: 'shop',
    place: 'shop, main',
    state: { kind: 'working', since: ago(1) },
    doing: 'Edit src/checkout/totals.ts',
  },
  {
    title: 'Bump the base image',
    agentName: 'Claude Code',
    folder: 'dates',
    place: 'dates',
    state: { kind: 'finished', ended: 'clean', since: ago(12) },
  },
];

/** The strip of an agent: some work, and at its end the repeats, every second or third step. */
function stripOf({ repeats = 0, letters = 1, steps = 100 }: Made, seed: number) {
  const flags = Uint8Array.from(texture(steps, seed, ago(60), NOW), ({ kind, failed }, index) =>
    stepFlags(kind, failed, index % 17 === 5),
  );
  const first = steps - repeats * 2;
  const places = Array.from({ length: repeats }, (_, index) => first + index * 2);
  const pattern = [
    { letter: 'A', subject: 'a', steps: places },
    ...(letters === 2 ? [{ letter: 'B', subject: 'b', steps: places.map((place) => place + 1) }] : []),
  ];
  return { flags, pattern };
}

function rowOf(made: Made, index: number): { readonly view: AgentView; readonly row: OverviewRow } {
  const { flags, pattern } = stripOf(made, index + 3);
  const found = made.incident ? [incident({ count: made.repeats ?? 3, ...made.incident, pattern })] : [];
  const running = made.state.kind === 'working' || made.state.kind === 'stalled';
  const view: AgentView = {
    agent: 'claude-code',
    agentName: made.agentName,
    session: `session-${String(index).padStart(3, '0')}`,
    ...(made.machine && { machine: made.machine }),
    file: '/home/dev/.claude/projects/app/5f2c.jsonl',
    title: made.title,
    ...(made.run && { run: made.run }),
    state: made.state,
    ...(running && {
      doing: { kind: made.doing ? 'tool' : 'model', subject: made.doing ?? 'the model', since: NOW - 5_000 },
    }),
    ...(made.usageLimit && { usageLimit: made.usageLimit }),
    health: {
      calls: flags.length,
      callsByTool: {},
      failures: 0,
      failuresInARow: 0,
      validationFailures: 0,
      validationFailuresInARow: 0,
      gateAttempts: 0,
      blockedByPlanItem: {},
      startedAt: ago(60),
      lastEventAt: made.state.kind === 'stalled' ? made.state.since : NOW - 2_000,
      lastNewAt: NOW - 2_000,
    },
    coverage: { seen: flags.length, there: flags.length, lines: 400, skipped: 0, problems: [], lastReadAt: NOW },
    plan: [],
    incidents: found,
    hints: [],
    nearMisses: [],
    deliveries: [],
    history: false,
    deleted: false,
  };
  const [repeat] = found;
  const doing = whyWords({
    state: view.state,
    now: NOW,
    ...(view.doing && { doing: view.doing }),
    ...(repeat && { repeat: { ...repeat, isStuck: repeat.level === 'stuck' } }),
    ...(made.usageLimit && { usageLimit: made.usageLimit }),
  });
  const working = repeat && made.state.kind === 'working' ? HINT_LOOK : stateLook(made.state);
  const look = made.usageLimit ? LIMIT_LOOK : working;
  const { place = '', folder } = made;
  return {
    view,
    row: overviewRow({ view, steps: { from: 0, flags }, look, doing, place, folder, trusted: true, now: NOW }),
  };
}

function messageOf(made: readonly Made[], changes: Partial<OverviewMessage> = {}): OverviewMessage {
  const all = made.map(rowOf).sort((a, b) => compareStanding(a.view, b.view));
  return {
    whole: true,
    rows: all.map(({ row }) => row),
    order: all.map(({ row }) => row.session),
    now: NOW,
    restricted: false,
    paused: false,
    ...changes,
  };
}

/** Three agents that stopped before their work was done; one is the seventh run of a loop. */
const STOPPED: readonly Made[] = [
  {
    title: 'Move the invoices to the new schema',
    agentName: 'Claude Code',
    folder: 'billing',
    state: { kind: 'waiting', waitingFor: 'error', ended: 'error', since: ago(3), error: 'API Error: 529 Overloaded' },
  },
  {
    title: 'Translate the error messages',
    agentName: 'Codex',
    folder: 'shop',
    state: { kind: 'waiting', waitingFor: 'limit', since: ago(2), until: ago(2) },
  },
  {
    title: 'Work on the next item of the plan',
    agentName: 'Claude Code',
    folder: 'shop',
    run: { number: 7, isLast: true },
    state: {
      kind: 'waiting',
      waitingFor: 'missed_notice',
      since: ago(6),
      missed: { kind: 'command', subject: 'npm run build', endedAt: ago(6), exitCode: 1 },
    },
  },
];

export const stoppedAgents = (): OverviewMessage => messageOf([...STOPPED, ...TEN]);
export const tenAgents = (): OverviewMessage => messageOf(TEN);
const machine = (name: string, more: Partial<MachineOfAgent> = {}): MachineOfAgent => {
  return { name, presence: 'live', lastSeenAt: NOW, accepts: ['nudge'], ...more };
};
const SILENT = machine('build-2', { presence: 'silent', lastSeenAt: ago(4) });

/** The same ten, and agents of two other machines, one of which is silent. Their steps stay there. */
export const machines = (): OverviewMessage =>
  messageOf([
    ...TEN,
    {
      title: 'Upgrade the linter everywhere',
      agentName: 'Codex',
      folder: 'shop',
      place: 'build-1, shop',
      state: { kind: 'stuck', since: ago(6) },
      incident: { subject: 'npm run lint', count: 7 },
      steps: 0,
      machine: machine('build-1'),
    },
    {
      title: 'Translate the help pages',
      agentName: 'Claude Code',
      folder: 'docs',
      place: 'build-1, docs',
      state: { kind: 'working', since: ago(12) },
      steps: 0,
      machine: machine('build-1'),
    },
    {
      title: 'Bisect the memory leak',
      agentName: 'Claude Code',
      folder: 'shop',
      place: 'build-2, shop',
      state: { kind: 'not_monitored', since: ago(4), lost: 'silent' },
      steps: 0,
      machine: SILENT,
    },
  ]);

export const noAgents = (): OverviewMessage => messageOf([]);
export const restrictedAgents = (): OverviewMessage => messageOf(TEN, { restricted: true });

/** The same ten after one of the working agents got stuck: only its row is sent. */
export function oneMoreStuck(): OverviewMessage {
  const made = TEN.map(
    (one): Made =>
      one.title.startsWith('Add rate')
        ? { ...one, state: { kind: 'stuck', since: ago(1) }, repeats: 4, incident: { subject: 'npm test', count: 4 } }
        : one,
  );
  const message = messageOf(made, { whole: false });
  return { ...message, rows: message.rows.filter(({ title }) => title.startsWith('Add rate')) };
}

/** Titles and questions that would be markup, contain hidden characters, or never end. */
export const hostileAgents = (): OverviewMessage =>
  messageOf([
    {
      title: '<img src=x onerror=alert(1)>\u202e'.repeat(20),
      agentName: '<b>agent</b>',
      folder: '../../..',
      place: '"><script>alert(1)</script>',
      state: {
        kind: 'waiting',
        waitingFor: 'question',
        since: ago(4),
        question: `<svg/onload=alert(1)>${'x'.repeat(9_000)}`,
      },
    },
    ...TEN.slice(1),
  ]);

const VERBS = ['Fix', 'Add', 'Port', 'Rename', 'Split', 'Test', 'Document', 'Speed up'];
const THINGS = [
  'the invoices table',
  'the upload test',
  'the API client',
  'the auth path',
  'the date parser',
  'the cart',
];

/** Two hundred agents of eight folders, as a busy machine has them: nine need a person. */
export function manyAgents(count = 200): OverviewMessage {
  const next = random(7);
  const made = Array.from({ length: count }, (_, index): Made => {
    const special = TEN[index];
    if (special) return special;
    const folder = `service-${index % 8}`;
    const base = {
      title: `${VERBS[index % VERBS.length]} ${THINGS[index % THINGS.length]}, part ${index}`,
      agentName: index % 3 === 0 ? 'Codex' : 'Claude Code',
      folder,
      place: folder,
    };
    if (index < 15) {
      return {
        ...base,
        state: { kind: 'stuck', since: ago(index) },
        repeats: 4 + Math.floor(next() * 6),
        incident: { subject: 'make test', count: 5 },
      };
    }
    if (index > count - 14)
      return { ...base, state: { kind: 'finished', ended: 'clean', since: ago(30 + index / 10) } };
    return { ...base, state: { kind: 'working', since: ago(next() * 20) }, doing: 'npm test' };
  });
  return messageOf(made);
}
