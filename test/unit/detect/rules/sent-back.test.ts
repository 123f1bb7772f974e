import { expect, it } from 'vitest';
import type { Finding, UserEvent } from '../../../../src/core/model';
import { createSentBack } from '../../../../src/detect/rules/sent-back';
import { resolveOptions } from '../../../../src/detect/session/options';

/** An agent that a hook sends back five times with the same text. */
function sentBack(event: Pick<UserEvent, 'text' | 'hook'>): Finding {
  const last = found(event).at(-1);
  if (!last) throw new Error('nothing was found');
  return last;
}

/** @param every milliseconds between two of them */
function found(event: Pick<UserEvent, 'text' | 'hook'>, every = 1_000): readonly Finding[] {
  const told: Finding[] = [];
  const sink = { finding: (one: Finding) => told.push(one), clearing: () => undefined, nearMiss: () => undefined };
  const options = resolveOptions({ preset: 'balanced', detectors: {} }, 'claude-code').monologue;
  const rule = createSentBack(options, sink as never);
  for (let line = 1; line <= 5; line++) {
    const source = { file: '/t', line, offset: line };
    const base = { agent: 'claude-code', session: 's', at: line * every, source } as const;
    const user: UserEvent = { ...base, ...event, type: 'user', automated: true };
    rule.take(user, { lastNewStep: -1, totalTokens: 0 } as never, false);
  }
  return told;
}

it('does not take what a schedule or a watch says again and again as a hook that sends it back', () => {
  const again = { text: 'Check the mail.' };
  expect(found(again)).not.toEqual([]);
  expect(found(again, 60_000)).toEqual([]);
});

it('names the hook by its command, separately from what it says, and the number of blocks after which it ends', () => {
  const hook = { name: './gate.sh --strict', cap: 9 };
  const found = sentBack({ text: 'Stop hook feedback:\n[./gate.sh --strict]: Write the changelog first.', hook });
  expect(found.why).toBe(
    'The hook `./gate.sh --strict` sent it back 5 times, and nothing new came of it: Write the changelog first. Its program ends the turn after 9 blocks in a row.',
  );
  expect(found.subject).toBe('./gate.sh --strict');
  expect(found.evidence.map(({ text }) => text)).toEqual(Array(5).fill('Write the changelog first.'));
});

it('names the hook by its file, if nothing else is known, and promises no end', () => {
  const found = sentBack({ text: 'Write the changelog first.', hook: { name: '/home/me/.codex/hooks.json' } });
  expect(found.why).toBe(
    'The hook `/home/me/.codex/hooks.json` sent it back 5 times, and nothing new came of it: Write the changelog first.',
  );
});
