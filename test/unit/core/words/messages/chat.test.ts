import { expect, it } from 'vitest';
import { ELSEWHERE, elsewhereSentence, looksThere } from '../../../../../src/core/words/connecting/elsewhere';
import { notTestedSentence, notTestedWith } from '../../../../../src/core/words/connecting/versions';
import { CHAT_HINDRANCE_TEXTS, chatFailed, steerQuestion } from '../../../../../src/core/words/messages/chat';

it('asks before a chat is brought to the front, and says what that does', () => {
  const front = 'The chat comes to the front. What you have typed there stays.';
  const [runs, waits] = [steerQuestion(true), steerQuestion(false)];
  expect(runs).toEqual({
    message: 'Send this to the chat?',
    detail: `${front} Its running turn is stopped first.`,
    button: 'Send to Chat',
  });
  expect(waits.detail).toBe(`${front} A new turn begins.`);
  expect(chatFailed()).toBe('The chat did not accept it. Copy the text and send it yourself.');
});

it('says why a chat is not steered, and what to do', () => {
  const { sub_agent, other_window, older_editor, may_wait_for_permission } = CHAT_HINDRANCE_TEXTS;
  expect(sub_agent).toMatch(/^A sub-agent .*Send it to the agent that started it\.$/);
  expect(other_window).toMatch(/another window\. Send it from there\.$/);
  expect(older_editor).toMatch(/before 1\.139.*Copy the text and send it yourself\.$/);
  expect(may_wait_for_permission).toMatch(/waiting for your permission.*try again when the call has ended\.$/);
});

it('says where an agent keeps its files, and what to do about it', () => {
  const facts = { pid: 4_711, variable: 'CODEX_HOME', folder: '/else', ours: '/home/me/.codex', settable: true };
  const found =
    'Codex (process 4711) keeps its files in /else. This window looks in /home/me/.codex, so it cannot see that agent, and what Connect writes may not reach it.';
  expect(elsewhereSentence('Codex', facts)).toBe(
    `${found} Look there, or start VS Code with the same CODEX_HOME as the agent.`,
  );
  expect(elsewhereSentence('Codex', { ...facts, settable: false })).toBe(
    `${found} Start VS Code with the same CODEX_HOME as the agent.`,
  );
  expect(Object.values(ELSEWHERE)).toEqual(['Look There', 'Connect Anyway']);
  expect(looksThere('/else')).toBe('Reload this window so that Unstuck looks in /else. Then connect the agent.');
});

it('says which versions of an agent were tested', () => {
  expect(notTestedWith('2.3.1')).toBe('not tested with 2.3.1');
  const says = (oldest: string, newest: string) => notTestedSentence('Codex', '9.0', { oldest, newest });
  expect(says('1.0', '1.0')).toContain('with Codex 1.0, not with 9.0, so messages may not arrive.');
  expect(says('1.0', '2.0')).toContain('with Codex 1.0 to 2.0, not with 9.0, so messages may not arrive.');
});
