import { describe, expect, it } from 'vitest';
import {
  decodeEvent,
  decodeMessage,
  decodeReceipt,
  decodeState,
  encode,
  encodeAgent,
  idOfBroken,
  LARGEST_RECORD,
  type MessageRecord,
  type ReceiptRecord,
  viewOf,
} from '../../../../src/fleet/wire';
import { nameOfHost } from '../../../../src/fleet/wire/names';
import { agentRecord } from '../../../../src/fleet/wire/record';
import { incident, MINUTE, T0 } from '../../history/support/incidents';
import { agent, event, HEAD, machine, message, stuckView } from './records';

const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
const sent = (record: Parameters<typeof encode>[0]) => {
  const encoded = encode(record);
  if (!encoded.ok) throw new Error(encoded.error);
  return encoded.value;
};
const receipt: ReceiptRecord = {
  v: 1,
  kind: 'receipt',
  id: message.id,
  machine: 'alpha',
  viewer: 'me',
  at: T0,
  state: 'queued',
  by: 'relay',
};

describe('records between machines', () => {
  it('are decoded as they were encoded', () => {
    expect(decodeState('alpha.machine', sent(machine))).toEqual({ ok: true, value: machine });
    const stuck = agent();
    expect(decodeState('alpha.agent.s1', sent(stuck))).toEqual({ ok: true, value: stuck });
    expect(decodeEvent('alpha', 's1', sent(event))).toEqual({ ok: true, value: event });
    expect(decodeMessage('alpha', 'me', sent(message))).toEqual({ ok: true, value: message });
    expect(decodeReceipt('alpha', 'me', sent(receipt))).toEqual({ ok: true, value: receipt });
  });

  it('are refused if they name another machine, agent or viewer', () => {
    const place = { ok: false, error: 'place' };
    expect(decodeState('beta.machine', sent(machine))).toEqual(place);
    expect(decodeState('beta.agent.s1', sent(agent()))).toEqual(place);
    expect(decodeState('alpha.agent.s2', sent(agent()))).toEqual(place);
    expect(decodeState('alpha', sent(machine))).toEqual(place);
    expect(decodeState('alpha.agent.s1.more', sent(agent()))).toEqual(place);
    expect(decodeEvent('beta', 's1', sent(event))).toEqual(place);
    expect(decodeEvent('alpha', 's2', sent(event))).toEqual(place);
    expect(decodeMessage('beta', 'me', sent(message))).toEqual(place);
    expect(decodeMessage('alpha', 'you', sent(message))).toEqual(place);
    expect(decodeReceipt('alpha', 'you', sent(receipt))).toEqual(place);
  });

  it('are not mistaken for one another', () => {
    const kinds = [machine, agent(), event, message, receipt].map((record) => sent(record));
    const readers = [
      (text: Uint8Array) => decodeState('alpha.machine', text),
      (text: Uint8Array) => decodeState('alpha.agent.s1', text),
      (text: Uint8Array) => decodeEvent('alpha', 's1', text),
      (text: Uint8Array) => decodeMessage('alpha', 'me', text),
      (text: Uint8Array) => decodeReceipt('alpha', 'me', text),
    ];
    for (const [reader, read] of readers.entries())
      for (const [kind, text] of kinds.entries())
        if (reader !== kind) expect([reader, kind, read(text).ok]).toEqual([reader, kind, false]);
  });

  it('of a later version are reported as such, and those of an impossible one are refused', () => {
    expect(decodeState('alpha.machine', bytes({ ...machine, v: 2, kind: 'other' }))).toEqual({
      ok: false,
      error: 'version',
    });
    expect(decodeState('alpha.machine', bytes({ ...machine, v: 0 }))).toEqual({ ok: false, error: 'schema' });
    expect(decodeState('alpha.machine', bytes({ ...machine, v: 'x' }))).toEqual({ ok: false, error: 'schema' });
  });

  it('may contain additions of later minor versions, which are left out', () => {
    expect(decodeState('alpha.machine', bytes({ ...machine, colour: 'red' }))).toEqual({ ok: true, value: machine });
  });

  it('above 64 KB are neither sent nor read', () => {
    const large: MessageRecord = { ...message, text: 'w'.repeat(LARGEST_RECORD) };
    expect(encode(large)).toEqual({ ok: false, error: 'too_large' });
    expect(decodeMessage('alpha', 'me', bytes(large))).toEqual({ ok: false, error: 'too_large' });
    expect(decodeMessage('alpha', 'me', new Uint8Array(10_000_000))).toEqual({ ok: false, error: 'too_large' });
  });

  it('that are damaged are refused without an exception', () => {
    const whole = sent(agent());
    for (let i = 0; i < whole.length; i += 7) {
      const cut = decodeState('alpha.agent.s1', whole.slice(0, i));
      expect(cut.ok).toBe(false);
      const flipped = whole.slice();
      flipped[i] = (flipped[i] ?? 0) ^ 0xff;
      expect(() => decodeState('alpha.agent.s1', flipped)).not.toThrow();
    }
    for (const value of [null, 1, 'x', [], {}, [[[[]]]], { v: 1 }, { v: 1, kind: 'agent', machine: {} }])
      expect(decodeState('alpha.agent.s1', bytes(value)).ok).toBe(false);
    expect(decodeState('alpha.agent.s1', new Uint8Array([0xff, 0xfe]))).toEqual({ ok: false, error: 'json' });
  });

  it('of a hostile machine are refused field by field', () => {
    const record = agent();
    const hostile: readonly object[] = [
      { title: 'w'.repeat(121) },
      { state: { ...record.state, kind: 'rich' } },
      { state: { ...record.state, since: Number.MAX_VALUE } },
      { health: { ...record.health, calls: -1 } },
      {
        health: {
          ...record.health,
          callsByTool: Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`t${i}`, 1])),
        },
      },
      { incidents: Array.from({ length: 6 }, () => record.incidents[0]) },
      {
        incidents: [
          { ...record.incidents[0], evidence: Array.from({ length: 21 }, () => record.incidents[0]?.evidence[0]) },
        ],
      },
      { accepts: ['nudge', 'stop', 'restart', 'nudge'] },
      { accepts: ['run'] },
      { run: 'latest' },
      { agent: 'skynet' },
      { session: '' },
    ];
    for (const change of hostile)
      expect([change, decodeState('alpha.agent.s1', bytes({ ...record, ...change }))]).toEqual([
        change,
        { ok: false, error: 'schema' },
      ]);
  });

  it('a restart without its details is invalid', () => {
    expect(decodeMessage('alpha', 'me', bytes({ ...message, action: 'restart' }))).toEqual({
      ok: false,
      error: 'schema',
    });
    const restart = { ...message, action: 'restart', restart: { mode: 'resume', prompt: 'go on' } };
    expect(decodeMessage('alpha', 'me', bytes(restart)).ok).toBe(true);
  });

  it('a command line in a message is left out', () => {
    const restart = {
      ...message,
      action: 'restart',
      restart: { mode: 'resume', prompt: 'go on', command: ['rm', '-rf', '/'] },
      command: 'rm -rf /',
    };
    const read = decodeMessage('alpha', 'me', bytes(restart));
    expect(JSON.stringify(read)).not.toContain('rm');
  });

  it('a broken message still reports its id if it has one', () => {
    expect(idOfBroken(bytes({ v: 2, id: message.id }))).toBe(message.id);
    expect(idOfBroken(bytes({ id: '../../etc' }))).toBeNull();
    expect(idOfBroken(new Uint8Array([1]))).toBeNull();
  });
});

describe('what is sent about an agent', () => {
  it('contains no secret, no path of a transcript and no sample of a result', () => {
    const secret = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
    const one = incident({
      subject: `curl -H "Authorization: Bearer ${secret}"`,
      why: `${secret} again`,
      firstSample: {
        source: { file: '/home/me/t.jsonl', line: 1, offset: 0 },
        at: T0,
        text: 'whole result',
        ignored: [],
      },
    });
    const text = JSON.stringify(
      agentRecord(
        stuckView({ incidents: [one], title: `Use ${secret}`, doing: { kind: 'tool', subject: secret, since: T0 } }),
        HEAD,
        [],
      ),
    );
    expect(text).not.toContain(secret);
    expect(text).not.toContain('.jsonl');
    expect(text).not.toContain('whole result');
    expect(text).toContain('[redacted]');
  });

  it('has at most 20 lines of evidence in all, the first two and the newest', () => {
    const [row] = incident().evidence;
    if (!row) throw new Error('no evidence');
    const rows = Array.from({ length: 15 }, (_, i) => ({ ...row, source: { ...row.source, line: i } }));
    const record = agent({ incidents: [incident({ evidence: rows }), incident({ evidence: rows })] });
    expect(record.incidents.map(({ evidence }) => evidence.map(({ line }) => line))).toEqual([
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14],
      [0, 1, 12, 13, 14],
    ]);
  });

  it('fits and can be read even if every text has its maximum length or more', () => {
    const long = '漢'.repeat(5_000);
    const [row] = incident().evidence;
    if (!row) throw new Error('no evidence');
    const one = incident({
      subject: long,
      why: long,
      suggestion: long,
      clears: Array.from({ length: 20 }, () => long),
      evidence: Array.from({ length: 40 }, () => ({ ...row, subject: long, text: long })),
    });
    const view = stuckView({
      title: long,
      cwd: long,
      model: long,
      state: { kind: 'waiting', since: T0, waitingFor: 'question', question: long },
      incidents: [one, one, one, one, one, one],
      session: long,
    });
    const encoded = encodeAgent(view, HEAD, []);
    if (!encoded.ok) throw new Error(encoded.error);
    const { record, bytes } = encoded.value;
    expect(record.incidents[0]?.evidence.length).toBeGreaterThan(0);
    expect(decodeState(`alpha.agent.${record.key}`, bytes)).toEqual({ ok: true, value: record });
  });

  it('becomes a view again, with times by the clock of the reader', () => {
    const view = viewOf(agent(), 60 * MINUTE);
    expect(view).toMatchObject({
      session: 's1',
      file: '',
      state: { kind: 'stuck', since: T0 - 60 * MINUTE },
      incidents: [
        {
          subject: 'pytest -q',
          firstAt: T0 - 60 * MINUTE,
          resolvedAt: null,
          evidence: [{ role: 'first' }, {}, {}, {}],
        },
      ],
    });
  });
});

it('the rule of an incident and how it was cleared are sent unchanged, even if absent', () => {
  const leaves = (rule: 'runs' | null, cleared: 'different_result' | null) => {
    const view = stuckView();
    const [one] = view.incidents;
    const record = agentRecord({ ...view, incidents: one ? [{ ...one, rule, cleared }] : [] }, HEAD, []);
    return record.incidents.map((told) => [told.rule, told.cleared]);
  };
  expect(leaves('runs', 'different_result')).toEqual([['runs', 'different_result']]);
  expect(leaves(null, null)).toEqual([[null, null]]);
});

it('a machine is named after its host: lower case, without its domain, at most 63 characters', () => {
  expect(nameOfHost('Build-Box.example.org')).toBe('build-box');
  expect(nameOfHost('__My Laptop!')).toBe('my-laptop-');
  expect(nameOfHost('x'.repeat(80))).toBe('x'.repeat(63));
  expect(nameOfHost('...')).toBeNull();
});
