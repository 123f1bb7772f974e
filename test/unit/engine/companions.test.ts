import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { inboxFolder } from '../../../src/agents/inbox/folder';
import type { IncidentChange } from '../../../src/engine/events';
import type { Incident } from '../../../src/core/model';
import { PATIENCE } from '../../support/patience';
import { STUCK_AT } from '../support/limits';
import { engineOver, homeFolder } from './support';
import { command, FAIL, push, record, request, result, set, SESSION, terminal, whole } from '../agents/vscode-chat/kit';

const text = (records: readonly object[]): string => records.map((one) => `${JSON.stringify(one)}\n`).join('');
const turn = (id: string, seconds: number) => [record.asks(seconds, command(id)), record.done(seconds + 0.5, id)];
const fails = (...ids: readonly string[]) => push(0, ...ids.map((id) => terminal(id, 1, FAIL)));

/** A window of VS Code with one chat session. */
function window() {
  const home = homeFolder();
  const workspace = join(home, 'work');
  const storage = join(home, '.config/Code/User/workspaceStorage/abc');
  const transcript = join(storage, `GitHub.copilot-chat/transcripts/${SESSION}.jsonl`);
  const log = join(storage, `chatSessions/${SESSION}.jsonl`);
  for (const folder of [workspace, dirname(transcript), dirname(log)]) mkdirSync(folder, { recursive: true });
  const changes: IncidentChange[] = [];
  const follow = (stored: readonly Incident[] = []) => {
    const { engine, tail } = engineOver(home, workspace, {
      stored: (id) => stored.find((one) => one.id === id),
      storedOf: (session) => stored.filter((one) => one.session === session),
      environment: { home, env: {}, platform: 'linux', editor: { storage, folder: workspace } },
      settings: { maxAgeMs: 1e12 },
    });
    engine.onDidChangeIncident((change) => changes.push(change));
    engine.start();
    const end = () => {
      engine.dispose();
      tail.dispose();
    };
    return { engine, end, view: () => engine.agent(SESSION) };
  };
  const alerts = () => new Set(changes.map(({ incident }) => incident.id));
  return { storage, workspace, transcript, log, changes, alerts, follow };
}

const write = (file: string, ...records: readonly object[]) => appendFileSync(file, text(records));

/** IDs of as many calls as it takes. */
const IDS = Array.from({ length: STUCK_AT }, (_, at) => `id${at}`);

describe('a session that is written into two files', () => {
  it('is one agent, whose loop is seen when the second file has the outcomes, and reported once', async () => {
    const { transcript, log, changes, alerts, follow, workspace } = window();
    write(transcript, record.start(), record.user(0, 'Fix it'), ...IDS.flatMap((id, at) => turn(id, at + 1)));
    const { engine, view, end } = follow();
    await vi.waitFor(() => expect(view()?.health.calls).toBe(STUCK_AT), PATIENCE);
    expect(changes).toEqual([]);
    expect(view()).toMatchObject({ agent: 'vscode-chat', cwd: workspace, state: { kind: 'working' } });
    write(log, whole(request('Fix it')), fails(...IDS));
    await vi.waitFor(() => expect(view()?.state.kind).toBe('stuck'), PATIENCE);
    write(transcript, ...turn('y', STUCK_AT + 2), ...turn('z', STUCK_AT + 3));
    write(log, fails('y', 'z'));
    await vi.waitFor(() => expect(view()?.incidents[0]?.count).toBe(STUCK_AT + 2), PATIENCE);
    expect(alerts().size).toBe(1);
    expect(engine.agents()).toHaveLength(1);
    end();
  });

  it('ends in the same incident when it is read again, in whatever order its files are found', async () => {
    const { transcript, log, alerts, follow } = window();
    const ids = ['a', 'b', 'c', 'd', 'e'];
    write(log, whole(request('Fix it')), fails(...ids));
    write(transcript, record.start(), record.user(0.2, 'Fix it'), ...ids.flatMap((id, at) => turn(id, at + 1)));
    for (let times = 0; times < 2; times++) {
      const { view, end } = follow();
      await vi.waitFor(() => expect(view()?.incidents[0]?.count).toBe(5), PATIENCE);
      expect(view()?.incidents[0]).toMatchObject({ detector: 'repeating_action', file: transcript });
      end();
    }
    expect(alerts().size).toBe(1);
  });

  it('keeps the incident of a reading in which a hook reported the steps some milliseconds later', async () => {
    const { transcript, log, alerts, follow } = window();
    const ids = ['a', 'b', 'c', 'd'];
    write(log, whole(request('Fix it')), fails(...ids));
    write(transcript, record.start(), record.user(0.2, 'Fix it'), ...ids.flatMap((id, at) => turn(id, at + 1)));
    const before = follow();
    await vi.waitFor(() => expect(before.view()?.incidents[0]?.count).toBe(4), PATIENCE);
    const found = before.view()?.incidents[0];
    before.end();
    if (!found) throw new Error('no incident');
    const kept = { ...found, id: 'KEPT', firstAt: found.firstAt + 5, openedAt: found.openedAt + 3, notified: true };
    const other = { ...kept, id: 'OTHER', session: 'another' };
    const later = { ...kept, id: 'LATER', openedAt: found.openedAt + 60_000 };

    const { view, end } = follow([other, later, kept]);
    await vi.waitFor(() => expect(view()?.incidents[0]?.count).toBe(4), PATIENCE);
    expect(view()?.incidents[0]).toMatchObject({ id: 'KEPT', notified: true });
    expect([...alerts()]).toEqual([found.id, 'KEPT']);
    end();
  });

  it('keeps an incident recovered that another session freed, whatever was counted before', async () => {
    const { transcript, log, follow } = window();
    const ids = ['a', 'b', 'c', 'd', 'e'];
    write(log, whole(request('Fix it')), fails(...ids));
    write(transcript, record.start(), record.user(0.2, 'Fix it'), ...ids.flatMap((id, at) => turn(id, at + 1)));
    const before = follow();
    await vi.waitFor(() => expect(before.view()?.incidents[0]?.count).toBe(5), PATIENCE);
    const found = before.view()?.incidents[0];
    before.end();
    if (!found) throw new Error('no incident');
    const at = Date.now();
    const freed: Incident = {
      ...found,
      state: 'recovered',
      outcome: 'restart',
      resolvedAt: at,
      attempts: [{ attempt: 1, kind: 'restart', message: 'M', at, automated: false, state: 'acted', takenAt: at }],
    };
    const { engine, view, end } = follow([freed]);
    await vi.waitFor(() => expect(engine.session(SESSION)?.book.get(found.id)?.count).toBe(5), PATIENCE);
    expect(engine.session(SESSION)?.book.get(found.id)).toMatchObject({ state: 'recovered', reopened: 0 });
    expect(view()?.state.kind).not.toBe('stuck');
    end();
  });

  it('continues over a log that is rewritten as one line', async () => {
    const { transcript, log, alerts, follow } = window();
    write(transcript, record.start(), record.user(0, 'Fix it'), ...IDS.flatMap((id, at) => turn(id, at + 1)));
    write(log, whole(request('Fix it')), fails(...IDS.slice(0, 2)), fails(...IDS.slice(2)));
    const { view, end } = follow();
    await vi.waitFor(() => expect(view()?.incidents[0]?.count).toBe(STUCK_AT), PATIENCE);
    const parts = IDS.map((id) => terminal(id, 1, FAIL));
    const told = result(Object.fromEntries(IDS.map((id) => [id, FAIL])));
    writeFileSync(log, text([whole(request('Fix it', { response: parts, result: told, modelState: { value: 2 } }))]));
    await vi.waitFor(() => expect(view()?.state).toMatchObject({ kind: 'waiting', waitingFor: 'turn_end' }), PATIENCE);
    expect(view()?.incidents[0]?.count).toBe(STUCK_AT);
    expect(alerts().size).toBe(1);
    end();
  });

  it('is followed by its log if there is no transcript, and by both when that appears', async () => {
    const { transcript, log, follow } = window();
    write(log, whole(request('Fix it', { response: [terminal('a', 0, 'fine')] })));
    const { engine, view, end } = follow();
    await vi.waitFor(() => expect(view()?.health.calls).toBe(1), PATIENCE);
    write(transcript, record.start(), record.user(0.2, 'Fix it'), ...turn('a', 1), ...turn('b', 2));
    await vi.waitFor(() => expect(view()?.health.calls).toBe(2), PATIENCE);
    expect(engine.agents()).toHaveLength(1);
    end();
  });

  it('is not monitored when outcomes are missing for minutes, which its coverage shows', async () => {
    const { transcript, follow } = window();
    const calls = ['a', 'b', 'c', 'd', 'e', 'f'].flatMap((id, at) => turn(id, at * 60));
    write(transcript, record.start(), record.user(0, 'Fix it'), ...calls);
    const { view, end } = follow();
    await vi.waitFor(() => expect(view()?.state.kind).toBe('not_monitored'), PATIENCE);
    // It is not monitored from the third call on; until then the rest of the file may still follow.
    await vi.waitFor(() => expect(view()?.coverage).toMatchObject({ seen: 1, there: 6 }), PATIENCE);
    end();
  });

  it('stays interrupted when a person cancels it, and its result, its hook and the end of its transcript are written later', async () => {
    const { transcript, log, workspace, follow } = window();
    write(transcript, record.start(), record.user(0, 'Fix it'), ...turn('a', 1), record.asks(3, command('b')));
    write(log, whole(request('Fix it')), fails('a'));
    const { view, end } = follow();
    await vi.waitFor(() => expect(view()?.state.kind).toBe('working'), PATIENCE);
    write(log, set(0, 'modelState', { value: 2, completedAt: Date.parse(record.done(4, 'b').timestamp) }));
    const interrupted = { kind: 'waiting', waitingFor: 'turn_end', interrupted: true };
    await vi.waitFor(() => expect(view()?.state).toMatchObject(interrupted), PATIENCE);
    const told = inboxFolder(workspace, SESSION).path;
    mkdirSync(told, { recursive: true });
    const call = { v: 1, t: record.done(3.9, 'b').timestamp, hook: 'PostToolUse', call: 'b' };
    write(join(told, 'calls.jsonl'), { ...call, tool: 'run_in_terminal', output: FAIL });
    await vi.waitFor(() => expect(view()?.coverage.seen).toBe(2), PATIENCE);
    expect(view()?.state).toMatchObject(interrupted);
    write(log, set(0, 'result', result({ b: FAIL })));
    await vi.waitFor(() => expect(view()?.coverage.seen).toBe(2), PATIENCE);
    expect(view()?.state).toMatchObject(interrupted);
    write(transcript, record.done(3.9, 'b'), record.asks(4.1, command('c')));
    await vi.waitFor(() => expect(view()?.health.calls).toBe(3), PATIENCE);
    expect(view()?.state).toMatchObject(interrupted);
    write(transcript, record.user(8, 'Go on'), record.asks(9, command('d')));
    await vi.waitFor(() => expect(view()?.state.kind).toBe('working'), PATIENCE);
    end();
  });

  it('continues when the log is deleted, and reads it again when it is back', async () => {
    const { transcript, log, follow } = window();
    write(log, whole(request('Fix it')), fails('a'));
    write(transcript, record.start(), record.user(0.2, 'Fix it'), ...turn('a', 1));
    const { view, end } = follow();
    await vi.waitFor(() => expect(view()?.coverage.seen).toBe(1), PATIENCE);
    rmSync(log);
    write(transcript, ...turn('b', 2));
    await vi.waitFor(() => expect(view()?.health.calls).toBe(2), PATIENCE);
    write(log, whole(request('Fix it')), set(0, 'modelState', { value: 0 }), fails('a', 'b'));
    await vi.waitFor(() => expect(view()?.health.failures).toBe(2), PATIENCE);
    expect(readFileSync(log, 'utf8').split('\n')).toHaveLength(4);
    end();
  });
});
