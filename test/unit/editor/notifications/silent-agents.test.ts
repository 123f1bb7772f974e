import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AgentView } from '../../../../src/core/model';
import { SilentAgents, type SilentAgentsHost } from '../../../../src/editor/notifications/silent-agents';
import { readSettings } from '../../../../src/editor/settings/settings';
import { Emitter } from '../../../../src/base/util/emitter';
import { T0 } from '../../history/support/incidents';
import { recordingLog } from '../../support/log';
import { agentView } from '../support/views';
import { editor, resetEditor, window } from '../support/vscode';

vi.mock('vscode', () => import('../support/vscode'));

const made: SilentAgents[] = [];
beforeEach(() => {
  vi.useFakeTimers({ now: T0 });
  resetEditor();
  // Otherwise its panel would be in view, which suppresses every notice.
  window.state.focused = false;
});
afterEach(() => {
  for (const one of made.splice(0)) one.dispose();
  vi.useRealTimers();
});

/** One connected agent that has made three calls without calling us, until it does. */
function stage(settings: Readonly<Record<string, unknown>> = {}) {
  const changes = new Emitter<readonly string[]>();
  const did: string[] = [];
  const claims: string[] = [];
  const log = recordingLog();
  let isFirst = true;
  let view: AgentView | undefined = agentView('s');
  let seems = true;
  let answers = false;
  const host = {
    services: {
      engine: { onDidChange: changes.event, agent: () => view },
      store: {
        claim: ({ session, key }: { session: string; key: string }) => {
          claims.push(`${session} ${key}`);
          return Promise.resolve(isFirst ? { done: () => Promise.resolve(void claims.push('closed')) } : null);
        },
      },
      settings: () => readSettings({ get: (name) => settings[name], inspect: () => undefined }, true),
      now: () => Date.now(),
      log,
    },
    routes: { seemsSilent: () => seems, isSilent: () => Promise.resolve(!answers) },
    list: { isMuted: () => false, placeName: () => 'api' },
    panels: { show: (session: string) => void did.push(`panel ${session}`), isVisible: () => true },
    connections: { connect: (view: AgentView) => Promise.resolve(void did.push(`connect ${view.agent}`)) },
  } as unknown as SilentAgentsHost;
  const agents = new SilentAgents(host);
  made.push(agents);
  return {
    log,
    close: () => agents.dispose(),
    anotherWindowTells: () => void (isFirst = false),
    did,
    claims,
    calls: () => changes.fire(['s']),
    becomes: (other: AgentView | undefined) => void (view = other),
    seems: (now: boolean) => void (seems = now),
    answers: (now = true) => void (answers = now),
  };
}

const later = () => vi.advanceTimersByTimeAsync(5_000);

describe('a connected agent that makes calls without calling us', () => {
  it('is reported once, with the possible reasons, and can be connected again', async () => {
    const { calls, did, claims } = stage();
    editor.answers.push('Connect Agent');
    calls();
    calls();
    await later();
    calls();
    await later();
    expect(editor.shown).toHaveLength(1);
    expect(editor.shown[0]).toMatchObject({ kind: 'warning', buttons: ['Show Agent', 'Connect Agent'] });
    expect(editor.shown[0]?.text).toContain('“Task of s” (api) is connected but works without calling Unstuck');
    expect(editor.shown[0]?.text).toContain('a different configuration folder');
    expect([did, claims]).toEqual([['connect claude-code'], ['s notice silent', 'closed']]);
  });

  it('is reported by one window, which waits with one timer, and not once it is closed', async () => {
    const second = stage();
    second.anotherWindowTells();
    second.calls();
    second.calls();
    expect(vi.getTimerCount()).toBe(1);
    await later();
    expect(second.log.lines).toEqual(['warn: claude-code s is connected and does not answer']);
    const closed = stage();
    closed.calls();
    closed.close();
    closed.calls();
    await later();
    expect([editor.shown, second.claims, closed.claims]).toEqual([[], ['s notice silent'], []]);
  });

  it('leads to its panel', async () => {
    const { calls, did } = stage();
    editor.answers.push('Show Agent');
    calls();
    await later();
    expect(did).toEqual(['panel s']);
  });

  it('is checked again after it has answered once', async () => {
    const { calls, answers } = stage();
    calls();
    answers();
    await later();
    answers(false);
    calls();
    await later();
    expect(editor.shown).toHaveLength(1);
  });

  it('is not reported if it is a sub-agent, whose hooks may call in the name of its parent', async () => {
    const { calls, becomes, claims } = stage();
    becomes({ ...agentView('s'), parent: 'p' });
    calls();
    await later();
    expect([editor.shown, claims]).toEqual([[], []]);
  });

  it('is not reported if its call was only seen a moment later', async () => {
    const { calls, answers } = stage();
    calls();
    answers();
    await later();
    expect(editor.shown).toEqual([]);
  });

  it('is not reported while it has made too few calls, or if it has ended in the meantime', async () => {
    const { calls, seems, becomes } = stage();
    seems(false);
    calls();
    await later();
    seems(true);
    calls();
    becomes(agentView('s', { kind: 'finished' }));
    await later();
    becomes(undefined);
    calls();
    await later();
    expect(editor.shown).toEqual([]);
  });

  it('is not reported if the person turned that off, or reads its panel', async () => {
    const off = stage({ 'notifications.for': ['stuck'] });
    off.calls();
    await later();
    window.state.focused = true;
    const read = stage();
    read.calls();
    await later();
    expect([editor.shown, off.claims, read.claims]).toEqual([[], [], []]);
  });
});
