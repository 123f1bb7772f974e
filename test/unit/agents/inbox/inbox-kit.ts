import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MessageDraft } from '../../../../src/agents/inbox';
import type { InboxFailure } from '../../../../src/agents/inbox';
import type { Result } from '../../../../src/base/util/result';

export const NOW = Date.parse('2026-11-20T18:53:50.123Z');
export const SESSION = '11111111-0000-4000-8000-0000000000af';

export function draft(more: Partial<MessageDraft> = {}): MessageDraft {
  return {
    session: SESSION,
    agent: 'claude-code',
    kind: 'nudge',
    text: 'The same command failed 6 times.',
    automated: true,
    ...more,
  };
}

/** A workspace folder that is removed after the test. */
export function workspace(): { root: string; remove: () => void } {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'unstuck inbox ')));
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) };
}

export function value<T>(result: Result<T, InboxFailure>): T {
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.message}`);
  return result.value;
}

/** Names in a folder of a session's inbox. */
export function filesIn(root: string, folder: string, session = SESSION): string[] {
  return readdirSync(join(root, '.unstuck/inbox', session, folder)).sort();
}
