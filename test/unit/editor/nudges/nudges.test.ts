import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inboxFolder } from '../../../../src/agents/inbox/folder';
import type { Delivery } from '../../../../src/core/model';
import type { Whom } from '../../../../src/editor/connect/connect';
import { Nudges } from '../../../../src/editor/nudges/nudges';
import { fail, ok } from '../../../../src/base/util/result';
import { MINUTE, T0, incident } from '../../history/support/incidents';
import { folder } from '../../support/folder';
import { recordingLog } from '../../support/log';
import { ownMessages } from '../support/own-messages';
import { agentView } from '../support/views';

/** A person with a message for an agent of a folder, and what was done with it. */
function stage() {
  const root = folder();
  const asked: unknown[] = [];
  const events: unknown[] = [];
  const mail: string[] = [];
  const log = recordingLog();
  let answer: unknown = ok({ kind: 'sent', delivery: { message: { id: '01JDSTEP' } } });
  let keeps = true;
  const mailChanged = (session: string) => void mail.push(session);
  const own = ownMessages({
    root,
    mailChanged,
    log,
    appendEvent: (event) => {
      events.push(event);
      return keeps ? Promise.resolve() : Promise.reject(new Error('disk full'));
    },
  });
  const recovery = {
    draft: (id: string, action: string) => `draft of ${id} for ${action}`,
    act: (id: string, request: unknown) => Promise.resolve((asked.push([id, request]), answer)),
    message: own.message.bind(own),
    messageSituation: own.messageSituation.bind(own),
  };
  const services = {
    engine: { mailChanged },
    folders: () => [root],
    settings: () => ({ nudgeExpiryMs: 600_000 }),
    now: () => T0,
  };
  let connected = true;
  let canConnect = true;
  let agreed = false;
  const did: string[] = [];
  const route = { connectedAt: null, wakesIdle: true, joinsRunning: true, proof: 'proven' };
  const routes = {
    learn: () => Promise.resolve(void did.push('ask')),
    routeOf: () => ({ ...route, connected, canConnect }),
  };
  const connections = {
    connect: ({ agent, cwd }: Whom = { agent: '' }, nudges = false) => {
      did.push(`connect ${agent} in ${cwd === root ? 'its folder' : cwd}${nudges ? ', then nudge' : ''}`);
      return Promise.resolve(agreed);
    },
  };
  return {
    nudges: new Nudges(services as never, recovery as never, routes as never, {} as never, connections),
    did,
    connects: (agrees: boolean) => {
      connected = false;
      agreed = agrees;
    },
    isOfAnotherKind: () => {
      connected = false;
      canConnect = false;
    },
    view: agentView('s', {}, { cwd: root }),
    waiting: () => readdirSync(join(inboxFolder(root, 's').path, 'new')),
    asked,
    events,
    mail,
    log,
    answers: (other: unknown) => void (answer = other),
    keepsNothing: () => void (keeps = false),
  };
}

const sentOf = (result: object) => ('sent' in result ? (result.sent as Delivery) : undefined);

describe('a nudge to an agent that is not connected', () => {
  it('connects it first, in its own folder, and is sent as soon as that is done', async () => {
    const { nudges, view, connects, did, waiting } = stage();
    connects(true);
    expect(sentOf(await nudges.send(view, 'Look.', undefined))?.state).toBe('queued');
    expect(did).toEqual(['ask', 'connect claude-code in its folder, then nudge']);
    expect(waiting()).toHaveLength(1);
  });

  it('is not sent if the person does not want to connect', async () => {
    const { nudges, view, connects, asked } = stage();
    connects(false);
    expect(await nudges.send(view, 'Look.', incident({ id: 'A' }))).toEqual({ handled: true });
    expect(asked).toEqual([]);
  });

  it('waits in the inbox if nothing could be connected', async () => {
    const { nudges, view, isOfAnotherKind, did, waiting } = stage();
    isOfAnotherKind();
    await nudges.send(view, 'Look.', undefined);
    expect([did, waiting().length]).toEqual([['ask'], 1]);
  });
});

describe('a nudge about an incident', () => {
  it('is drafted for the gravest one, and is empty if nothing is wrong', () => {
    const { nudges, view } = stage();
    expect(nudges.draft({ ...view, incidents: [incident({ id: 'A' }), incident({ id: 'B' })] })).toBe(
      'draft of A for nudge',
    );
    expect(nudges.draft(view)).toBe('');
  });

  it('is a step of its recovery', async () => {
    const { nudges, view, asked, events } = stage();
    const result = await nudges.send(view, 'Print the path.', incident({ id: 'A' }));
    expect(asked).toEqual([['A', { action: 'nudge', text: 'Print the path.' }]]);
    expect(sentOf(result)?.message.id).toBe('01JDSTEP');
    expect(events).toEqual([]);
  });

  it('says why it was not sent', async () => {
    const { nudges, view, answers } = stage();
    answers(fail({ code: 'other_window', message: 'Another window recovers it.' }));
    expect(await nudges.send(view, 'x', incident())).toEqual({ message: 'Another window recovers it.' });
    answers(ok({ kind: 'asked' }));
    expect(await nudges.send(view, 'x', incident())).toEqual({ message: 'No nudge was sent.' });
  });
});

describe('a message that is about no incident', () => {
  it('is in the inbox and in the event log, without its secrets', async () => {
    const { nudges, view, waiting, events, mail } = stage();
    const secret = `ghp_${'a1B2c3D4e5F6g7H8i9'.repeat(2)}`;
    const sent = sentOf(await nudges.send(view, `Use ${secret} for it.`, undefined));
    expect(sent?.message).toMatchObject({ session: 's', agent: 'claude-code', kind: 'nudge', automated: false });
    expect(sent?.message.text).not.toContain(secret);
    expect(Date.parse(sent?.message.expires ?? '') - T0).toBe(10 * MINUTE);
    expect(waiting()).toEqual([`${sent?.message.id}.json`]);
    expect(mail).toEqual(['s']);
    expect(events).toEqual([
      {
        t: T0,
        type: 'Recovery',
        session: 's',
        agent: 'claude-code',
        data: { action: 'nudge', message: sent?.message.id, attempt: 1, automated: false },
      },
    ]);
  });

  it('is not written to an agent that asks for permission: it could be read as consent', async () => {
    const { nudges, view, events, mail } = stage();
    const asking = { ...view, state: { kind: 'waiting' as const, waitingFor: 'permission' as const, since: T0 } };
    expect(await nudges.send(asking, 'Yes', undefined)).toEqual({
      message: 'The agent needs your permission. Answer it first: a nudge could be taken as a yes.',
    });
    expect([events, mail]).toEqual([[], []]);
  });

  it('is not written if no open folder contains the agent', async () => {
    const { nudges, view } = stage();
    const message = 'The agent works in a folder that is not open here.';
    const { cwd: _cwd, ...nowhere } = view;
    expect(await nudges.send(nowhere, 'x', undefined)).toEqual({ message });
    expect(await nudges.send({ ...view, cwd: '/elsewhere' }, 'x', undefined)).toEqual({ message });
    expect(await nudges.withdraw(nowhere, '01JD')).toBe(message);
  });

  it('is sent even if the event log cannot be written', async () => {
    const { nudges, view, keepsNothing, waiting, log } = stage();
    keepsNothing();
    await nudges.send(view, 'x', undefined);
    expect(waiting()).toHaveLength(1);
    expect(log.lines).toEqual(['warn: the event log could not be written: Error: disk full']);
  });

  it('is withdrawn while it waits, and not a second time', async () => {
    const { nudges, view, waiting, mail } = stage();
    const id = sentOf(await nudges.send(view, 'x', undefined))?.message.id ?? '';
    expect(await nudges.withdraw(view, id)).toBeNull();
    expect([waiting(), mail]).toEqual([[], ['s', 's']]);
    expect(await nudges.withdraw(view, id)).toBe('It was already withdrawn.');
  });
});

describe('a message that was not taken in time', () => {
  it('is sent again with the same words, and without the mark of the old one', async () => {
    const { nudges, view, waiting } = stage();
    const first = sentOf(await nudges.send(view, 'Print the path.', undefined)) as Delivery;
    const again = sentOf(await nudges.sendAgain(view, first));
    expect(again?.message.text).toBe(first.message.text.replace(first.message.id, again?.message.id ?? ''));
    expect(waiting()).toHaveLength(2);
  });

  it('still counts for its incident while that is open', async () => {
    const { nudges, view, asked } = stage();
    const first = sentOf(await nudges.send(view, 'Print the path.', undefined)) as Delivery;
    const about = { ...first, message: { ...first.message, incident: 'B' } };
    await nudges.sendAgain({ ...view, incidents: [incident({ id: 'A' }), incident({ id: 'B' })] }, about);
    expect(asked).toEqual([['B', { action: 'nudge', text: 'Print the path.' }]]);
  });
});
