import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { relayMailbox } from '../../../../src/cli/relay/mailbox';
import { InboxPlaces } from '../../../../src/cli/relay/inbox-places';
import { FLEET_ACTIONS } from '../../../../src/fleet';
import { markSupervised } from '../../../../src/agents/inbox';
import { readSmall } from '../../../../src/engine/follow/probe';
import type { RecoveryAttempt } from '../../../../src/core/model';
import { T0, incident } from '../../history/support/incidents';
import { agentView } from '../../editor/support/views';
import { message } from '../../fleet/wire/records';

let home = '';
let project = '';
let now = T0;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'unstuck-mailbox-'));
  project = join(home, 'code/project');
  mkdirSync(join(project, 'src'), { recursive: true });
  now = T0;
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

describe('the place of an inbox', () => {
  it('is the nearest folder above the agent that already has one, below what is followed', () => {
    const places = new InboxPlaces([], [home], () => now);
    expect(places.rootOf(join(project, 'src'))).toBeNull();
    mkdirSync(join(project, '.unstuck'));
    // It was checked a moment ago.
    expect(places.rootOf(join(project, 'src'))).toBeNull();
    now += 5_000;
    expect(places.rootOf(join(project, 'src'))).toBe(project);
    expect(places.rootOf(tmpdir())).toBeNull();
    expect(places.rootOf(undefined)).toBeNull();
  });

  it('is no folder behind a link', () => {
    mkdirSync(join(home, 'elsewhere'));
    symlinkSync(join(home, 'elsewhere'), join(project, '.unstuck'));
    expect(new InboxPlaces([], [home], () => now).rootOf(project)).toBeNull();
  });

  it('is the folder that a person named, even if it has none yet', () => {
    expect(new InboxPlaces([project], [project], () => now).rootOf(join(project, 'src'))).toBe(project);
  });
});

describe('what a relay may write', () => {
  const written: string[] = [];
  const attempted: [string, RecoveryAttempt][] = [];
  const mailbox = (allow: readonly ('nudge' | 'stop' | 'restart')[], named = [project]) =>
    relayMailbox({
      allow,
      places: new InboxPlaces(named, [home], () => now),
      probe: { processStart: (pid) => (pid === 7 ? 'then' : null) },
      readSmall,
      now: () => now,
      written: (session) => written.push(session),
      attempted: (id, attempt) => attempted.push([id, attempt]),
    });
  const view = agentView('s1', {}, { agent: 'codex' });
  const at = (changes: object = {}, state: object = {}) => ({
    ...view,
    cwd: project,
    state: { ...view.state, ...state },
    ...changes,
  });

  it('is nothing without permission, and nothing for an agent that has no inbox or has ended', () => {
    expect(mailbox([]).accepts(at())).toEqual([]);
    expect(mailbox(['nudge', 'stop']).accepts(at())).toEqual(['nudge', 'stop']);
    expect(mailbox(['nudge'], []).accepts(at())).toEqual([]);
    expect(mailbox(['nudge']).accepts(at({}, { kind: 'finished' }))).toEqual([]);
    expect(mailbox(['nudge']).accepts(at({ deleted: true }))).toEqual([]);
  });

  it('excludes a nudge while the agent asks its user something', () => {
    expect(mailbox(['nudge', 'stop']).accepts(at({}, { kind: 'waiting', waitingFor: 'permission' }))).toEqual(['stop']);
    expect(mailbox(['nudge']).accepts(at({}, { kind: 'waiting', waitingFor: 'turn_end' }))).toEqual(['nudge']);
  });

  it('includes a restart only if a supervisor runs the agent', async () => {
    expect(mailbox(FLEET_ACTIONS).accepts(at())).toEqual(['nudge', 'stop']);
    await markSupervised(project, 's1', { pid: 7, start: 'then' });
    expect(mailbox(FLEET_ACTIONS).accepts(at())).toEqual(['nudge', 'stop', 'restart']);
  });

  it('is put into the inbox of the agent, and the engine is informed', async () => {
    expect(await mailbox(['nudge']).write(at(), message)).toEqual({ ok: true, value: 'queued' });
    expect(readdirSync(join(project, '.unstuck/inbox/s1/new'))).toEqual([`${message.id}.json`]);
    expect(written).toEqual(['s1']);
  });

  it('is an attempt on the incident that it names, once, and none on one that is over', async () => {
    const open = incident({ id: 'i1', state: 'open' });
    const about = { ...message, incident: 'i1' };
    const box = mailbox(['nudge']);
    attempted.length = 0;
    await box.write(at({ incidents: [open] }), about);
    const attempt = { attempt: 1, kind: 'nudge', message: message.id, at: T0, automated: false, state: 'queued' };
    expect(attempted).toEqual([['i1', attempt]]);
    // The server delivers it again: the previous delivery was cut off.
    expect(await box.write(at({ incidents: [{ ...open, attempts: [attempt] }] }), about)).toMatchObject({
      value: 'known',
    });
    await box.write(at({ incidents: [{ ...open, state: 'recovered' }] }), about);
    await box.write(at(), message);
    expect(attempted).toHaveLength(1);
  });

  it('is refused with a reason if the inbox cannot be used', async () => {
    symlinkSync(home, join(project, '.unstuck'));
    expect(await mailbox(['nudge']).write(at(), message)).toMatchObject({ ok: false, error: { why: 'inbox' } });
    expect(await mailbox(['nudge'], []).write(at(), message)).toMatchObject({ error: { why: 'cannot_be_reached' } });
  });
});
