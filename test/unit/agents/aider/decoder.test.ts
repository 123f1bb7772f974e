import { describe, expect, it } from 'vitest';
import { aider } from '../../../../src/agents/aider/adapter';
import type { AgentEvent } from '../../../../src/core/model';
import { decodeAny } from '../fuzz';
import { fc, test } from '../shared/property';

const decode = (...lines: readonly string[]) => decodeAny(aider, lines).events;
const types = (events: readonly AgentEvent[]) => events.map((event) => event.type);
const only = <T extends AgentEvent['type']>(events: readonly AgentEvent[], type: T) =>
  events.filter((event): event is Extract<AgentEvent, { type: T }> => event.type === type);

const START = '# aider chat started at 2024-08-09 18:12:18';
const ANSWER = ['Sure.', '', 'a.py', '```python', '<<<<<<< SEARCH', '> old', '=======', '>>>>>>> REPLACE', '```', ''];
const lines = [
  START,
  '> Aider v0.48.2-dev  ',
  '> Models: some-model with diff edit format  ',
  '',
  '#### fix the  ',
  '#### test  ',
  '',
  'Sure.',
  '> Tokens: 10,163 sent, 4.6k cache hit, 277 received. Cost: $0.03 request, $0.03 session.  ',
  '> Applied edit to a.py  ',
  '> Commit a27fbf1 feat: x  ',
  '> # Fix any errors below, if possible.  ',
  '> ## Running: pytest -q  ',
  '> 1 failed  ',
  '> Attempt to fix test errors? (Y)es/(N)o [Yes]: y  ',
];

describe('an aider chat history', () => {
  it('distinguishes the user, the model and the program', () => {
    const events = decode(...lines);
    expect(types(events)).toEqual([
      'session_info',
      'session_info',
      'session_info',
      'user',
      'assistant',
      'usage',
      'turn_end',
      'tool_call',
      'tool_result',
      'turn_start',
      'tool_call',
      'tool_result',
    ]);
    expect(only(events, 'user')[0]).toMatchObject({ text: 'fix the\ntest', source: { line: 5 } });
    expect(only(events, 'usage')[0]).toMatchObject({ inputTokens: 10_163, outputTokens: 277, cost: 0.03 });
    expect(only(events, 'tool_result').map((one) => [one.output, one.isError])).toEqual([
      ['Applied edit to a.py', false],
      ['1 failed', true],
    ]);
  });

  it("keeps the turn open while edits are applied, and opens one for the model's reply to their errors", () => {
    const events = decode(
      START,
      '#### go',
      ...ANSWER,
      '> Tokens: 1k sent, 2 received.',
      '> Applied edit to a.py',
      '> Commit a27fbf1 x',
      '',
      'Once more.',
      '> Tokens: 1k sent, 2 received.',
    );
    expect(types(events).slice(1)).toEqual([
      'user',
      'assistant',
      'usage',
      'tool_call',
      'tool_result',
      'turn_end',
      'turn_start',
      'assistant',
      'usage',
      'turn_end',
    ]);
  });

  it("does not take aider's signs inside a fence for its own", () => {
    const [answer] = only(decode(START, '#### go', ...ANSWER, '> Tokens: 1k sent, 2 received.'), 'assistant');
    expect(answer?.text).toContain('> old');
  });

  it('treats an answer in the wrong form as malformed', () => {
    const events = decode(
      START,
      '#### go',
      'Hm.',
      '> The LLM did not conform to the edit format.',
      '> # 1 SEARCH/REPLACE block failed to match!',
      '> Tokens: 1k sent, 2 received.',
    );
    expect(only(events, 'error')).toMatchObject([
      { kind: 'validation', message: expect.stringContaining('failed to match') },
    ]);
  });

  it.each([
    [
      'the edit, where nothing is committed',
      ['#### go', ...ANSWER, '> Tokens: 1k sent, 2 received.', '> Applied edit to a.py'],
    ],
    ['what aider says when it gives up', ['#### go', 'Hm.', '> Only 3 reflections allowed, stopping.']],
    ['a no to its own question', ['#### go', 'Hm.', '> Attempt to fix test errors? (Y)es/(N)o [Yes]: n']],
  ])('ends the turn with %s', (_what, told) => {
    const events = decode(START, ...told);
    expect(types(events).filter((type) => type === 'turn_end')).toHaveLength(1);
    expect(only(events, 'turn_end')[0]?.reason).toBe('done');
  });

  it('ends the turn with an error of the service, unless aider tries again', () => {
    const failed = ['#### go', '> litellm.NotFoundError: no such model  '];
    expect(types(decode(START, ...failed)).slice(1)).toEqual(['user', 'error', 'turn_end']);
    expect(only(decode(START, ...failed), 'turn_end')[0]?.reason).toBe('error');
    const again = decode(START, '#### go', '> litellm.RateLimitError: slow down', '> Retrying in 0.5 seconds...');
    expect(types(again).slice(-2)).toEqual(['turn_start', 'request']);
    expect(only(again, 'error')[0]?.kind).toBe('rate_limit');
  });

  it('opens no turn for a command that aider answers on its own', () => {
    expect(types(decode(START, '#### /tokens', '> Approximate context window usage  '))).not.toContain('user');
    expect(only(decode(START, '#### /ask why?', 'Because.'), 'user')).toHaveLength(1);
  });

  it('does not take the output of such a command for a message of the model', () => {
    const shown = ['> Here are summaries of some files present in my git repository.', 'src/a.py:', '⋮...', ''];
    const events = decode(
      START,
      '#### /map  ',
      ...shown,
      '#### /map  ',
      ...shown,
      '#### go  ',
      'Sure.',
      '> Tokens: 1k sent, 2 received.',
    );
    expect(only(events, 'assistant').map(({ text }) => text)).toEqual(['Sure.']);
    expect(only(decode(START, '#### /help how do I undo?  ', 'So.', '> x'), 'assistant')).toHaveLength(1);
  });

  it('does not take a heading within an answer for a prompt: the lines of a prompt end with two spaces', () => {
    const events = decode(
      START,
      '#### document it  ',
      '## API',
      '#### Request',
      'POST /a',
      '#### Response',
      '200',
      '> x',
      '#### next  ',
      'Done.',
      '> x',
    );
    expect(only(events, 'user').map(({ text }) => text)).toEqual(['document it', 'next']);
    expect(only(events, 'assistant').map(({ text }) => text)).toEqual([
      '## API\n#### Request\nPOST /a\n#### Response\n200',
      'Done.',
    ]);
  });

  it('keeps the chats of one file apart, since every chat is appended to it', () => {
    const events = decode(START, '#### go', 'Yes.', '# aider chat started at 2024-08-10 09:00:00', '#### again', 'No.');
    expect(new Set(events.map((event) => event.session))).toEqual(
      new Set(['session-2024-08-09-18-12-18', 'session-2024-08-10-09-00-00']),
    );
    expect(only(events, 'session_end')).toMatchObject([{ reason: 'clean', session: 'session-2024-08-09-18-12-18' }]);
  });

  test.prop([
    fc.array(fc.oneof(fc.constantFrom(...lines, ...ANSWER, '> ^C again to exit', '>'), fc.string()), { maxLength: 80 }),
  ])('can be decoded in any order of its lines', (any) => {
    decodeAny(aider, any);
  });
});
