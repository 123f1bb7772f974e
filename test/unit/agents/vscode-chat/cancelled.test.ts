import { describe, expect, it } from 'vitest';
import { SessionFacts } from '../../../../src/engine/session/facts';
import { command, FAIL, record, request, result, session, set, START, terminal, whole } from './kit';

type Run = ReturnType<typeof session>;

const CANCELLED = { value: 2, completedAt: START + 4_000 };
const begin = { ...record.says(4.5, ''), type: 'assistant.turn_start' };

/** A turn with one command that runs. */
function running(): Run {
  const run = session();
  run.transcript(record.start(), record.user(0.2, 'Fix it'), record.asks(1, command('a')));
  run.log(whole(request('Fix it')));
  run.settle();
  return run;
}

/** The person cancels it. The chat view receives the result as soon as the agent has given up, which may be after its log was saved. */
function cancelled({ hasResult = true } = {}): Run {
  const run = running();
  if (hasResult) run.log(set(0, 'result', result({})));
  run.log(set(0, 'modelState', CANCELLED));
  run.settle();
  return run;
}

/** Record that our hook writes about a command. */
const told = (call: string, seconds: number) => ({
  v: 1,
  t: new Date(START + seconds * 1_000).toISOString(),
  hook: 'PostToolUse',
  call,
  tool: 'run_in_terminal',
  output: FAIL,
});

/** The engine's verdict on whose move it is. */
function move(run: Run): 'the agent’s' | 'the person’s, who interrupted it' | 'the person’s' {
  const facts = new SessionFacts('');
  for (const event of run.events) facts.push(event);
  if (facts.interruptedAt !== null) return 'the person’s, who interrupted it';
  return facts.turnOpen ? 'the agent’s' : 'the person’s';
}
const INTERRUPTED = 'the person’s, who interrupted it';

describe('a chat whose turn was cancelled stays so', () => {
  it.each([
    ['before', 3.5],
    ['after', 4.5],
  ])('when a hook reports a call that ended %s the click', (_when, seconds) => {
    const run = cancelled();
    run.log(told('a', seconds));
    run.settle();
    expect(run.results()).toEqual([
      ['a', 'unknown'],
      ['a', 'late'],
    ]);
    expect(move(run)).toBe(INTERRUPTED);
  });

  it.each([
    ['before', 3.5],
    ['after', 4.5],
  ])(
    'when the transcript is written later than the log, with a call of %s the click that is never run',
    (_when, seconds) => {
      const run = cancelled();
      run.transcript(record.done(3.2, 'a'), record.asks(seconds, command('b')));
      run.settle();
      expect(run.types()).not.toContain('turn_start');
      expect(run.results()).toEqual([
        ['a', 'unknown'],
        ['b', 'unknown'],
      ]);
      expect(move(run)).toBe(INTERRUPTED);
    },
  );

  it('when the transcript begins a round of the model that was never requested', () => {
    const run = cancelled();
    run.transcript(record.done(4.2, 'a'), begin);
    run.settle();
    expect(move(run)).toBe(INTERRUPTED);
  });

  it('when no result is saved, or later: it was stopped while the model answered, or its window was reloaded', () => {
    const run = cancelled({ hasResult: false });
    expect(move(run)).toBe(INTERRUPTED);
    run.log(set(0, 'result', result({ a: FAIL })));
    run.settle();
    expect(run.results().at(-1)).toEqual(['a', 'late']);
    expect(move(run)).toBe(INTERRUPTED);
  });

  it('when only a hook reports its call', () => {
    const run = cancelled({ hasResult: false });
    run.log(told('a', 3.5));
    run.settle();
    expect(move(run)).toBe(INTERRUPTED);
  });

  it('when the transcript is read after the log', () => {
    const run = cancelled({ hasResult: false });
    run.transcript(record.done(3.2, 'a'), record.says(3.5, 'It is'));
    run.settle();
    expect(move(run)).toBe(INTERRUPTED);
  });

  it('when it is read again, its files in any order', () => {
    const transcript = [
      record.start(),
      record.user(0.2, 'Fix it'),
      record.asks(1, command('a')),
      record.done(4.2, 'a'),
    ];
    const log = [whole(request('Fix it')), set(0, 'result', result({})), set(0, 'modelState', CANCELLED)];
    for (const isLogFirst of [true, false]) {
      const run = session();
      if (isLogFirst) run.log(...log);
      run.transcript(...transcript, begin);
      if (!isLogFirst) run.log(...log);
      run.log(told('a', 4.1));
      run.settle();
      expect(move(run)).toBe(INTERRUPTED);
    }
  });
});

describe('a chat that continues after its turn was cancelled', () => {
  it('works from the next prompt on, whichever file has it first', () => {
    const byTranscript = cancelled();
    byTranscript.transcript(record.user(6, 'Go on'), record.asks(7, command('b')));
    byTranscript.settle();
    expect(move(byTranscript)).toBe('the agent’s');
    byTranscript.log(told('a', 3.5));
    byTranscript.settle();
    expect(move(byTranscript)).toBe('the agent’s');

    const byLog = cancelled();
    byLog.log({ kind: 2, k: ['requests'], v: [request('Go on', {}, 6)] });
    byLog.transcript(record.asks(7, command('b')));
    byLog.settle();
    expect(move(byLog)).toBe('the agent’s');
    expect(byLog.results()).toEqual([['a', 'unknown']]);
  });

  it('has its new turn ended by its own end', () => {
    const run = cancelled();
    run.transcript(record.user(6, 'Go on'), record.asks(7, command('b')));
    run.log({ kind: 2, k: ['requests'], v: [request('Go on', { response: [terminal('b', 0, 'ok')] }, 6)] });
    run.log(set(1, 'result', result({ b: 'ok' })), set(1, 'modelState', { value: 1, completedAt: START + 9_000 }));
    run.settle();
    expect(move(run)).toBe('the person’s');
    expect(run.results()).toEqual([
      ['a', 'unknown'],
      ['b', 'ok'],
    ]);
  });
});

describe('a chat whose earlier prompt a person edits and sends again, which removes that turn and all after it', () => {
  const edited = { kind: 2, k: ['requests'], i: 0, v: [request('Fix it well', {}, 6)] };

  it('has its new turn ended by its own end', () => {
    const run = cancelled();
    run.transcript(record.user(6, 'Fix it well'), record.asks(7, command('b')));
    run.log(edited);
    run.settle();
    expect(move(run)).toBe('the agent’s');
    run.log(set(0, 'modelState', { value: 2, completedAt: START + 9_000 }));
    run.settle();
    expect(move(run)).toBe(INTERRUPTED);
  });

  it('still runs if only an earlier turn is removed', () => {
    const run = cancelled();
    const two = request('Go on', { modelState: { value: 1, completedAt: START + 7_000 } }, 6);
    const three = request('And the docs', {}, 8);
    run.log({ kind: 2, k: ['requests'], v: [two, three] });
    run.transcript(record.user(6, 'Go on'), record.says(7, 'Done.'));
    run.transcript(record.user(8, 'And the docs'), record.asks(9, command('b')));
    run.settle();
    run.log({ kind: 2, k: ['requests'], i: 0, v: [two, three] });
    run.settle();
    expect(move(run)).toBe('the agent’s');
    run.log(set(1, 'modelState', CANCELLED));
    run.settle();
    expect(move(run)).toBe(INTERRUPTED);
  });

  it('has its new turn reported without a transcript', () => {
    const run = session();
    run.log(
      whole(request('Fix it', { modelState: { value: 1, completedAt: START + 4_000 } }), request('Go on', {}, 5)),
    );
    run.settle();
    run.log(set(1, 'modelState', { value: 2, completedAt: START + 5_500 }));
    run.settle();
    run.log(edited);
    run.settle();
    expect(move(run)).toBe('the agent’s');
    expect(run.events.filter(({ type }) => type === 'user')).toMatchObject([
      { text: 'Fix it' },
      { text: 'Go on' },
      { text: 'Fix it well' },
    ]);
  });
});
