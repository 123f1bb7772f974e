import { describe, expect, it } from 'vitest';
import { ClaimWatch, type GateSignal } from '../../../../src/detect/session/claim';
import type { AgentEvent } from '../../../../src/core/model';

describe('a claim of completion', () => {
  const source = { file: '/t.jsonl', line: 1, offset: 0 };
  const base = { agent: 'generic' as const, session: 's', at: 10, source };
  const completion: AgentEvent = { ...base, type: 'completion', claim: 'TASK_COMPLETE' };
  const turnEnd = (reason: 'done' | 'waiting' | 'interrupted' = 'done'): AgentEvent => ({
    ...base,
    type: 'turn_end',
    reason,
  });
  const says = (text: string): AgentEvent => ({ ...base, type: 'assistant', text, chunk: false });
  const user = (automated: boolean): AgentEvent => ({ ...base, type: 'user', text: 'x', automated });
  const submit: AgentEvent = {
    ...base,
    type: 'tool_call',
    id: 'c',
    name: 'submit',
    args: {},
    kind: 'other',
    subject: 'submit',
  };
  const EDIT = 'edit';

  function heard(...what: (AgentEvent | typeof EDIT)[]): string[] {
    const watch = new ClaimWatch();
    return what
      .map((one): GateSignal | null => (one === EDIT ? watch.step(true, 10) : watch.push(one)))
      .flatMap((signal) => (signal ? [signal.type === 'claim' ? `claim ${signal.claim.text}` : signal.type] : []));
  }

  it('is a completion line, a submit tool, or the end of a turn after an edit', () => {
    expect(heard(completion)).toEqual(['claim TASK_COMPLETE']);
    expect(heard(submit)).toEqual(['claim submit']);
    expect(heard(EDIT, says('All done.'), turnEnd())).toEqual(['edited', 'claim the end of the turn']);
  });

  it('is reported by the agent’s own hook before the transcript, and not reported again from the transcript', () => {
    const watch = new ClaimWatch();
    const source = { file: '/t.jsonl', line: 9, offset: 0 };
    expect(watch.hookEnded(20, source)).toBeNull();
    watch.step(true, 10);
    expect(watch.hookEnded(20, source)).toEqual({
      type: 'claim',
      claim: { at: 20, source, text: 'the end of the turn', fromHook: true },
    });
    expect(watch.hookEnded(21, source)).toBeNull();
    expect(watch.push(turnEnd())).toBeNull();
  });

  it('is not a question, an interruption, or a turn that changed nothing', () => {
    expect(heard(EDIT, says('Shall I go on?'), turnEnd())).toEqual(['edited', 'no_claim']);
    expect(heard(EDIT, turnEnd('interrupted'))).toEqual(['edited', 'no_claim']);
    expect(heard(says('Done.'), turnEnd())).toEqual(['no_claim']);
  });

  it('is reported once, however often it is said', () => {
    expect(heard(EDIT, submit, completion, turnEnd())).toEqual(['edited', 'claim submit']);
    expect(heard(EDIT, turnEnd(), says('Yes.'), turnEnd())).toEqual(['edited', 'claim the end of the turn']);
  });

  it('comes again after the feedback, and after another edit', () => {
    expect(heard(completion, user(true), completion)).toEqual(['claim TASK_COMPLETE', 'claim TASK_COMPLETE']);
    expect(heard(EDIT, turnEnd(), user(true), EDIT, turnEnd())).toEqual([
      'edited',
      'claim the end of the turn',
      'edited',
      'claim the end of the turn',
    ]);
  });

  it('is over when a person writes', () => {
    expect(heard(completion, user(false))).toEqual(['claim TASK_COMPLETE', 'person']);
  });
});
