import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { AgentView } from '../../../../src/core/model';
import type { CommandParts } from '../../../../src/editor/commands/parts';
import { registerCommands } from '../../../../src/editor/commands/register';
import { T0 } from '../../history/support/incidents';
import { recordingLog } from '../../support/log';
import { agentView } from '../support/views';
import { editor, resetEditor } from '../support/vscode';

vi.mock('vscode', () => import('../support/vscode'));
beforeEach(resetEditor);

const views = [agentView('s'), agentView('t', {}, { machine: { name: 'ci', accepts: [] } as never })];

/** All commands of a window with an agent here and one on another machine, and what they did. */
function stage({ movedAt = Number.NEGATIVE_INFINITY, fails = false, there = views } = {}) {
  const did: string[] = [];
  const log = recordingLog();
  const act = (name: string) => (of?: AgentView | string) => {
    if (fails) return Promise.reject(new Error('The disk is full.'));
    return Promise.resolve(void did.push(`${name} ${typeof of === 'string' ? of : (of?.session ?? '')}`.trim()));
  };
  const recovery = {
    chooseRestart: act('restart'),
    stop: act('stop'),
    goTo: act('go to'),
    copyRestartCommand: act('copy'),
    saveCheckpoint: act('checkpoint'),
  };
  const tells = (name: string) => (what?: unknown) =>
    void did.push([name, ...(what === undefined ? [] : [JSON.stringify(what)])].join(' '));
  const parts = {
    services: {
      agents: { agent: (session: string) => there.find((view) => view.session === session) },
      engine: { changeIncident: () => undefined },
      folders: () => [],
      now: () => T0,
      log,
    },
    list: {
      views: () => there,
      placeName: () => '',
      mute: (session: string) => void did.push(`mute ${session}`),
      showFinished: tells('finished'),
      showOtherFolders: tells('other folders'),
    },
    agents: { movedAt, showMore: tells('more') },
    incidents: { narrow: tells('narrow') },
    overview: { show: tells('overview') },
    statistics: { show: tells('statistics') },
    configuration: { pause: tells('pause') },
    connections: { connect: tells('connect'), connectAll: tells('connect all'), disconnect: tells('disconnect') },
    fleet: { credentials: { set: tells('set credentials'), forget: tells('forget credentials') } },
    showLog: tells('log'),
    panels: { current: () => undefined },
    rules: { show: act('rules') },
    nudge: { send: act('nudge') },
    gates: { run: act('gates'), send: act('send gates'), cancel: act('cancel gates'), forget: tells('forget gates') },
    checkpoints: { restore: act('restore') },
    replay: { start: act('replay'), stop: tells('stop replay') },
    controls: () => ({ recovery }),
  } as unknown as CommandParts;
  registerCommands(parts);
  const run = (name: string, ...args: unknown[]) => editor.registered.get(`unstuck.${name}`)?.(...args);
  return { did, log, run };
}
const told = () => editor.shown.map(({ text }) => text);

describe('a command on an agent', () => {
  it.each([
    ['nudge', 'nudge'],
    ['continue', 'nudge'],
    ['mute', 'mute'],
    ['unmute', 'mute'],
    ['showRules', 'rules'],
    ['runGates', 'gates'],
    ['sendGates', 'send gates'],
    ['cancelGates', 'cancel gates'],
    ['restart', 'restart'],
    ['goToAgent', 'go to'],
    ['copyRestartCommand', 'copy'],
    ['stop', 'stop'],
    ['saveCheckpoint', 'checkpoint'],
  ])('%s acts on the agent that is meant, and on none if none was picked', async (name, does) => {
    const { did, run } = stage();
    await run(name, 's');
    expect(did).toEqual([`${does} s`]);
    const none = stage({ there: [] });
    await none.run(name, undefined);
    expect(none.did.filter((one) => one !== 'gates')).toEqual([]);
  });

  it.each(['runGates', 'sendGates', 'cancelGates', 'goToAgent', 'copyRestartCommand', 'saveCheckpoint', 'unmute'])(
    '%s needs an agent of this machine',
    async (name) => {
      const { did, run } = stage();
      await run(name, 't');
      expect([did, told().length]).toEqual([[], 1]);
    },
  );

  it('restores files where its agent works, and nowhere else', async () => {
    const { did, run } = stage();
    await run('restoreCheckpoint', 's');
    expect(did).toEqual([`restore ${views[0]?.cwd}`]);
    await stage({ there: [] }).run('restoreCheckpoint', undefined);
    expect(did).toHaveLength(1);
  });
});

describe('a click on a row that has just moved', () => {
  const row = { kind: 'agent', view: views[0] };

  it('needs a yes: it may be on another agent than the one that was meant', async () => {
    const { did, run } = stage({ movedAt: T0 - 999 });
    await run('nudge', row);
    expect([told(), did]).toEqual([['Nudge “Task of s”?'], []]);
    editor.answers.push('Nudge');
    await run('nudge', row);
    expect(did).toEqual(['nudge s']);
  });

  it('twin: needs no yes later, or where no row was clicked', async () => {
    const moved = stage({ movedAt: T0 - 999 });
    await moved.run('nudge', 's');
    const later = stage({ movedAt: T0 - 1_000 });
    await later.run('nudge', row);
    expect([told(), moved.did, later.did]).toEqual([[], ['nudge s'], ['nudge s']]);
  });
});

it.each([
  ['pause', 'pause true'],
  ['resume', 'pause false'],
  ['showOverview', 'overview'],
  ['showStatistics', 'statistics'],
  ['showMoreAgents', 'more'],
  ['showFinished', 'finished true'],
  ['showOtherFolders', 'other folders true'],
  ['clearIncidentFilter', 'narrow {"text":"","chips":[]}'],
  ['connectAll', 'connect all'],
  ['forgetGates', 'forget gates'],
  ['setFleetCredentials', 'set credentials'],
  ['forgetFleetCredentials', 'forget credentials'],
  ['stopReplay', 'stop replay'],
  ['showLog', 'log'],
])('the command %s does what it says', async (name, does) => {
  const { did, run } = stage();
  await run(name);
  expect(did).toEqual([does]);
});

it('Connect takes the agent that a link names, and asks which one if a menu passes something else', async () => {
  const { did, run } = stage();
  await run('connect', 'codex');
  await run('connect', { kind: 'note' });
  await run('disconnect', 'codex');
  await run('disconnect', { kind: 'note' });
  expect(did).toEqual(['connect {"agent":"codex"}', 'connect', 'disconnect "codex"', 'disconnect']);
});

it('a command that fails shows the reason and logs it', async () => {
  const { log, run } = stage({ fails: true });
  await run('stop', 's');
  expect(editor.shown).toMatchObject([{ kind: 'error', text: 'Unstuck could not do that: The disk is full.' }]);
  expect(log.lines).toEqual([expect.stringMatching(/^error: unstuck\.stop: .*The disk is full\./)]);
});

it('Continue All reports its result', async () => {
  await stage().run('continueAll');
  expect(told()).toEqual(['No agent is waiting after a usage limit.']);
});

it('Replay shows the list before it begins', async () => {
  const { did, run } = stage();
  await run('replay');
  expect([editor.commands, did]).toEqual([[['unstuck.agents.focus']], ['replay']]);
});
