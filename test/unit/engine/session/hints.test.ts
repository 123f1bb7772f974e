import { describe, expect, it } from 'vitest';
import { resolveOptions } from '../../../../src/detect/session/options';
import type { SessionOptions } from '../../../../src/engine/session/session';
import type { AgentEvent, Incident } from '../../../../src/core/model';
import { source } from '../../support/findings';
import { sessionWith } from './support';

type Loose = { type: AgentEvent['type'] } & Record<string, unknown>;

/** A session that is fed line by line, with everything that it reports. */
function begin(more: Partial<SessionOptions> = {}) {
  const incidents: Incident[] = [];
  const hints: Incident[] = [];
  const session = sessionWith({
    onIncident: (incident) => void incidents.push(incident),
    onHint: (hint) => void hints.push(hint),
    ...more,
  });
  let line = 0;
  const tell = (...events: readonly Loose[]): void => {
    for (const event of events) {
      line++;
      const base = { agent: 'generic', session: 's', at: 1_000_000 + line * 1000, source: source(line) };
      session.push({ ...base, ...event } as AgentEvent);
    }
  };
  const call = (id: string, kind: string, target: string): void => {
    const args = { file_path: target, old_string: 'a', new_string: 'b' };
    tell(
      { type: 'tool_call', id, name: `${kind}_it`, kind, subject: `${kind} ${target}`, target, args },
      { type: 'tool_result', id, output: 'done', isError: false },
    );
  };
  const say = (text: string): void => tell({ type: 'assistant', text, chunk: false });
  const open = () => session.view(2_000_000);
  tell({ type: 'user', text: 'Fix the prices', automated: false });
  return { session, incidents, hints, tell, call, say, open };
}

describe('an edit of a file that was not read', () => {
  it('is a hint, which marks the agent and is not an incident', () => {
    const { incidents, hints, call, open, session } = begin();
    call('a', 'changed', 'src/price.ts');
    expect(open().hints).toMatchObject([{ detector: 'premature_action', level: 'warn' }]);
    expect(open().incidents).toEqual([]);
    expect(open().state.kind).toBe('working');
    expect(hints).toHaveLength(1);
    expect([incidents, session.book.all()]).toEqual([[], []]);
  });

  it('goes away when its reason does', () => {
    const { call, open } = begin();
    call('a', 'changed', 'src/price.ts');
    call('b', 'looked', 'src/price.ts');
    expect(open().hints).toEqual([]);
  });

  it('goes away with the session', () => {
    const { call, tell, open } = begin();
    call('a', 'changed', 'src/price.ts');
    tell({ type: 'session_end', reason: 'clean' });
    expect(open().hints).toEqual([]);
  });

  it('goes away when its rule is switched off', () => {
    const { call, open, session } = begin();
    call('a', 'changed', 'src/price.ts');
    session.setDetectors(resolveOptions({ preset: 'patient', detectors: {} }));
    expect(open().hints).toEqual([]);
  });
});

describe('messages without a call', () => {
  it('that differ are a hint; that are the same are an incident instead', () => {
    const { incidents, say, open } = begin();
    for (const word of ['one', 'two', 'three', 'four']) say(`Thought ${word} of it.`);
    expect(open()).toMatchObject({ incidents: [], hints: [{ detector: 'monologue', certainty: 'guessed' }] });
    expect(incidents).toEqual([]);
    say('Thought four of it.');
    expect(open()).toMatchObject({ hints: [], incidents: [{ detector: 'monologue', certainty: 'counted' }] });
  });

  it('twin: a format without calls says nothing by their absence', () => {
    const { say, open } = begin({ holdsCalls: false });
    for (const word of ['one', 'two', 'three', 'four', 'five']) say(`Thought ${word} of it.`);
    expect(open().hints).toEqual([]);
    say('Thought five of it.');
    expect(open().incidents).toHaveLength(1);
  });
});
