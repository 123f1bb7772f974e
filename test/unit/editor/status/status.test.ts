import { describe, expect, it } from 'vitest';
import type { AgentView, Incident } from '../../../../src/core/model';
import { countUnseen, isInTrouble, statusOf } from '../../../../src/editor/status/status';
import { incident } from '../../history/support/incidents';
import { agentView } from '../support/views';

function status(views: AgentView[], changes: Partial<Parameters<typeof statusOf>[0]> = {}) {
  const { item, session, running } = statusOf({ views, isSeen: () => false, paused: false, trusted: true, ...changes });
  const text = item === null ? undefined : `$(${item.icon}) ${item.text}`;
  return { text, background: item?.background, command: item?.command, session, running: running.length };
}

const stuck = (session: string) => agentView(session, { kind: 'stuck' });
const finished = (session: string) => agentView(session, { kind: 'finished', ended: 'clean' });

describe('the status bar', () => {
  it('is hidden while no agent runs', () => {
    expect(status([finished('a')]).text).toBeUndefined();
    expect(status([finished('a')]).session).toBeUndefined();
  });

  it('warns about a stuck agent until a person has seen it, and then only counts it', () => {
    expect(status([stuck('a')])).toMatchObject({ text: '$(warning) 1 stuck', background: 'warning', session: 'a' });
    expect(status([stuck('a')], { isSeen: () => true })).toMatchObject({
      text: '$(warning) 1 stuck',
      background: null,
    });
  });

  it('leads to the first stuck agent that has not been seen', () => {
    const isSeen = (view: AgentView) => view.session === 'a';
    expect(status([stuck('a'), stuck('b')], { isSeen }).session).toBe('b');
    expect(status([stuck('a'), stuck('b')], { isSeen: () => true }).session).toBe('a');
  });

  it('names agents that need a person before stuck ones, and leads there', () => {
    const asks = agentView('q', { kind: 'waiting', waitingFor: 'permission' });
    expect(status([asks, stuck('a')])).toMatchObject({ text: '$(bell-dot) 1 needs you · 1 stuck', session: 'q' });
    expect(status([agentView('b', { kind: 'escalated' }), stuck('a')])).toMatchObject({
      text: '$(bell-dot) 1 needs you · 1 stuck',
      background: 'warning',
      session: 'b',
    });
    expect(isInTrouble(agentView('c', { kind: 'recovering' }))).toBe(false);
  });

  it('counts an agent that died as long as the list says that it needs a person, seen or not', () => {
    const died = agentView('d', { kind: 'finished', ended: 'died' });
    expect(status([died])).toMatchObject({ text: '$(bell-dot) 1 needs you', background: null, session: 'd' });
    expect(status([died], { isSeen: () => true })).toMatchObject({ text: '$(bell-dot) 1 needs you', session: 'd' });
    expect(status([{ ...died, history: true }]).text).toBe('$(bell-dot) 1 needs you');
    expect(status([{ ...died, isPast: true }]).text).toBeUndefined();
  });

  it('counts agents that wait for an answer, not those whose turn has ended', () => {
    const asks = agentView('a', { kind: 'waiting', waitingFor: 'question' });
    const idle = agentView('b', { kind: 'waiting', waitingFor: 'turn_end' });
    expect(status([idle, asks])).toMatchObject({ text: '$(bell-dot) 1 needs you', session: 'a' });
    expect(status([idle])).toMatchObject({ text: '$(pulse) 1', session: undefined });
  });

  it('does not count an agent that waits only judging by its silence, and does not say that all agents are well', () => {
    const probably = agentView('a', { kind: 'waiting', waitingFor: 'permission', probable: true });
    const { item } = statusOf({ views: [probably, agentView('b')], isSeen: () => false, paused: false, trusted: true });
    expect(item).toMatchObject({ icon: 'pulse', text: '2', background: null });
    expect(item?.tooltip).toBe('2 agents, 1 probably waiting for you');
  });

  it('counts agents that are recovering, and those that cannot be monitored', () => {
    const recovering = agentView('a', { kind: 'recovering' });
    expect(status([agentView('b'), recovering])).toMatchObject({ text: '$(debug-restart) 1 recovering', session: 'a' });
    expect(status([agentView('b'), agentView('c', { kind: 'not_monitored' })])).toMatchObject({
      text: '$(eye-closed) 1 of 2',
    });
  });

  it('says that a folder is not trusted only while agents run there', () => {
    expect(status([agentView('a')], { trusted: false }).command).toBe('manage_trust');
    expect(status([finished('a')], { trusted: false }).text).toBeUndefined();
  });

  it('says that watching is paused', () => {
    expect(status([], { paused: true }).command).toBe('resume');
  });

  it('lists those that have not finished in its tooltip', () => {
    expect(status([agentView('a'), finished('b')]).running).toBe(1);
  });
});

describe('the badge', () => {
  const withIncidents = (...incidents: Incident[]) => agentView('a', { kind: 'stuck' }, { incidents });

  it('counts stuck incidents that have not been seen', () => {
    const view = withIncidents(incident({ id: 'seen' }), incident({ id: 'new' }));
    expect(countUnseen([view], (id) => id === 'seen')).toBe(1);
  });

  it('leaves out what the person interrupted', () => {
    const view = withIncidents(incident({ level: 'stuck' }));
    const state = { kind: 'waiting', since: 0, waitingFor: 'turn_end', interrupted: true } as const;
    expect(countUnseen([{ ...view, state }], () => false)).toBe(0);
    expect(countUnseen([view], () => false)).toBe(1);
  });

  it('leaves out warnings and muted incidents', () => {
    const view = withIncidents(incident({ level: 'warn' }), incident({ state: 'muted' }));
    expect(countUnseen([view], () => false)).toBe(0);
  });
});
