import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resolveOptions } from '../../../../src/detect/session/options';
import { periodAtEnd } from '../../../../src/detect/sayings/text-period';
import { realIncidents } from '../support/real';
import { type Script, script } from '../support/script';

const SENTENCE = 'I will now check the total function again to be sure. ';
/** Text in which nothing repeats five times in a row. */
const PROSE = Array.from({ length: 80 }, (_, index) => `Line ${index} explains item ${(index * 7919) % 1000}.`).join(
  '\n',
);

describe('text_loop', () => {
  it('warns at five repeats within a message and is stuck at eight', () => {
    const said = (count: number): Script =>
      script()
        .user('Go.')
        .say(`Let me look.\n${SENTENCE.repeat(count)}`);
    expect(said(4).incidentsOf('text_loop')).toEqual([]);
    expect(said(5).incidentsOf('text_loop')[0]?.first).toMatchObject({ level: 'warn', count: 5, certainty: 'counted' });
    const [alert] = said(8).incidentsOf('text_loop');
    expect(alert?.first).toMatchObject({ level: 'stuck', count: 8, reason: 'text_loop' });
    expect(alert?.first.why).toBe(`The same sentence came 8 times: ${SENTENCE.trim()}`);
    expect(alert?.first.evidence).toHaveLength(1);
  });

  it('sees a streamed text while it streams, whatever the pieces', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 90 }), fc.integer({ min: 30, max: 300 }), (size, length) => {
        const period = PROSE.slice(0, length);
        const text = `${PROSE.slice(400, 700)}${period.repeat(10)}`;
        const run = script().user('Go.');
        for (let at = 0; at < text.length; at += size)
          run.line('assistant', { text: text.slice(at, at + size), chunk: true });
        run.line('usage', { outputTokens: 1 });
        expect(run.incidentsOf('text_loop')[0]?.last.level).toBe('stuck');
      }),
      { numRuns: 30 },
    );
  });

  it('counts on beyond the text that it keeps', () => {
    const run = script().user('Go.');
    for (let at = 0; at < 400; at++) run.line('assistant', { text: SENTENCE, chunk: true });
    const [alert] = run.line('usage').incidentsOf('text_loop');
    expect(alert?.last.count).toBeGreaterThanOrEqual(399);
    expect(alert?.last.count).toBeLessThanOrEqual(400);
  });

  it('continues across messages with no call in between', () => {
    const run = script().user('Go.').say(SENTENCE.repeat(4).trim()).say(SENTENCE.repeat(4).trim());
    // the break between the messages belongs to no repeat
    expect(run.incidentsOf('text_loop')).toEqual([]);
    const [alert] = script()
      .user('Go.')
      .times(3, (one) => one.say('Checking again.\n'.repeat(4).trim()))
      .incidentsOf('text_loop');
    expect(alert?.last.evidence.map((row) => row.source.line)).toEqual([2, 3, 4]);
  });

  it('leaves equal messages to the rule for talk without action', () => {
    const run = script()
      .user('Go.')
      .times(12, (one) => one.say('I should think about the approach again.'));
    expect(run.incidentsOf('text_loop')).toEqual([]);
    expect(run.incidentsOf('monologue')).toHaveLength(1);
  });

  it('needs more repeats of a short text', () => {
    expect(script().user('Go.').say('check it '.repeat(11)).incidentsOf('text_loop')).toEqual([]);
    expect(script().user('Go.').say('check it '.repeat(12)).incidentsOf('text_loop')[0]?.first.level).toBe('warn');
    expect(script().user('Go.').say('check it '.repeat(20)).incidentsOf('text_loop')[0]?.first.level).toBe('stuck');
  });

  it.each([
    ['a ruler', `Result\n${'-'.repeat(200)}`],
    ['dots', '.'.repeat(300)],
    ['a table', `| a | b |\n${'| none | none |\n'.repeat(12)}`],
    ['numbers', '0, 0, 0, 0, '.repeat(40)],
    [
      'a list whose items differ',
      Array.from({ length: 30 }, (_, index) => `- check that module ${index} builds`).join('\n'),
    ],
    ['prose', PROSE],
    ['code', `\`\`\`ts\n${"test('adds', () => expect(1 + 1).toBe(2));\n".repeat(12)}`],
    ['repeats with something new behind them', `${SENTENCE.repeat(12)}\nNow I know: the discount is applied twice.`],
  ])('reports nothing for %s', (_, text) => {
    expect(script().user('Go.').say(text).incidentsOf('text_loop')).toEqual([]);
  });

  it.each([
    ['new text', 'new_text', (run: Script) => run.say('The discount is applied twice.')],
    ['a tool call', 'tool_call', (run: Script) => run.bash('ls')],
    ['a person', 'user_message', (run: Script) => run.user('Stop. Read price.js.')],
    ['the end', 'session_end', (run: Script) => run.line('session_end')],
  ] as const)('is ended by %s', (_, reason, what) => {
    const run = script().user('Go.').say(SENTENCE.repeat(6));
    what(run);
    expect(run.incidentsOf('text_loop')[0]?.cleared?.reason).toBe(reason);
  });

  it('reports nothing for a text that continues across messages, if there is a call between them', () => {
    const run = script()
      .user('Go.')
      .times(3, (one) => one.say('Checking again.\n'.repeat(4).trim()).bash('npm test', 'failed'));
    expect(run.incidentsOf('text_loop')).toEqual([]);
  });

  it('follows its settings', () => {
    const run = script().user('Go.').say(SENTENCE.repeat(6));
    expect(run.incidentsOf('text_loop', resolveOptions({ preset: 'patient', detectors: {} }))).toEqual([]);
    expect(run.incidentsOf('text_loop', resolveOptions({ preset: 'eager', detectors: {} }))[0]?.first.level).toBe(
      'stuck',
    );
    expect(run.incidentsOf('text_loop', resolveOptions({ preset: 'eager', detectors: { text_loop: 'off' } }))).toEqual(
      [],
    );
  });

  it('counts the mark of an agent that found its own text repeating', () => {
    const told = realIncidents('gemini/loop_chant.jsonl', 'text_loop');
    if (!told) return;
    expect(told.map((one) => [one.stuckLine, one.last.reason])).toEqual([[6, 'text_loop']]);
  });
});

describe('periodAtEnd', () => {
  it('finds every period that is there often enough, and never a longer one', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 200 }),
        fc.string({ minLength: 1, maxLength: 60 }),
        fc.integer({ min: 5, max: 9 }),
        (head, period, count) => {
          const found = periodAtEnd(head + period.repeat(count), () => 5);
          if (period.length * count >= 32) expect(found).not.toBeNull();
          expect(found?.period ?? 1).toBeLessThanOrEqual(period.length);
        },
      ),
    );
  });

  it('reports nothing that is not true', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 400, unit: fc.constantFrom('a', 'b', 'c') }), (text) => {
        const found = periodAtEnd(text, () => 3);
        if (!found) return;
        const repeated = text.slice(-found.length);
        expect(repeated.length).toBeGreaterThanOrEqual(found.period * 3);
        expect(repeated.slice(found.period)).toBe(repeated.slice(0, -found.period));
      }),
    );
  });
});
