import { describe, expect, it } from 'vitest';
import { type Prompt, Prompts } from '../../../../src/detect/session/prompts';

const FIRST = 'Make the tests of src/sum.ts pass.';
const RESULT = [
  'FAIL src/sum.test.ts',
  '  ● adds two numbers',
  '    expect(received).toBe(expected) // Object.is equality',
  '    Expected: 6, Received: 5 at total (src/sum.ts:14:3)',
  'connect ECONNREFUSED 127.0.0.1:5432',
].join('\n');

/** Returns how the last of these prompts is read, after the first one of the session. */
function last(...prompts: string[]): Prompt {
  const said = new Prompts();
  let prompt = said.take(FIRST, () => '');
  for (const text of prompts) prompt = said.take(text, () => RESULT);
  return prompt;
}

describe('the number of repeats that a prompt asks for', () => {
  it.each(['run it 3000 times', 'run it a hundred times', 'once more, from 1 to 20', 'check it every 5 minutes'])(
    '%s: adds nothing by its number',
    (text) => expect(last(text)).toMatchObject({ adds: false, asksMany: true }),
  );

  it('twin: another number in the same prompt does', () => {
    expect(last('run it 3000 times on port 5433').adds).toBe(true);
  });
});

describe('a prompt adds something', () => {
  it('if it is the first of the session', () => {
    expect(new Prompts().take('go on', () => '').adds).toBe(true);
  });

  it.each([
    ['a number', 'I fixed the config, port 5433; run it again'],
    ['a number that stands in a longer one so far', 'Try port 543.'],
    ['a path', 'look at src/pay.ts'],
    ['a path of Windows', 'look at src\\pay.ts'],
    ['an address', 'read https://example.org/docs'],
    ['a name in camel case', 'use parseTotal'],
    ['a name with a line below', 'use parse_total'],
    ['a quoted text', 'call it "grand total"'],
    ['a quoted word', 'call it `reduce`'],
    ['a command of the person', '!npm test'],
    ['the same as Claude Code writes it', '<bash-input>npm test</bash-input>'],
    [
      'more than sixty characters never said before',
      'Leave the helper alone and write the loop by hand, because nobody here likes clever folding.',
    ],
    [
      'more than twenty-five in Chinese',
      '不要再改那个辅助函数了,请直接手写一个简单的循环,因为没有人喜欢太聪明的写法。',
    ],
    ['more than twenty-five in Japanese', 'その補助関数はもう触らないで、簡単なループを自分で書いてください。'],
    [
      'more than twenty-five in Korean',
      '그 도우미 함수는 더 이상 건드리지 말고 단순한 반복문을 직접 작성해 주세요 제발',
    ],
  ])('by %s: %s', (_, text) => expect(last(text).adds).toBe(true));
});

describe('a prompt adds nothing', () => {
  it.each([
    'continue',
    'ok',
    'yes',
    'go on, please',
    '...',
    'still not working',
    "It still doesn't work, it's the same as before.",
    'Please re-run it.',
    'again',
    '继续',
    '还是不行,请再试一次',
    'まだ動きません。続けて',
    '계속해 주세요',
    'weiter',
    'geht immer noch nicht',
    'ça ne marche toujours pas',
    'sigue, todavía falla',
    'всё ещё не работает',
    'לא עובד עדיין',
  ])('%s', (text) => expect(last(text).adds).toBe(false));

  it('if it is the last one again, even if it quotes how often', () => {
    const text = 'Say "hello 5 times in a row" until I come back.';
    expect(last(text, text).adds).toBe(false);
  });

  it('if it is the first one again', () => {
    expect(last(FIRST).adds).toBe(false);
    expect(last('continue', 'look at src/pay.ts', FIRST.toUpperCase()).adds).toBe(false);
  });

  it('if it is an error pasted from the results of the agent', () => {
    expect(last(RESULT).adds).toBe(false);
    expect(last(`still:\n${RESULT}`).adds).toBe(false);
  });

  it('if everything that it names was named before', () => {
    expect(last('look at src/pay.ts', 'so look at src/pay.ts').adds).toBe(false);
    expect(last('use port 5433', 'I said 5433').adds).toBe(false);
  });

  it('but an error that the agent never saw adds something', () => {
    expect(last('connect ECONNREFUSED 127.0.0.1:6379').adds).toBe(true);
  });

  it('the last 32 are remembered, and what was said before them is news again', () => {
    const others = (count: number) => Array.from({ length: count }, (_, n) => `part${n}`);
    expect(last('look at src/pay.ts', ...others(31), 'src/pay.ts').adds).toBe(false);
    expect(last('look at src/pay.ts', ...others(32), 'src/pay.ts').adds).toBe(true);
  });
});

describe('a prompt asks for the same again', () => {
  it.each([
    'run it again',
    'again',
    'rerun',
    're-run it',
    'retry',
    'once more',
    'noch mal',
    'otra vez',
    'encore',
    'and now?',
    'Y ahora?',
  ])('%s', (text) => expect(last(text)).toMatchObject({ adds: false, asksAgain: true }));

  it.each(['continue', 'against all odds', 'I fixed the config, port 5433; run it again'])('but not %s', (text) => {
    expect(last(text).asksAgain).toBe(false);
  });
});

describe('a prompt asks for many repeats', () => {
  it.each([
    'Run the test 3000 times and count the failures.',
    'Print every number from 1 to 20.',
    'keep checking until the build is green',
    'Check the queue every 30 seconds.',
    'Repeat the word 50 times.',
  ])('%s', (text) => expect(last(text).asksMany).toBe(true));

  it.each([
    'continue',
    'Fix the test and keep trying until it passes.',
    'You are stuck in a loop, do something else.',
    'The app crashes repeatedly, find out why.',
    'Make it 2x faster.',
    'The test failed 10 times, look at the log.',
  ])('but not %s', (text) => expect(last(text).asksMany).toBe(false));
});
