import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { deliveries, sendMessage, sessionFolderName, takeMessages } from '../../../../../src/agents/inbox';
import { draftAgain, messageOf } from '../../../../../src/agents/inbox/messages/send';
import { isMessageId } from '../../../../../src/agents/inbox/messages/mark';
import { parseMessage } from '../../../../../src/agents/inbox/messages/schema';
import { withdrawMessage } from '../../../../../src/agents/inbox/messages/waiting';
import { inboxFailure } from '../../../../../src/agents/inbox/failure';
import { presentable } from '../../../../../src/base/util/redact';
import { decodeTime } from 'ulid';
import { draft, filesIn, NOW, SESSION, value, workspace } from '../inbox-kit';

let place: { root: string; remove: () => void };
beforeEach(() => {
  place = workspace();
});
afterEach(() => place.remove());

const inbox = (): string => join(place.root, '.unstuck/inbox', SESSION);

describe('sending a message', () => {
  it('puts one file into new, as the format says, with its mark at the end', async () => {
    const sent = value(await sendMessage(place.root, draft({ incident: 'I1', attempt: 1 }), NOW));
    const { id } = sent.message;
    expect(isMessageId(id)).toBe(true);
    // Ids only increase: a message of another test may have been sent at a later time.
    expect(decodeTime(id)).toBeGreaterThanOrEqual(NOW);
    expect(JSON.parse(readFileSync(join(inbox(), 'new', `${id}.json`), 'utf8'))).toEqual({
      v: 1,
      id,
      t: '2026-11-20T18:53:50.123Z',
      session: SESSION,
      agent: 'claude-code',
      kind: 'nudge',
      text: `The same command failed 6 times. [unstuck ${id}]`,
      incident: 'I1',
      attempt: 1,
      from: 'unstuck',
      automated: true,
      expires: '2026-11-20T19:03:50.123Z',
    });
    expect(sent).toMatchObject({ state: 'queued', times: { queued: NOW } });
    expect(filesIn(place.root, 'tmp')).toEqual([]);
    expect(filesIn(place.root, 'cur')).toEqual([]);
  });

  it('replaces the wake file by the id, and keeps everything out of git and private to its owner', async () => {
    await sendMessage(place.root, draft(), NOW);
    const second = value(await sendMessage(place.root, draft(), NOW));
    expect(readFileSync(join(inbox(), 'wake'), 'utf8')).toBe(second.message.id);
    expect(readFileSync(join(place.root, '.unstuck/.gitignore'), 'utf8')).toBe('*\n');
    const mode = (path: string): number => lstatSync(path).mode & 0o777;
    expect(mode(join(inbox(), 'new', `${second.message.id}.json`))).toBe(0o600);
    expect(mode(join(inbox(), 'receipts.jsonl'))).toBe(0o600);
    expect(mode(join(inbox(), 'wake'))).toBe(0o600);
    for (const folder of [inbox(), join(inbox(), 'new'), join(place.root, '.unstuck')])
      expect(mode(folder)).toBe(0o700);
  });

  it('leaves a .gitignore that was changed as it is', async () => {
    mkdirSync(join(place.root, '.unstuck'));
    writeFileSync(join(place.root, '.unstuck/.gitignore'), '*\n!notes\n');
    await sendMessage(place.root, draft(), NOW);
    expect(readFileSync(join(place.root, '.unstuck/.gitignore'), 'utf8')).toBe('*\n!notes\n');
  });

  it('names folders of sessions after their id, or after its digest', () => {
    expect(sessionFolderName('a-B_9')).toBe('a-B_9');
    expect(sessionFolderName('x'.repeat(64))).toBe('x'.repeat(64));
    // The beginning of sha256("../x").
    expect(sessionFolderName('../x')).toBe('s-d6b96a97d147daaa');
    for (const odd of ['', 'x'.repeat(65), 'a b', 'ü', '.', '..', 'a\n']) {
      expect(sessionFolderName(odd)).toMatch(/^s-[0-9a-f]{16}$/);
    }
  });

  it('refuses a symbolic link anywhere below the workspace folder', async () => {
    const elsewhere = workspace();
    const links = [
      '.unstuck',
      '.unstuck/inbox',
      `.unstuck/inbox/${SESSION}`,
      ...['tmp', 'new', 'cur'].map((one) => `.unstuck/inbox/${SESSION}/${one}`),
    ];
    for (const link of links) {
      rmSync(join(place.root, '.unstuck'), { recursive: true, force: true });
      mkdirSync(join(place.root, link, '..'), { recursive: true });
      symlinkSync(elsewhere.root, join(place.root, link));
      const sent = await sendMessage(place.root, draft(), NOW);
      expect(sent.ok ? 'sent' : sent.error.code).toBe('symbolic_link');
      const taken = await takeMessages({
        root: place.root,
        session: SESSION,
        by: 'test',
        now: NOW,
        choose: (all) => all,
      });
      // Only the writer uses `tmp`; a taker finds nothing to take below it.
      if (!link.endsWith('tmp'))
        expect(taken.ok ? taken.value.messages.length : taken.error.code).toBe('symbolic_link');
    }
    elsewhere.remove();
  });

  it('never writes through a link that replaces one of its files', async () => {
    value(await sendMessage(place.root, draft(), NOW));
    const outside = join(place.root, 'outside');
    for (const file of ['wake', 'receipts.jsonl']) {
      rmSync(join(inbox(), file));
      symlinkSync(outside, join(inbox(), file));
    }
    value(await sendMessage(place.root, draft(), NOW));
    expect(existsSync(outside)).toBe(false);
  });

  it('says in one sentence why it failed', async () => {
    const gone = await sendMessage(join(place.root, 'gone'), draft(), NOW);
    expect(gone.ok ? '' : gone.error.code).toBe('no_folder');
    writeFileSync(join(place.root, '.unstuck'), '');
    const file = await sendMessage(place.root, draft(), NOW);
    expect(file.ok ? '' : file.error.code).toBe('not_a_folder');
    const empty = await sendMessage(place.root, draft({ kind: 'restart' }), NOW);
    expect(empty.ok ? '' : empty.error.code).toBe('invalid');
    const system = (code: string): string => inboxFailure(Object.assign(new Error(), { code }), 'write', '/w').code;
    expect(['ENOSPC', 'EROFS', 'EACCES', 'ELOOP', 'EOTHER'].map(system)).toEqual([
      'disk_full',
      'read_only',
      'no_permission',
      'symbolic_link',
      'io',
    ]);
    expect(inboxFailure(Object.assign(new Error(), { code: 'ENOSPC' }), 'write', '/w').message).toBe(
      'Cannot write /w: the disk is full.',
    );
  });

  it('removes secrets and hidden characters from each text that the agent will read', () => {
    const hidden = 'DB_PASSWORD=tr0ub4dor\u200b';
    const message = messageOf(
      draft({
        text: hidden,
        task: { to: null, avoid: [hidden], prompt: hidden },
        restart: { mode: 'fork', prompt: hidden, model: 'opus' },
      }),
      '01JDAAAAAAAAAAAAAAAAAAAAAA',
      NOW,
    );
    const clean = 'DB_PASSWORD=[redacted]';
    expect(message).toMatchObject({
      text: `${clean} [unstuck 01JDAAAAAAAAAAAAAAAAAAAAAA]`,
      task: { to: null, avoid: [clean], prompt: clean },
      restart: { mode: 'fork', prompt: clean, model: 'opus' },
    });
    expect(Object.keys(messageOf(draft(), '01JDAAAAAAAAAAAAAAAAAAAAAA', NOW))).not.toContain('restart');
  });

  it.each([
    ['60 s', { expiresIn: 60_000 }, { expiresIn: 60_000 }],
    ['as long as by default', {}, { expiresIn: 600_000 }],
    ['no time at all, and is given the default', { expiresIn: 0 }, {}],
  ])('is drafted again with its previous patience: %s', (_name, had, again) => {
    const id = '01JDAAAAAAAAAAAAAAAAAAAAAA';
    const { expiresIn } = { expiresIn: undefined, ...draftAgain(messageOf(draft(had), id, NOW)) };
    expect({ expiresIn }).toEqual({ expiresIn: undefined, ...again });
  });

  it('refuses a message of more than 1 MB, and leaves nothing of it behind', async () => {
    const long = 'ä'.repeat(60_000);
    const avoid = Array.from({ length: 10 }, () => long);
    const sent = await sendMessage(place.root, draft({ task: { to: null, avoid, prompt: '' } }), NOW);
    expect(sent).toMatchObject({
      ok: false,
      error: { code: 'invalid', message: 'The message cannot be sent: it is too long.' },
    });
    expect(existsSync(inbox())).toBe(false);
  });

  it('keeps the order of sending within one millisecond', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 20; index++) ids.push(value(await sendMessage(place.root, draft(), NOW)).message.id);
    expect([...ids].sort()).toEqual(ids);
  });
});

describe('the format', () => {
  it('returns any draft from the text of its file as it was sent', () => {
    const id = '01JDAAAAAAAAAAAAAAAAAAAAAA';
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), fc.string(), (text, prompt) => {
        // Hidden characters and secrets are not sent.
        const sent = presentable(text);
        fc.pre(sent.trim() !== '');
        const task = { to: null, avoid: [text], prompt };
        const message = messageOf(draft({ text, task, kind: 'reassign' }), id, NOW);
        expect(parseMessage(JSON.stringify(message), id)).toEqual({ ok: true, value: message });
        expect(draftAgain(message).text).toBe(sent.trimEnd());
      }),
    );
  });

  it('can be read without an exception, whatever the file holds', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.anything().map((any) => JSON.stringify(any) ?? ''),
        ),
        (text) => {
          const parsed = parseMessage(text, '01JDAAAAAAAAAAAAAAAAAAAAAA');
          expect(parsed.ok).toBe(false);
        },
      ),
    );
  });

  it('distinguishes a message of a later version from a broken one', () => {
    const parsed = parseMessage('{"v":2}', '01JDAAAAAAAAAAAAAAAAAAAAAA');
    expect(parsed.ok ? '' : parsed.error.code).toBe('version');
  });
});

describe('withdrawing', () => {
  it('moves a waiting message to cur with its receipt; what was taken cannot be withdrawn', async () => {
    const one = value(await sendMessage(place.root, draft(), NOW)).message.id;
    value(await withdrawMessage(place.root, SESSION, one, NOW + 5));
    expect(filesIn(place.root, 'cur')).toEqual([`${one}.json`]);
    const known = value(await deliveries(place.root, SESSION, NOW + 10)).deliveries[0];
    expect(known).toMatchObject({ state: 'withdrawn', by: 'unstuck', times: { queued: NOW, withdrawn: NOW + 5 } });

    const two = value(await sendMessage(place.root, draft(), NOW)).message.id;
    await takeMessages({ root: place.root, session: SESSION, by: 'hook:Stop', now: NOW, choose: (all) => all });
    const late = await withdrawMessage(place.root, SESSION, two, NOW + 5);
    expect(late.ok ? '' : late.error.code).toBe('not_waiting');
    for (const id of ['../../../x', '', 'cur']) {
      const odd = await withdrawMessage(place.root, SESSION, id, NOW);
      expect(odd.ok ? '' : odd.error.code).toBe('invalid');
    }
  });
});
