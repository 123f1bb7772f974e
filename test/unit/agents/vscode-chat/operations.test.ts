import { describe, expect, it } from 'vitest';
import { ChatState } from '../../../../src/agents/vscode-chat/operations';
import { request, terminal } from './kit';

const of = (state: ChatState, index = 0) => state.request(index)?.['response'];

describe('the log of the chat view', () => {
  it('sets, adds, cuts and deletes', () => {
    const state = new ChatState();
    state.apply({ kind: 0, v: { sessionId: 's', requests: [request('Go')] } });
    state.apply({ kind: 2, k: ['requests', 0, 'response'], v: [{ value: 'one' }, { value: 'two' }] });
    expect(state.apply({ kind: 2, k: ['requests', 0, 'response'], v: [{ value: 'three' }], i: 1 })).toEqual({
      what: 'request',
      index: 0,
      key: 'response',
      from: 1,
    });
    expect(of(state)).toEqual([{ value: 'one' }, { value: 'three' }]);
    state.apply({ kind: 1, k: ['requests', 0, 'response', 0, 'value'], v: 'ONE' });
    state.apply({ kind: 3, k: ['requests', 0, 'response', 1] });
    expect(of(state)).toEqual([{ value: 'ONE' }]);
    state.apply({ kind: 0, v: { sessionId: 's', requests: [] } });
    expect(state.requests).toEqual([]);
  });

  it('that begins in the middle is followed as far as its paths allow', () => {
    const state = new ChatState();
    expect(state.apply({ kind: 2, k: ['requests', 3, 'response'], v: [terminal('a', 1, 'x')] })).toMatchObject({
      index: 3,
    });
    expect(of(state, 3)).toHaveLength(1);
    expect(state.apply({ kind: 1, k: ['requests', 3, 'modelState'], v: { value: 1 } })).toMatchObject({
      key: 'modelState',
    });
  });

  it.each([
    ['a path that is none', { kind: 1, k: 'requests', v: 1 }],
    ['no path', { kind: 2, v: [] }],
    ['an index that would fill the memory', { kind: 1, k: ['requests', 4e9, 'message'], v: 1 }],
    ['a path without end', { kind: 1, k: Array.from({ length: 500 }, () => 'x'), v: 1 }],
    ['a key of the language', { kind: 1, k: ['requests', 0, '__proto__'], v: { polluted: true } }],
    ['another operation', { kind: 7, k: ['requests'], v: 1 }],
    ['a state that is none', { kind: 0, v: [] }],
    ['an entry of something that is no list', { kind: 2, k: ['sessionId'], v: [1] }],
  ])('says what is wrong with %s', (_what, operation) => {
    const state = new ChatState();
    state.apply({ kind: 1, k: ['sessionId'], v: { a: 1 } });
    const told = state.apply(operation);
    expect(typeof told === 'string' || told.what === 'other').toBe(true);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('keeps nothing that no step needs', () => {
    const state = new ChatState();
    const sendOptions = { userSelectedTools: { all: true } };
    state.apply({
      kind: 0,
      v: { sessionId: 's', requests: [request('Go', { variableData: {}, agent: {} })], sendOptions },
    });
    state.apply({ kind: 2, k: ['pendingRequests'], v: [{ sendOptions }] });
    expect(Object.keys(state.request(0) ?? {})).not.toContain('agent');
    expect(state.get('pendingRequests')).toBeUndefined();
    state.release(0);
    expect(of(state)).toEqual([]);
  });
});
