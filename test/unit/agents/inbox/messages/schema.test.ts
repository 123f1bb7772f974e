import { describe, expect, it } from 'vitest';
import { parseMessage, parseReceipt } from '../../../../../src/agents/inbox/messages/schema';

const ID = '01JD0000000000000000000001';
const message = {
  v: 1,
  id: ID,
  t: '2026-11-20T18:53:50.123Z',
  session: 's',
  agent: 'codex',
  kind: 'nudge',
  text: 'Look.',
  from: 'unstuck',
  automated: false,
  expires: '2026-11-20T19:03:50.123Z',
};
const parse = (changes: object, id = ID) => parseMessage(JSON.stringify({ ...message, ...changes }), id);
const why = (changes: object, id = ID) => {
  const result = parse(changes, id);
  return result.ok ? null : `${result.error.code}: ${result.error.why}`;
};

describe('a message of a file', () => {
  it('is what the format says, without what it does not name', () => {
    expect(parse({ later: 1 })).toStrictEqual({ ok: true, value: message });
    const task = { to: null, avoid: ['x'], prompt: 'p' };
    const restart = { mode: 'fork', prompt: 'p', model: 'm', thinking: 'high' };
    const all = { incident: 'I', attempt: 1, via: 'w', task, restart, call: { name: 'bash', args: { x: 1 } } };
    expect(parse(all)).toStrictEqual({ ok: true, value: { ...message, ...all } });
  });

  it.each([
    [{ id: 'x' }, 'id'],
    [{ t: 'yesterday' }, 't'],
    [{ t: `2026-11-20T18:53:50.${'1'.repeat(60)}Z` }, 't'],
    [{ session: '' }, 'session'],
    [{ session: 'x'.repeat(1_001) }, 'session'],
    [{ agent: 'nobody' }, 'agent'],
    [{ kind: 'order' }, 'kind'],
    [{ text: 'x'.repeat(100_001) }, 'text'],
    [{ text: 7 }, 'text'],
    [{ incident: '' }, 'incident'],
    [{ attempt: 0 }, 'attempt'],
    [{ attempt: 1.5 }, 'attempt'],
    [{ from: 'somebody' }, 'from'],
    [{ via: '' }, 'via'],
    [{ automated: 'no' }, 'automated'],
    [{ expires: 7 }, 'expires'],
    [{ task: { to: '', avoid: [], prompt: '' } }, 'task.to'],
    [{ task: { to: 's', avoid: Array.from({ length: 101 }, () => 'x'), prompt: '' } }, 'task.avoid'],
    [{ restart: { mode: 'again', prompt: '' } }, 'restart.mode'],
    [{ restart: { mode: 'fresh' } }, 'restart.prompt'],
    [{ call: { args: {} } }, 'call.name'],
    [{ v: 0 }, 'v'],
    [{ v: '2' }, 'v'],
  ])('with %j does not match the format: %s', (changes, where) => {
    expect(why(changes)).toBe(`schema: "${where}" is not as the format says`);
  });

  it('has the name of its file, is JSON, and an object', () => {
    expect(why({}, ID.replace('1', '2'))).toBe('name: its id is not the name of its file');
    expect(parseMessage('{', ID)).toEqual({ ok: false, error: { code: 'json', why: 'not valid JSON' } });
    expect(parseMessage('7', ID)).toEqual({
      ok: false,
      error: { code: 'schema', why: 'the message is not as the format says' },
    });
  });

  it('of a later version is left to that version until it expires', () => {
    const error = { code: 'version', why: 'version 2 is not known' };
    expect(parse({ v: 2 })).toStrictEqual({ ok: false, error: { ...error, expires: Date.parse(message.expires) } });
    expect(parse({ v: 2, expires: 'never' })).toStrictEqual({ ok: false, error });
  });

  it.each([
    ['nudge', 'text'],
    ['gate', 'text'],
    ['reassign', 'text'],
    ['checkpoint', 'text'],
    ['stop', 'text'],
    ['restart', 'restart'],
    ['escalate', 'restart'],
    ['block', 'call'],
  ])('of the kind %s has %s', (kind, needs) => {
    expect(why({ kind, text: ' ' })).toBe(`schema: "${needs}" is missing`);
    const { text: _, ...silent } = message;
    const restart = { mode: 'resume', prompt: '' };
    const given = { ...silent, kind, restart, call: { name: 'x', args: null }, ...(needs === 'text' && { text: 'x' }) };
    expect(parseMessage(JSON.stringify(given), ID)).toMatchObject({ ok: true, value: { text: given.text ?? '' } });
  });
});

describe('a line of receipts', () => {
  const receipt = { v: 1, t: message.t, id: ID, state: 'acted', by: 'hook', outcome: 'same', reason: 'r' };
  const read = (changes: object) => parseReceipt(JSON.stringify({ ...receipt, ...changes }));

  it('is what the format says', () => {
    expect(read({})).toEqual(receipt);
    for (const outcome of ['changed', 'same']) expect(read({ outcome })?.outcome).toBe(outcome);
  });

  it.each([
    [{ v: 2 }],
    [{ t: 'x' }],
    [{ id: 'x' }],
    [{ state: 'lost' }],
    [{ by: '' }],
    [{ outcome: 'x' }],
    [{ reason: 'x'.repeat(1_001) }],
  ])('with %j is none', (changes) => {
    expect(read(changes)).toBeNull();
    expect(parseReceipt('')).toBeNull();
  });
});
