import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { AgentView, Incident } from '../../../../src/core/model';
import { type AgentIntent, type Scene, carryOut } from '../../../../src/editor/panel/intents';
import { T0, incident } from '../../history/support/incidents';
import { recordingLog } from '../../support/log';
import { agentView } from '../support/views';
import { editor, env, opened, resetEditor, window } from '../support/vscode';

vi.mock('vscode', () => import('../support/vscode'));
beforeEach(resetEditor);

const A = incident({ id: 'A' });
const B = incident({ id: 'B' });
const FILE = agentView('s').file;

interface Situation {
  readonly view?: Partial<AgentView>;
  readonly shown?: Incident;
  readonly past?: Incident;
  /** The result of sending a message. */
  readonly sent?: object;
}

/** A panel that shows an agent with two incidents, B chosen, and what an intent of its page does. */
function stage({ view: more = {}, shown = B, past, sent = { sent: {} } }: Situation = {}) {
  const did: unknown[][] = [];
  const note =
    (name: string, answer?: unknown) =>
    (...args: unknown[]) => {
      did.push([name, ...args.map(named)]);
      return answer;
    };
  const view = agentView('s', {}, { incidents: [A, B], ...more });
  const log = recordingLog();
  const timeline = {
    length: 3,
    line: (step: number) => step + 10,
    offset: (step: number) => step * 100,
    subject: (step: number) => `call ${step}`,
  };
  const controls = {
    messages: { send: note('send', sent), sendAgain: note('send again', sent), withdraw: note('withdraw', 'too late') },
    recovery: { act: note('act'), hold: note('hold'), saveCheckpoint: note('checkpoint') },
  };
  const scene = {
    view,
    incident: shown,
    ...(past && { past }),
    services: {
      log,
      now: () => T0,
      agents: { timeline: () => timeline },
      engine: { session: () => ({ timeline, health: { counted: () => [] } }) },
    },
    parts: {
      configuration: { pause: note('pause') },
      connections: { connect: note('connect') },
      evidence: { show: note('show'), compare: note('compare') },
      gates: {
        run: note('run gates'),
        cancel: note('cancel gates'),
        send: note('send gates'),
        openFailure: note('open failure'),
      },
      controls: () => controls,
      hookPlace: (_: unknown, name: string) => (name === B.subject ? { file: '/home/me/hooks.json', line: 7 } : null),
      incidents: { showSimilar: note('similar') },
      transcripts: { showAll: note('show all') },
    },
    tab: {
      post: note('post'),
      send: note('snapshot'),
      showIncident: note('show incident'),
      keepMode: note('keep mode'),
    },
  } as unknown as Scene;
  return { did, log, view, asks: (intent: AgentIntent) => carryOut(scene, intent) };
}

/** Agents and incidents by name, so that a failed test can be read. */
function named(value: unknown): unknown {
  if (value === A) return 'incident A';
  if (value === B) return 'incident B';
  if (typeof value === 'object' && value !== null && 'session' in value && 'health' in value) return 'the agent';
  return value;
}

describe("a request of the panel's page goes to the part that handles it", () => {
  it.each<[AgentIntent, readonly unknown[]]>([
    [
      { type: 'openLine', file: FILE, line: 7, offset: 70 },
      ['show', { type: 'openLine', file: FILE, line: 7, offset: 70 }, 's'],
    ],
    [{ type: 'openStep', step: 2 }, ['show', { file: FILE, line: 12, offset: 200 }, 's']],
    [
      { type: 'openAll' },
      ['show all', A.evidence.filter(({ role }) => role !== 'between').map(({ source }) => source), 's'],
    ],
    [{ type: 'compareSamples' }, ['compare', 'incident B']],
    [{ type: 'withdraw', id: 'M' }, ['withdraw', 'the agent', 'M']],
    [{ type: 'connect' }, ['connect', 'the agent']],
    [{ type: 'recover', action: 'stop' }, ['act', 'the agent', 'incident B', 'stop']],
    [{ type: 'hold', on: true }, ['hold', 'the agent', 'incident B', true]],
    [{ type: 'saveCheckpoint' }, ['checkpoint', 'the agent']],
    [{ type: 'resume' }, ['pause', false]],
    [{ type: 'runGates' }, ['run gates', 'the agent']],
    [{ type: 'cancelGates' }, ['cancel gates', 'the agent']],
    [{ type: 'sendGates' }, ['send gates', 'the agent']],
    [{ type: 'openFailure', gate: 'tests', failure: 1 }, ['open failure', 'the agent', 'tests', 1]],
    [{ type: 'showSimilar' }, ['similar', 'incident B']],
    [{ type: 'showIncident', id: 'A' }, ['show incident', 'A']],
    [{ type: 'timelineMode', mode: 'time' }, ['keep mode', 'time']],
  ])('%j', async (intent, expected) => {
    const { did, asks } = stage();
    await asks(intent);
    expect(did).toEqual([expected]);
  });

  it.each<[AgentIntent['type'], string, unknown]>([
    ['openTranscript', 'unstuck.openTranscript', 's'],
    ['mute', 'unstuck.mute', 's'],
    ['notStuck', 'unstuck.notStuck', B],
    ['share', 'unstuck.share', B],
    ['showRules', 'unstuck.showRules', 's'],
  ])('%s runs its command', async (type, command, about) => {
    await stage().asks({ type } as AgentIntent);
    expect(editor.commands).toEqual([[command, about]]);
  });

  it.each<[AgentIntent['type'], string]>([
    ['manageTrust', 'workbench.trust.manage'],
    ['nextNeedingMe', 'unstuck.showNextNeedingMe'],
  ])('%s runs its command, which is not about an agent', async (type, command) => {
    await stage().asks({ type } as AgentIntent);
    expect(editor.commands).toEqual([[command]]);
  });
});

describe('a nudge from the panel', () => {
  it('is about the incident that it names, and the next snapshot shows it', async () => {
    const { did, asks } = stage();
    await asks({ type: 'sendNudge', text: 'Print the path.', incident: 'A' });
    expect(did).toEqual([['send', 'the agent', 'Print the path.', 'incident A'], ['snapshot']]);
  });

  it('says why it was not sent', async () => {
    const { asks } = stage({ sent: { message: 'Another window recovers it.' } });
    await asks({ type: 'sendNudge', text: 'x' });
    expect(editor.shown.map(({ text }) => text)).toEqual(['Another window recovers it.']);
  });

  it('is sent again if it is still known', async () => {
    const delivery = { message: { id: 'M' } } as never;
    const { did, asks } = stage({ view: { deliveries: [delivery] } });
    await asks({ type: 'sendAgain', id: 'M' });
    await asks({ type: 'sendAgain', id: 'gone' });
    expect(did).toEqual([['send again', 'the agent', delivery]]);
  });
});

describe('the page cannot make the panel open what it does not show', () => {
  it('a file that is not the transcript of its agent is not opened', async () => {
    const { did, log, asks } = stage();
    await asks({ type: 'openLine', file: '/etc/passwd', line: 1, offset: 0 });
    expect(did).toEqual([]);
    expect(log.lines).toEqual(['warn: the panel requested a file other than its transcript']);
  });

  it('the hook that sends an agent back is opened at its line, and a missing one is reported', async () => {
    const show = vi.spyOn(window, 'showTextDocument');
    await stage().asks({ type: 'openHook' });
    expect(JSON.stringify(show.mock.calls[0])).toContain('/home/me/hooks.json');
    expect(show.mock.calls[0]).toContainEqual({ selection: expect.objectContaining({ startLine: 6 }) });
    const other = incident({ id: 'C', subject: 'another' });
    await stage({ shown: other }).asks({ type: 'openHook' });
    expect(show).toHaveBeenCalledTimes(1);
    expect(editor.shown.map(({ text }) => text)).toEqual([
      'The settings of this agent contain no hook that sends it back.',
    ]);
    show.mockRestore();
  });

  it('a step that does not exist is not opened', async () => {
    const { did, asks } = stage();
    await asks({ type: 'openStep', step: 3 });
    expect(did).toEqual([]);
  });

  it.each<AgentIntent>([
    { type: 'openLine', file: FILE, line: 7, offset: 70 },
    { type: 'openStep', step: 2 },
    { type: 'openAll' },
    { type: 'openTranscript' },
    { type: 'openHook' },
    { type: 'connect' },
    { type: 'notStuck' },
    { type: 'copySample', which: 'first' },
    { type: 'compareSamples' },
    { type: 'showSkipped' },
    { type: 'showCounted', thing: 'failures' },
    { type: 'runGates' },
    { type: 'cancelGates' },
    { type: 'sendGates' },
    { type: 'openFailure', gate: 'tests', failure: 1 },
    { type: 'hold', on: true },
    { type: 'saveCheckpoint' },
    { type: 'showRules' },
    { type: 'withdraw', id: 'M' },
  ])('of an agent on another machine, $type can only be done there', async (intent) => {
    const { did, asks } = stage({ view: { machine: { name: 'build-1', presence: 'live', accepts: [] } as never } });
    await asks(intent);
    expect([did, editor.commands, env.copied]).toEqual([[], [], []]);
    expect(editor.shown.map(({ text }) => text)).toEqual(['This agent runs on build-1. You can only do this there.']);
  });
});

it('steps are named as far as they exist', async () => {
  const { did, asks } = stage();
  await asks({ type: 'describeSteps', from: 1, to: 9 });
  expect(did).toEqual([['post', { type: 'subjects', subjects: { from: 1, subjects: ['call 1', 'call 2'] } }]]);
});

it('what was skipped of the transcript is shown with the reason', async () => {
  await stage().asks({ type: 'showSkipped' });
  expect(opened.map(({ content }) => content)).toEqual([`${FILE}: 0 lines were skipped.\n`]);
});

it('a number of loop health that counts nothing says so', async () => {
  await stage().asks({ type: 'showCounted', thing: 'failures' });
  expect(editor.shown.map(({ text }) => text)).toEqual(['None of these can be opened right now.']);
});

it('a copied result contains no secret', async () => {
  const secret = `ghp_${'a1B2c3D4e5F6g7H8i9'.repeat(2)}`;
  const sample = { ...(A.firstSample ?? { cut: false }), text: `token ${secret}` } as never;
  const { asks } = stage({ view: { incidents: [{ ...A, firstSample: sample }] } });
  await asks({ type: 'copySample', which: 'first' });
  expect(env.copied).toHaveLength(1);
  expect(env.copied[0]).not.toContain(secret);
});

it('an incident of the history is compared as it was kept', async () => {
  const { did, asks } = stage({ shown: B, past: A });
  await asks({ type: 'compareSamples' });
  expect(did).toEqual([['compare', 'incident A']]);
});

it('an agent on another machine is shared without its incident, which only that machine keeps', async () => {
  const { asks } = stage({ view: { machine: { name: 'build-1', presence: 'live', accepts: [] } as never } });
  await asks({ type: 'share' });
  expect(editor.commands).toEqual([['unstuck.share', 's']]);
});
