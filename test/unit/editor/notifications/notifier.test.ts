import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { IncidentChange } from '../../../../src/engine/events';
import type { AgentView, GateReport, Incident } from '../../../../src/core/model';
import { Notifier, type NotifierParts } from '../../../../src/editor/notifications/notifier';
import type { Services } from '../../../../src/editor/services';
import { readSettings } from '../../../../src/editor/settings/settings';
import { Emitter } from '../../../../src/base/util/emitter';
import { MINUTE, T0, incident } from '../../history/support/incidents';
import { attempt } from '../../recover/kit';
import { recordingLog } from '../../support/log';
import { agentView } from '../support/views';
import { editor, resetEditor, window, workspace } from '../support/vscode';

vi.mock('vscode', () => import('../support/vscode'));

const NOW = T0 + 12 * MINUTE;

/** A notifier over one agent, with what its buttons did. */
function stage(settings: Readonly<Record<string, unknown>> = {}) {
  const changes = new Emitter<IncidentChange>();
  const did: string[] = [];
  const inputs: string[] = [];
  const view = agentView('s', { kind: 'stuck' });
  const claims: string[] = [];
  let claimed = true;
  let held: Promise<void> = Promise.resolve();
  let broken = false;
  let surface: 'terminal' | 'chat' | null = null;
  let now = NOW;
  let known: AgentView | undefined = view;
  const over = new Set<string>();
  const log = recordingLog();
  const services = {
    agents: {
      onDidChangeIncident: changes.event,
      agent: (session: string) =>
        known && { ...known, session, ...(over.has(session) && { state: agentView('s').state }) },
      changeIncident: (id: string, input: { type: string }) => void inputs.push(`${id} ${input.type}`),
    },
    store: {
      claim: async (_incident: unknown, what: string) => {
        claims.push(what);
        if (broken) throw new Error('disk full');
        await held;
        return claimed ? { done: () => Promise.resolve(void claims.push(`${what} closed`)) } : null;
      },
    },
    settings: () => readSettings({ get: (name) => settings[name], inspect: () => undefined }, true),
    log,
    now: () => now,
  };
  const act =
    (name: string) =>
    ({ session }: { session: string }) =>
      void did.push(`${name} ${session}`);
  const panels = { show: (session: string) => void did.push(`panel ${session}`), isVisible: () => true };
  const parts = {
    list: { isMuted: (session: string) => session === 'muted' },
    panels,
    nudge: { send: act('nudge') },
    gates: { send: act('gates') },
    controls: () => ({
      recovery: {
        chooseRestart: act('restart'),
        stop: act('stop'),
        saveCheckpoint: act('checkpoint'),
        surfaceOf: () => surface,
        goTo: act('there'),
      },
    }),
  };
  const notifier = new Notifier(services as unknown as Services, parts as unknown as NotifierParts);
  const change = (of: Partial<Incident>, before: Partial<Incident> | null = null, session = 's') =>
    changes.fire({ incident: incident(of), before: before === null ? null : incident(before), session });
  return {
    notifier,
    change,
    did,
    inputs,
    log,
    claims,
    runsIn: (where: 'terminal' | 'chat') => void (surface = where),
    breaks: () => void (broken = true),
    /** Holds claims back; the result lets them go. */
    slows: () => {
      let release = () => {};
      held = new Promise((resolve) => (release = resolve));
      return () => release();
    },
    ends: (session: string) => void over.add(session),
    later: (ms: number) => void (now += ms),
    become: (other: Partial<AgentView> | undefined) => void (known = other && { ...view, ...other }),
    claimedElsewhere: () => {
      claimed = false;
    },
  };
}

const gathered = () => vi.advanceTimersByTimeAsync(300);

beforeEach(() => {
  vi.useFakeTimers();
  resetEditor();
  window.state.focused = false;
});
afterEach(() => void vi.useRealTimers());

describe('an agent that got stuck', () => {
  it('is reported once, and the incident remembers it', async () => {
    const { change, inputs } = stage();
    change({ id: 'A' });
    change({ id: 'A', count: 5 });
    await gathered();
    expect(editor.shown).toHaveLength(1);
    expect(editor.shown[0]).toMatchObject({
      kind: 'warning',
      buttons: ['Nudge', 'Show Evidence', 'Not Stuck'],
    });
    expect(inputs).toEqual(['A notified']);
  });

  it('is reported at its next repeat, and no sooner, if its person has just written to it', async () => {
    const { change, become } = stage();
    become({ promptedAt: NOW - 59_000 });
    change({ id: 'A', count: 4 });
    change({ id: 'A', count: 4, level: 'stuck' });
    await gathered();
    expect(editor.shown).toEqual([]);
    change({ id: 'A', count: 5 });
    await gathered();
    expect(editor.shown).toHaveLength(1);
  });

  it('is reported once its person has not written for a minute, if no repeat comes', async () => {
    const { change, become, later } = stage();
    become({ promptedAt: NOW - 20_000, incidents: [incident({ id: 'A', count: 4 })] });
    change({ id: 'A', count: 4 });
    later(40_000);
    await vi.advanceTimersByTimeAsync(39_999);
    expect(editor.shown).toEqual([]);
    await vi.advanceTimersByTimeAsync(301);
    expect(editor.shown).toHaveLength(1);
  });

  it('is reported at once if its person wrote a minute ago', async () => {
    const { change, become } = stage();
    become({ promptedAt: NOW - 60_000 });
    change({ id: 'A', count: 4 });
    await gathered();
    expect(editor.shown).toHaveLength(1);
  });

  it('is reported without the buttons that an untrusted folder may not use', async () => {
    workspace.isTrusted = false;
    stage().change({ id: 'A' });
    await gathered();
    expect(editor.shown[0]?.buttons).toEqual(['Show Evidence', 'Not Stuck']);
  });

  it('leads to its terminal if it runs in one of this window: that button comes last', async () => {
    const { change, did, runsIn } = stage();
    runsIn('terminal');
    editor.answers.push('Go to Terminal');
    change({ id: 'A' });
    await gathered();
    expect(editor.shown[0]?.buttons).toEqual(['Nudge', 'Show Evidence', 'Not Stuck', 'Go to Terminal']);
    expect(did).toEqual(['there s']);
  });

  it('leads to the chat of this window if it works there', async () => {
    const { change, did, runsIn } = stage();
    runsIn('chat');
    editor.answers.push('Go to Chat');
    change({ id: 'A' });
    await gathered();
    expect(editor.shown[0]?.buttons).toEqual(['Nudge', 'Show Evidence', 'Not Stuck', 'Go to Chat']);
    expect(did).toEqual(['there s']);
  });

  it('leads there even if recovery did not free it', async () => {
    const { change, runsIn } = stage();
    runsIn('terminal');
    change({ id: 'A', state: 'escalated' }, { id: 'A', state: 'nudged' });
    await gathered();
    expect(editor.shown.map(({ buttons }) => buttons?.at(-1))).toContain('Go to Terminal');
  });

  it('is reported by one window only', async () => {
    const one = stage();
    one.claimedElsewhere();
    one.change({ id: 'A' });
    await gathered();
    expect([editor.shown, one.inputs]).toEqual([[], []]);
  });

  it('is not reported while a person looks at its panel, but counts as notified', async () => {
    window.state.focused = true;
    const { change, inputs } = stage();
    change({ id: 'A' });
    await gathered();
    expect(editor.shown).toEqual([]);
    expect(inputs).toEqual(['A notified']);
  });

  it('is not reported if the person muted it or turned notifications off', async () => {
    stage().change({ id: 'A' }, null, 'muted');
    stage({ 'notifications.for': [] }).change({ id: 'B' });
    await gathered();
    expect(editor.shown).toEqual([]);
  });

  it('shares one notification with others, which names each and leads to the list', async () => {
    const { change } = stage();
    editor.answers.push('Show Agents');
    change({ id: 'A' });
    change({ id: 'B' }, null, 't');
    await gathered();
    expect(editor.shown.map(({ text }) => text)).toEqual(['2 agents are stuck: “Task of s”, “Task of s”.']);
    expect(editor.commands).toEqual([['unstuck.agents.focus']]);
    editor.answers.push('Next Agent');
    change({ id: 'C' });
    change({ id: 'D' }, null, 't');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(editor.commands[1]).toEqual(['unstuck.showNextNeedingMe']);
  });

  it('is reported once if two rules found it', async () => {
    const { change } = stage();
    change({ id: 'A' });
    change({ id: 'B' });
    await gathered();
    expect(editor.shown.map(({ text }) => text)).toEqual([expect.stringContaining('is stuck: ')]);
  });

  it('is not reported if neither it nor the others are still stuck', async () => {
    const { change, ends } = stage();
    change({ id: 'A' });
    change({ id: 'B' }, null, 't');
    ends('s');
    ends('t');
    await gathered();
    expect(editor.shown).toEqual([]);
  });

  it('is named alone if none of the others is still stuck', async () => {
    const { change, ends } = stage();
    change({ id: 'A' });
    change({ id: 'B' }, null, 't');
    ends('t');
    await gathered();
    expect(editor.shown.map(({ text }) => text)).toEqual([expect.stringContaining('is stuck: ')]);
  });

  it('says for how long nothing changed if its context is full', async () => {
    stage().change({ id: 'A', detector: 'token_exhaustion', count: 86 });
    await gathered();
    expect(editor.shown[0]?.text).toContain('has used 86 % of its context, with nothing new for 12 min');
  });

  it('is not stopped if it was freed while the notification was shown, and the person reads why', async () => {
    const { change, did, become } = stage();
    const { state } = agentView('s');
    become({ state });
    editor.answers.push('Stop Agent');
    change({ id: 'A', level: 'stuck', state: 'escalated' }, { state: 'nudged' });
    await gathered();
    expect(did).toEqual([]);
    expect(editor.shown.at(-1)?.text).toBe('Nothing was done: “Task of s” is no longer stuck.');
  });

  it('gets what the person chose', async () => {
    const { change, did, later } = stage();
    const asks = { state: 'escalated' } as const;
    const answers = [
      ['Show Evidence', asks],
      ['Nudge', { detector: 'repeating_action' }],
      ['Send to Agent', { detector: 'gate_blocked' }],
      ['Restart', { detector: 'condensation_loop' }],
      ['Save Checkpoint', { detector: 'token_exhaustion' }],
      ['Stop Agent', asks],
      ['Not Stuck', asks],
      [undefined, asks],
    ] as const;
    for (const [index, [answer, of]] of answers.entries()) {
      editor.answers.push(answer);
      editor.shown.length = 0;
      change({ id: `E${index}`, ...of }, of === asks ? { state: 'nudged' } : null);
      await gathered();
      if (answer !== undefined) expect(editor.shown[0]?.buttons).toContain(answer);
      later(MINUTE);
    }
    expect(did).toEqual(['panel s', 'nudge s', 'gates s', 'restart s', 'checkpoint s', 'stop s']);
    expect(editor.commands).toEqual([['unstuck.notStuck', expect.objectContaining({ id: 'E6' })]]);
  });

  it('is logged with the reason if there is no notification', async () => {
    const { change, log, claimedElsewhere } = stage();
    change({ id: 'A' }, null, 'muted');
    claimedElsewhere();
    change({ id: 'B' });
    await gathered();
    expect(log.lines).toEqual([
      'info: no notification for A (repeating_action): its agent is muted',
      'info: no notification for B: another window has it, or it was shown before',
    ]);
  });

  it('waits for 10 s after the last notification and is reported alone: that one has named the others', async () => {
    const { change, later } = stage();
    change({ id: 'A' });
    await gathered();
    later(4_000);
    change({ id: 'B' }, null, 't');
    await gathered();
    expect(editor.shown).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(6_000);
    expect(editor.shown.map(({ text }) => text)).toEqual([editor.shown[0]?.text, editor.shown[0]?.text]);
    expect(editor.commands).toEqual([]);
  });

  it('waits for these 10 s even if the one before is still being claimed', async () => {
    const { change, slows } = stage();
    const release = slows();
    change({ id: 'A' });
    await gathered();
    change({ id: 'B' }, null, 't');
    await gathered();
    release();
    await gathered();
    expect(editor.shown).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(editor.shown).toHaveLength(2);
  });

  it('waits no longer than these 10 s if the clock was set back', async () => {
    const { change, later } = stage();
    change({ id: 'A' });
    await gathered();
    later(-60 * MINUTE);
    change({ id: 'B' });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(editor.shown).toHaveLength(2);
  });

  it('is claimed separately for the first and the last notification, and is not reported if the claim fails', async () => {
    const one = stage();
    one.change({ id: 'A' });
    one.change({ id: 'B', state: 'escalated', notified: true }, { state: 'nudged' });
    await gathered();
    expect(one.claims.toSorted()).toEqual(['asks', 'asks closed', 'toast', 'toast closed']);
    editor.shown.length = 0;
    const other = stage();
    other.breaks();
    other.change({ id: 'A' });
    other.change({ id: 'B', state: 'escalated', notified: true }, { state: 'nudged' });
    await gathered();
    expect([editor.shown, other.inputs]).toEqual([[], []]);
  });

  it('may be gone before the person answers: then only what needs no agent is done', async () => {
    const { change, did, become } = stage();
    become(undefined);
    editor.answers.push('Nudge', 'Show Evidence');
    change({ id: 'A', state: 'escalated' }, { state: 'nudged' });
    change({ id: 'B', state: 'escalated' }, { state: 'nudged' });
    await gathered();
    expect(did).toEqual(['panel s']);
  });

  it('shows which gate fails, and offers to send the failures', async () => {
    const { change, did, become } = stage();
    const gates: GateReport = {
      folder: '/work',
      cause: 'claim',
      claim: 'DONE',
      startedAt: 1,
      endedAt: 2,
      verdict: 'failed',
      attempt: 3,
      results: [
        {
          id: 'tests',
          name: 'tests',
          command: 'npm test',
          status: 'failed',
          reason: '',
          summary: '',
          failures: [],
          failed: 2,
          total: 214,
          startedAt: 1,
          ms: 1,
          output: '',
        },
      ],
    };
    become({ gates });
    editor.answers.push('Show Gates');
    change({ id: 'A', detector: 'gate_blocked' });
    await gathered();
    expect(editor.shown[0]).toMatchObject({ buttons: ['Show Gates', 'Send to Agent', 'Not Stuck'] });
    expect(editor.shown[0]?.text).toContain('tests failed: 2 of 214');
    expect(did).toEqual(['panel s']);
  });
});

describe('an agent that was freed', () => {
  const nudge = attempt({ automated: false, takenAt: NOW - MINUTE, outcome: 'changed' });
  const free = {
    id: 'A',
    state: 'recovered',
    outcome: 'nudge',
    notified: true,
    attempts: [nudge],
    progressed: { at: NOW, text: 'pytest -q passed' },
  } as const;
  const ended = async (parts: ReturnType<typeof stage>, more: Partial<Incident> = {}) => {
    parts.change({ ...free, ...more }, { state: 'nudged' });
    await gathered();
    return [editor.passing, editor.shown.map(({ kind }) => kind)];
  };

  it('is reported quietly and in the status bar, and leads to what happened', async () => {
    const parts = stage();
    editor.answers.push('Show Evidence');
    expect(await ended(parts)).toEqual([['$(pass) Freed by your nudge'], ['information']]);
    expect([parts.did, parts.claims]).toEqual([['panel s'], ['freed', 'freed closed']]);
  });

  it('appears only in the status bar while a person looks at its panel', async () => {
    window.state.focused = true;
    expect(await ended(stage())).toEqual([['$(pass) Freed by your nudge'], []]);
  });

  it('is reported by one window, and only if something that was sent freed it', async () => {
    const second = stage();
    second.claimedElsewhere();
    await ended(second);
    const broken = stage();
    broken.breaks();
    await ended(broken);
    const own = stage();
    await ended(own, { outcome: 'by_itself' });
    expect([editor.passing, editor.shown, own.claims]).toEqual([[], [], []]);
  });
});

it('a window that closes reports nothing, even while an alarm waits for a repeat or for others', async () => {
  const { change, become, notifier } = stage();
  become({ promptedAt: NOW - 20_000, incidents: [incident({ id: 'A' })] });
  change({ id: 'A' });
  become({});
  change({ id: 'B' });
  expect(vi.getTimerCount()).toBe(2);
  notifier.dispose();
  expect(vi.getTimerCount()).toBe(0);
});

describe('an alarm that waits for one more repeat', () => {
  it('uses one timer, logs the reason once, and is forgotten with its incident', async () => {
    const { change, become, log } = stage();
    become({ promptedAt: NOW - 20_000, incidents: [] });
    change({ id: 'A', count: 4 });
    change({ id: 'A', count: 4, level: 'stuck' });
    expect([vi.getTimerCount(), log.lines]).toEqual([
      1,
      ['info: no notification for A before its next repeat: a person has just written'],
    ]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(editor.shown).toEqual([]);
    // Noticed once more, it waits for its own repeat.
    change({ id: 'A', count: 5 });
    await gathered();
    expect(editor.shown).toEqual([]);
  });
});

describe('a recovery that ended without success', () => {
  it('is reported once more, as an error, and then never again', async () => {
    const { change } = stage();
    change({ id: 'A', state: 'escalated', notified: true }, { state: 'nudged' });
    change({ id: 'A', state: 'escalated', notified: true }, { state: 'nudged' });
    await gathered();
    expect(editor.shown.map(({ kind }) => kind)).toEqual(['error']);
  });

  it('is not reported in quiet hours, or by a second window', async () => {
    stage({ 'notifications.quietHours': '17:00-18:00' }).change(
      { state: 'escalated', notified: true },
      { state: 'nudged' },
    );
    const second = stage();
    second.claimedElsewhere();
    second.change({ state: 'escalated', notified: true }, { state: 'nudged' });
    await gathered();
    expect(editor.shown).toEqual([]);
  });

  it('is not reported once the window closes', async () => {
    const { change, notifier } = stage();
    change({ id: 'A' });
    notifier.dispose();
    change({ id: 'B', state: 'escalated', notified: true }, { state: 'nudged' });
    await gathered();
    expect(editor.shown).toEqual([]);
  });
});
