import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AgentState, AgentView } from '../../../../src/core/model';
import { AgentNotices, type AgentNoticesHost } from '../../../../src/editor/notifications/agent-notices';
import { readSettings } from '../../../../src/editor/settings/settings';
import { Emitter } from '../../../../src/base/util/emitter';
import { MINUTE, T0 } from '../../history/support/incidents';
import { recordingLog } from '../../support/log';
import { agentView } from '../support/views';
import { editor, resetEditor, window, workspace } from '../support/vscode';

vi.mock('vscode', () => import('../support/vscode'));

const made: AgentNotices[] = [];

/** Notices about agents in a window whose clock moves with the timers. */
function stage(
  settings: Readonly<Record<string, unknown>> = {},
  claimed: () => boolean = () => true,
  isInFront: (view: AgentView) => boolean = () => false,
  there: readonly AgentView[] = [],
) {
  const changes = new Emitter<readonly string[]>();
  const views = new Map(there.map((view) => [view.session, view]));
  let claims = 0;
  const did: string[] = [];
  const log = recordingLog();
  const host: AgentNoticesHost = {
    services: {
      agents: {
        onDidChange: changes.event,
        agent: (session: string) => views.get(session),
        shownAgent: (session: string) => views.get(session),
        agents: () => [...views.values()],
      },
      store: {
        claim: () => Promise.resolve(claimed() ? (claims++, { done: () => Promise.resolve(void claims--) }) : null),
      },
      settings: () =>
        readSettings({ get: (name) => settings[name], inspect: (name) => ({ globalValue: settings[name] }) }, true),
      now: () => Date.now(),
      log,
      agentNames: new Map([['claude-code', 'Claude Code']]),
    } as unknown as AgentNoticesHost['services'],
    list: { isMuted: (session: string) => session === 'muted', placeName: () => 'api' },
    panels: {
      show: (session: string) => void did.push(`panel ${session}`),
      isVisible: (session) => session === 'shown',
    },
    controls: (({ session }: AgentView) => ({
      messages: {
        reach: () => ({ kind: 'wakes' }),
        send: (_: unknown, text: string) => Promise.resolve({ sent: did.push(`${session}: ${text}`) }),
      },
      recovery: {
        chooseRestart: () => Promise.resolve(void did.push(`restart ${session}`)),
        surfaceLeft: () => (session === 'in a terminal' ? 'terminal' : null),
        goTo: () => Promise.resolve(void did.push(`terminal of ${session}`)),
        isInFront,
      },
    })) as unknown as AgentNoticesHost['controls'],
    goTo: ({ session }) => Promise.resolve(void did.push(`go to ${session}`)),
  };
  const notices = new AgentNotices(host);
  made.push(notices);
  const is = (session: string, state: Partial<AgentState>, more: Partial<AgentView> = {}) => {
    views.set(session, agentView(session, { since: Date.now(), ...state }, more));
    changes.fire([session]);
  };
  const goes = (session: string) => {
    views.delete(session);
    changes.fire([session]);
  };
  return { is, goes, did, log, openClaims: () => claims, close: () => notices.dispose() };
}

const later = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const texts = () => editor.shown.map(({ text }) => text);

beforeEach(() => {
  vi.useFakeTimers({ now: T0 });
  resetEditor();
});
afterEach(() => {
  for (const notices of made.splice(0)) notices.dispose();
  vi.useRealTimers();
});

describe('an agent that waits for a person', () => {
  const asks = { kind: 'waiting', waitingFor: 'question', question: 'Which port?' } as const;

  it('is reported after two minutes, with its question and its place, and leads there', async () => {
    const { is, did } = stage();
    is('a', asks);
    editor.answers.push('Go There');
    await later(2 * MINUTE - 1);
    expect(texts()).toEqual([]);
    await later(2_000);
    expect(texts()).toEqual(['“Task of a” (api) asks: Which port? It has been waiting for 2 min.']);
    expect(did).toEqual(['go to a']);
  });

  it('is not reported while a person looks at its panel, while it is muted, or after another window reported it', async () => {
    stage().is('shown', asks);
    stage().is('muted', asks);
    stage({}, () => false).is('a', asks);
    await later(3 * MINUTE);
    expect(texts()).toEqual([]);
    window.state.focused = false;
    await later(15_000);
    expect(texts()).toHaveLength(1);
  });

  it('is not reported while its terminal is in front, which is first looked up when the wait begins', async () => {
    let inFront = false;
    const { is } = stage({}, undefined, () => {
      const known = inFront;
      inFront = true;
      return known;
    });
    is('a', asks);
    await later(3 * MINUTE);
    expect(texts()).toEqual([]);
    window.state.focused = false;
    await later(15_000);
    expect(texts()).toHaveLength(1);
  });

  it('is reported if it was already waiting when the window opened', async () => {
    stage({}, undefined, undefined, [agentView('a', { since: T0 - 10 * MINUTE, ...asks })]);
    await later(15_000);
    expect(texts()).toHaveLength(1);
  });

  it('shares one notification with others', async () => {
    const { is } = stage();
    is('a', asks);
    is('b', asks);
    editor.answers.push('Next Agent');
    await later(3 * MINUTE);
    expect(texts()).toEqual(['2 agents are waiting for you.']);
    expect(editor.commands).toEqual([['unstuck.showNextNeedingMe']]);
  });
});

describe('40 agents that ask at once', () => {
  const asks = {
    kind: 'waiting',
    waitingFor: 'permission',
    calls: [{ id: 'c', name: 'Bash', subject: 'psql' }],
  } as const;
  const names = Array.from({ length: 40 }, (_, index) => `agent ${index}`);

  it('share one notification, and there is never a second one', async () => {
    const { is } = stage();
    for (const name of names) is(name, asks);
    await later(10 * MINUTE);
    expect(texts()).toEqual(['40 agents are waiting for you.']);
  });

  it('are counted without those that were answered in the meantime', async () => {
    const { is } = stage();
    for (const name of names) is(name, asks);
    await later(2 * MINUTE);
    for (const name of names.slice(2)) is(name, {});
    await later(1_000);
    expect(texts()).toEqual(['2 agents are waiting for you.']);
  });
});

describe('a notification leads to', () => {
  const die = (is: ReturnType<typeof stage>['is'], sessions: readonly string[]) => {
    for (const session of sessions) is(session, {});
    for (const session of sessions) is(session, { kind: 'finished', ended: 'died' });
    return later(1_000);
  };

  it('the panel of the agent that is meant', async () => {
    const { is, did } = stage();
    await die(is, ['a']);
    expect(did).toEqual([]);
    editor.answers.push('Show Agent');
    await die(is, ['b']);
    expect(did).toEqual(['panel b']);
  });

  it('the list, for several agents', async () => {
    const { is } = stage();
    editor.answers.push('Show Agents');
    await die(is, ['a', 'b']);
    expect(editor.commands).toEqual([['unstuck.agents.focus']]);
  });

  it('all agents that a limit held', async () => {
    const { is } = stage();
    is('a', { kind: 'waiting', waitingFor: 'turn_end' }, { usageLimit: { since: T0, opensAt: T0 + MINUTE } });
    editor.answers.push(undefined, 'Continue All');
    await later(2 * MINUTE);
    expect(editor.commands).toEqual([['unstuck.continueAll']]);
  });
});

describe('cleaning up', () => {
  it('one timer runs, however often an agent changes, and none if nothing is due', async () => {
    const { is } = stage();
    is('a', {});
    expect(vi.getTimerCount()).toBe(0);
    for (let i = 0; i < 5; i++) is('a', { kind: 'waiting', waitingFor: 'question', question: `${i}?` });
    expect(vi.getTimerCount()).toBe(1);
    is('a', {});
    expect(vi.getTimerCount()).toBe(0);
  });

  it('a window that closes reports nothing, sends nothing, and leaves no timer', async () => {
    const { is, did, close } = stage({ 'recovery.automatic': true });
    const until = T0 + 30 * MINUTE;
    is('a', { kind: 'waiting', waitingFor: 'limit', until }, { usageLimit: { since: T0, opensAt: until } });
    is('b', {});
    await later(30 * MINUTE);
    editor.shown.length = 0;
    is('b', { kind: 'finished', ended: 'died' });
    is('c', { kind: 'waiting', waitingFor: 'question', question: 'Which port?' });
    close();
    expect(vi.getTimerCount()).toBe(0);
    is('d', { kind: 'waiting', waitingFor: 'question', question: 'Which port?' });
    await later(60 * MINUTE);
    expect([did, texts(), vi.getTimerCount()]).toEqual([[], [], 0]);
  });

  it('a notice that is not shown is no error', async () => {
    const { is, goes, log } = stage({}, () => false);
    for (const session of ['a', 'b']) {
      is(session, {});
      is(session, { kind: 'finished', ended: 'died' });
    }
    goes('a');
    await later(1_000);
    expect([texts(), log.lines]).toEqual([[], []]);
  });

  it('a claim is closed once its notice was shown', async () => {
    const { is, openClaims } = stage();
    is('a', {});
    is('a', { kind: 'finished', ended: 'died' });
    await later(1_000);
    expect([texts().length, openClaims()]).toEqual([1, 0]);
  });
});

describe('an agent that asks while the clock jumps', () => {
  const asks = { kind: 'waiting', waitingFor: 'question', question: 'Which port?' } as const;

  it('is reported once after a sleep of eight hours', async () => {
    const { is } = stage();
    is('a', asks);
    vi.setSystemTime(T0 + 8 * 60 * MINUTE);
    await later(3 * MINUTE);
    expect(texts()).toEqual([
      expect.stringMatching(/^“Task of a” \(api\) asks: Which port\? It has been waiting for 8 h/),
    ]);
  });

  it('is reported once if the clock was set back by an hour', async () => {
    const { is } = stage();
    is('a', asks);
    vi.setSystemTime(T0 - 60 * MINUTE);
    await later(70 * MINUTE);
    expect(texts()).toEqual(['“Task of a” (api) asks: Which port? It has been waiting for 2 min.']);
  });
});

describe('an agent that ends', () => {
  it('is not reported if it continues at once: its registry was being written', async () => {
    const { is } = stage();
    is('a', {});
    is('a', { kind: 'finished', ended: 'died' });
    is('a', {});
    await later(1_000);
    expect(texts()).toEqual([]);
  });

  it('leads to what it printed last if it died in a terminal of this window', async () => {
    const { is, did } = stage();
    is('in a terminal', { kind: 'working' });
    editor.answers.push('Go to Terminal');
    is('in a terminal', { kind: 'finished', ended: 'died' });
    await later(1_000);
    expect(editor.shown[0]?.buttons).toEqual(['Show Agent', 'Restart', 'Go to Terminal']);
    expect(did).toEqual(['terminal of in a terminal']);
  });

  it('is reported if it died, and can be started again', async () => {
    const { is, did } = stage();
    is('a', {});
    is('a', { kind: 'finished', ended: 'died' });
    editor.answers.push('Restart');
    await later(1_000);
    expect(editor.shown).toMatchObject([
      { kind: 'warning', text: '“Task of a” (api) died: its process ended in the middle of a turn.' },
    ]);
    expect(did).toEqual(['restart a']);
  });

  it('is reported together with others that ended with it', async () => {
    const { is } = stage();
    for (const session of ['a', 'b', 'c']) is(session, {});
    for (const session of ['a', 'b', 'c']) is(session, { kind: 'finished', ended: 'died' });
    await later(1_000);
    expect(texts()).toEqual(['3 agents died: their processes ended in the middle of a turn.']);
  });

  it('is reported as finished only if the person asked for that', async () => {
    const finish = ({ is }: ReturnType<typeof stage>) => {
      is('a', {});
      is('a', { kind: 'finished', ended: 'clean', since: T0 + 12 * MINUTE });
    };
    finish(stage());
    await later(1_000);
    expect(texts()).toEqual([]);
    finish(stage({ 'notifications.for': ['finished'] }));
    await later(1_000);
    expect(texts()).toEqual(['“Task of a” (api) finished after 12 min.']);
  });

  it('is logged if there is no notification', async () => {
    const { is, log } = stage({ 'notifications.for': ['stuck'] });
    is('a', {});
    is('a', { kind: 'finished', ended: 'died' });
    await later(1_000);
    expect([texts(), log.lines]).toEqual([[], ['info: no notification (died): notifications are off']]);
  });
});

it('a usage limit is reported once when it holds agents, and once when it is open again', async () => {
  const { is } = stage();
  const held = { kind: 'waiting', waitingFor: 'turn_end' } as const;
  const usageLimit = { since: T0, opensAt: T0 + 30 * MINUTE };
  is('a', held, { usageLimit });
  is('b', held, { usageLimit });
  await later(1_000);
  expect(texts()[0]).toMatch(/^Claude Code hit its usage limit; 2 agents are paused until \d\d:\d\d\.$/);
  await later(30 * MINUTE);
  is('a', {});
  is('b', {});
  await later(30 * MINUTE);
  expect(texts().slice(1)).toEqual(['Claude Code can continue: its usage limit has ended.']);
});

describe('agents that a usage limit stopped', () => {
  const opensAt = T0 + 30 * MINUTE;
  const held = { kind: 'waiting', waitingFor: 'limit', until: opensAt } as const;
  const usageLimit = { since: T0, opensAt };
  /** `b` continues on its own when the limit opens; `a` stands still. */
  const opened = async (settings: Readonly<Record<string, unknown>>, claimed = () => true) => {
    const { is, did, openClaims } = stage(settings, claimed);
    for (const session of ['a', 'b']) is(session, held, { usageLimit });
    // Its own machine continues it.
    is('remote', held, { usageLimit, machine: { name: 'ci' } as never });
    is('other', { kind: 'waiting', waitingFor: 'limit', until: opensAt }, { agent: 'codex' });
    await later(30 * MINUTE);
    is('b', { kind: 'working' });
    is('a', held);
    await later(3 * MINUTE - 1);
    const before = [...did];
    await later(60 * MINUTE);
    return { before, did, openClaims };
  };

  it('are continued by automatic mode, once, three minutes after the limit has ended', async () => {
    const { before, did, openClaims } = await opened({ 'recovery.automatic': true });
    expect([before, openClaims()]).toEqual([[], 0]);
    expect(did).toHaveLength(1);
    expect(did[0]).toMatch(/^a: Unstuck, an automated watcher, wrote and sent this\./);
    expect(did[0]).toContain('The usage limit that stopped you has ended.');
  });

  it('are left alone in an untrusted folder', async () => {
    workspace.isTrusted = false;
    expect((await opened({ 'recovery.automatic': true })).did).toEqual([]);
  });

  it('are left alone if the person switched automatic mode off in these three minutes', async () => {
    const settings: Record<string, unknown> = { 'recovery.automatic': true };
    const { is, did } = stage(settings);
    is('a', held, { usageLimit });
    await later(30 * MINUTE);
    is('a', held);
    await later(2 * MINUTE);
    settings['recovery.automatic'] = false;
    await later(60 * MINUTE);
    expect(did).toEqual([]);
  });

  it('are left alone without automatic mode, and if another window has continued them', async () => {
    expect((await opened({})).did).toEqual([]);
    expect((await opened({ 'recovery.automatic': true }, () => false)).did).toEqual([]);
  });
});
