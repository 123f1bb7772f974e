import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MESSAGE_LENGTH } from '../../../../src/editor/panel-model';
import { parseIntent } from '../../../../src/editor/panel-model/intents';

describe('an incoming intent', () => {
  it('is understood', () => {
    const intents = [
      { type: 'ready' },
      { type: 'openLine', file: '/t.jsonl', line: 4, offset: 900 },
      { type: 'openStep', step: 3 },
      { type: 'openAll' },
      { type: 'openTranscript' },
      { type: 'openHook' },
      { type: 'sendAgain', id: '01J' },
      { type: 'resume' },
      { type: 'mute' },
      { type: 'copySample', which: 'first' },
      { type: 'share' },
      { type: 'showSkipped' },
      { type: 'compareSamples' },
      { type: 'sendNudge', text: 'Try another way', incident: '01J' },
      { type: 'sendNudge', text: 'Try another way' },
      { type: 'withdraw', id: '01J' },
      { type: 'copySample', which: 'last' },
      { type: 'describeSteps', from: 0, to: 60 },
      { type: 'showIncident', id: '' },
      { type: 'nextNeedingMe' },
      { type: 'notStuck' },
      { type: 'recover', action: 'next_model' },
      { type: 'hold', on: true },
      { type: 'timelineMode', mode: 'time' },
      { type: 'saveCheckpoint' },
      { type: 'showSimilar' },
      { type: 'runGates' },
      { type: 'openFailure', gate: 'tests', failure: 0 },
    ];
    for (const intent of intents) expect(parseIntent(intent)).toEqual(intent);
  });

  it('is refused with an invalid path, a negative line or an oversized text', () => {
    expect(parseIntent({ type: 'openLine', file: 4, line: 1, offset: 0 })).toBeNull();
    expect(parseIntent({ type: 'openLine', file: '/t', line: -1, offset: 0 })).toBeNull();
    expect(parseIntent({ type: 'sendNudge', text: 'x'.repeat(MESSAGE_LENGTH + 1) })).toBeNull();
    expect(parseIntent({ type: 'openLine', file: 'x'.repeat(4097), line: 1, offset: 0 })).toBeNull();
    expect(parseIntent({ type: 'withdraw', id: 'x'.repeat(129) })).toBeNull();
    expect(parseIntent({ type: 'copySample', which: '' })).toBeNull();
    expect(parseIntent({ type: 'runCommand', command: 'rm' })).toBeNull();
    expect(parseIntent(null)).toBeNull();
    expect(parseIntent({ type: 'toString' })).toBeNull();
    expect(parseIntent({ type: 'recover', action: 'nudge' })).toBeNull();
    expect(parseIntent({ type: 'hold' })).toBeNull();
    expect(parseIntent({ type: 'timelineMode', mode: 'days' })).toBeNull();
    expect(parseIntent({ type: 'openFailure', gate: 'tests', failure: -1 })).toBeNull();
  });

  it('sends the text of a message as it was written', () => {
    const text = 'two\r\nlines\tand a tab';
    expect(parseIntent({ type: 'sendNudge', text })).toEqual({ type: 'sendNudge', text });
  });

  it('has only its own fields', () => {
    expect(parseIntent({ type: 'connect', command: 'rm' })).toEqual({ type: 'connect' });
  });

  it('is refused without an exception, whatever it is', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        expect(parseIntent(value)).toBeNull();
        expect(parseIntent({ type: value })).toBeNull();
      }),
    );
  });
});
