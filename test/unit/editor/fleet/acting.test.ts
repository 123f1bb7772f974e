import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { AgentState, AgentView } from '../../../../src/core/model';
import { FleetMessages } from '../../../../src/editor/fleet/fleet-messages';
import { FleetRecovery } from '../../../../src/editor/fleet/fleet-recovery';
import { RemoteAgents } from '../../../../src/editor/fleet/remote-agents';
import { type AgentControls, controlsByMachine } from '../../../../src/editor/controls/controls';
import { MINUTE, T0, incident } from '../../history/support/incidents';
import { recordingLog } from '../../support/log';
import { agentView } from '../support/views';
import { editor, resetEditor } from '../support/vscode';
import { FakeFleet } from './support/fake-fleet';

vi.mock('vscode', () => import('../support/vscode'));
beforeEach(resetEditor);

const KEY = 'machine/build-1/s';
const about = incident();

interface Situation {
  readonly allow?: readonly ('nudge' | 'stop' | 'restart')[];
  readonly state?: Partial<AgentState>;
  readonly trusted?: boolean;
  /** True if the window has lost its connection. */
  readonly isCutOff?: boolean;
}

/** One agent on another machine, and what a person can do with it. */
function stage({ allow = ['nudge'], state = { kind: 'stuck' }, trusted = true, isCutOff = false }: Situation = {}) {
  const fleet = new FakeFleet();
  const agents = new RemoteAgents(recordingLog());
  agents.follow(fleet);
  fleet.machine('build-1', {}, allow);
  fleet.is('build-1', agentView('s', state, { incidents: [about] }));
  const messages = new FleetMessages({
    agents,
    client: () => (isCutOff ? null : fleet),
    isTrusted: () => trusted,
    now: () => T0 + 11 * MINUTE,
    expiryMs: () => 60 * MINUTE,
    follow: (sending, key) => sending.onDidChange(() => agents.messageChanged(key)),
  });
  const view = () => agents.view(KEY) as AgentView;
  return { fleet, agents, messages, view, recovery: new FleetRecovery(messages, () => T0 + 11 * MINUTE) };
}

const texts = () => editor.shown.map(({ text }) => text);

describe('a nudge for an agent on another machine', () => {
  it('goes from sending to queued, taken and acted on, as its receipts arrive', async () => {
    const { fleet, messages, view } = stage();
    const draft = messages.draft(view());
    expect(draft).toContain('pytest -q');
    const result = await messages.send(view(), draft, view().incidents[0]);
    expect(result).toMatchObject({ sent: { state: 'queued', onTheWay: { state: 'sending' } } });
    const last = () => view().deliveries.at(-1);
    expect(last()?.onTheWay?.state).toBe('sending');
    fleet.receipt('sent');
    expect(last()?.onTheWay?.state).toBe('sent');
    fleet.receipt('queued');
    expect(last()).toMatchObject({ state: 'queued', times: { queued: T0 + 20 } });
    expect(last()?.onTheWay).toBeUndefined();
    fleet.receipt('taken');
    fleet.receipt('acted', { outcome: 'changed' });
    expect(last()).toMatchObject({ state: 'acted', outcome: 'changed', times: { taken: T0 + 30, acted: T0 + 40 } });
    expect(fleet.sendings()[0]?.message).toEqual({
      machine: 'build-1',
      key: 's',
      action: 'nudge',
      text: draft,
      incident: about.id,
      attempt: 1,
      // A relay takes nothing that waits longer.
      expiresInMs: 10 * MINUTE,
    });
  });

  it('says where it was going when it could not be sent without a connection', async () => {
    const { fleet, messages, view } = stage({ isCutOff: true });
    expect(await messages.send(view(), 'Look.', view().incidents[0])).toEqual({
      message: expect.stringContaining('build-1'),
    });
    expect(fleet.sendings()).toEqual([]);
  });

  it('says why it did not arrive', async () => {
    const { fleet, messages, view } = stage();
    await messages.send(view(), 'Stop and think.', undefined);
    fleet.receipt('refused', { reason: 'cannot_be_reached' });
    expect(view().deliveries.at(-1)).toMatchObject({
      state: 'failed',
      reason: 'its machine cannot do that to this agent',
    });
    await messages.send(view(), 'Stop and think.', undefined);
    fleet.receipt('lost');
    expect(view().deliveries.at(-1)).toMatchObject({
      state: 'failed',
      reason: 'its machine did not accept it in time',
    });
  });

  it('appears once when its machine reports it too, in the later of the two known states', async () => {
    const { fleet, messages, view } = stage();
    await messages.send(view(), 'Stop and think.', undefined);
    fleet.receipt('queued');
    const [mine] = view().deliveries;
    const told = {
      ...(mine as NonNullable<typeof mine>),
      state: 'taken' as const,
      times: { queued: T0, taken: T0 + 5 },
    };
    fleet.is('build-1', agentView('s', { kind: 'stuck' }, { incidents: [about], deliveries: [told] }));
    expect(view().deliveries).toHaveLength(1);
    expect(view().deliveries[0]?.state).toBe('taken');
    fleet.receipt('taken');
    fleet.receipt('acted', { outcome: 'same' });
    expect(view().deliveries).toHaveLength(1);
    expect(view().deliveries[0]).toMatchObject({ state: 'acted', outcome: 'same' });
  });

  it.each<[string, Situation, string]>([
    ['its machine does not allow it', { allow: [] }, 'does not allow this'],
    ['the folder is not trusted', { trusted: false }, 'until you trust this folder'],
    ['it asks for permission', { state: { kind: 'waiting', waitingFor: 'permission' } }, 'needs your permission'],
    ['it has ended', { state: { kind: 'finished', ended: 'clean' } }, 'has ended'],
  ])('is not sent where %s', async (_, situation, why) => {
    const { fleet, messages, view } = stage(situation);
    const result = await messages.send(view(), 'Go on.', undefined);
    expect(result).toMatchObject({ message: expect.stringContaining(why) as string });
    expect(fleet.sendings()).toEqual([]);
    expect(messages.reach(view()).kind).toBe('hindered');
  });

  it('is not sent where the machine is silent, and says so', async () => {
    const { fleet, messages, view } = stage();
    fleet.machine('build-1', { presence: 'silent' }, []);
    expect(messages.reach(view())).toEqual({ kind: 'hindered', why: 'machine_silent' });
    expect(await messages.send(view(), 'Go on.', undefined)).toMatchObject({
      message: 'Its machine is not responding, so nothing can be sent to it.',
    });
    expect(fleet.sendings()).toEqual([]);
  });

  it.each(['unknown_agent', 'not_allowed', 'too_large', 'too_many'] as const)(
    'reports %s in one sentence',
    async (problem) => {
      const { fleet, messages, view } = stage();
      fleet.refuses = problem;
      expect(await messages.send(view(), 'Go on.', undefined)).toMatchObject({
        message: expect.stringMatching(/^Nothing was sent: .+\.$/) as string,
      });
    },
  );

  it('is redacted before it is sent', async () => {
    const { fleet, messages, view } = stage();
    await messages.send(view(), `Use ghp_${'a1B2'.repeat(9)}`, undefined);
    expect(fleet.sendings()[0]?.message.text).not.toContain('ghp_a1B2');
  });

  it('cannot be withdrawn', async () => {
    const { messages, view } = stage();
    expect([messages.canWithdraw(), await messages.withdraw(view())]).toEqual([
      false,
      'This agent runs on build-1. You can only do this there.',
    ]);
  });
});

describe('stop and restart on another machine', () => {
  it('are sent after a question that names the machine', async () => {
    const { fleet, recovery, view } = stage({ allow: ['nudge', 'stop', 'restart'] });
    editor.answers.push('Stop');
    await recovery.stop(view());
    editor.answers.push('Restart with Feedback', 'Restart');
    await recovery.chooseRestart(view());
    expect(texts()).toEqual([
      'Stop Claude Code on build-1?',
      'Stop sent to build-1.',
      'Restart Claude Code on build-1 with feedback?',
      'Restart sent to build-1.',
    ]);
    expect(fleet.sendings().map(({ message }) => [message.action, message.restart?.mode])).toEqual([
      ['stop', undefined],
      ['restart', 'resume'],
    ]);
    // Words for the agent, not a command line.
    expect(Object.keys(fleet.sendings()[1]?.message.restart ?? {})).toEqual(['mode', 'prompt']);
  });

  it('do not answer what the agent asks, so they are sent while it waits, unlike a nudge', async () => {
    const waits = { kind: 'waiting', waitingFor: 'question' } as const;
    const { fleet, recovery, messages, view } = stage({ allow: ['nudge', 'stop', 'restart'], state: waits });
    expect(messages.reach(view())).toMatchObject({ kind: 'hindered' });
    editor.answers.push('Stop');
    await recovery.stop(view());
    expect(fleet.sendings().map(({ message }) => message.action)).toEqual(['stop']);
  });

  it('send nothing if the person cancels', async () => {
    const { fleet, recovery, view } = stage({ allow: ['stop'] });
    editor.answers.push(undefined);
    await recovery.stop(view());
    expect(fleet.sendings()).toEqual([]);
  });

  it('are disabled, with the reason, where the machine does not allow them', async () => {
    const { fleet, recovery, view } = stage({ allow: ['nudge', 'stop'] });
    const shown = recovery.shown(view(), view().incidents[0]);
    expect(shown?.actions.map(({ action, possible }) => [action, possible])).toEqual([
      ['resume', false],
      ['fresh', false],
      ['stop', true],
    ]);
    await recovery.act(view(), view().incidents[0], 'resume');
    expect(texts()).toEqual(['Its machine does not allow this, or cannot reach the agent.']);
    expect(fleet.sendings()).toEqual([]);
  });

  it('leave what needs its files to the machine itself', async () => {
    const { fleet, recovery, view } = stage({ allow: ['nudge', 'stop', 'restart'] });
    await recovery.saveCheckpoint(view());
    await recovery.act(view(), view().incidents[0], 'block');
    expect(texts()).toEqual(Array(2).fill('This agent runs on build-1. You can only do this there.'));
    expect(fleet.sendings()).toEqual([]);
  });
});

it('an agent is reached through the machine on which it runs', () => {
  const [here, there] = [{} as AgentControls, {} as AgentControls];
  const controls = controlsByMachine(here, there);
  expect(controls(agentView('mine'))).toBe(here);
  expect(controls(stage().view())).toBe(there);
});
