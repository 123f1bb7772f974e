import { expect, it } from 'vitest';
import { leaveOf } from '../../../../src/agents/codex/leave';

const WRITES = { file_system: { entries: [{ access: 'read' }, { access: 'write' }] } };
const READS = { file_system: { entries: [{ access: 'read' }] } };

it.each([
  [{ approval_policy: 'never', sandbox_policy: { type: 'read-only' } }, 'never'],
  [{ approval_policy: 'on-request', sandbox_policy: { type: 'workspace-write' } }, 'edits'],
  [{ approval_policy: 'on-request', permission_profile: WRITES }, 'edits'],
  [{ approval_policy: 'on-request', permission_profile: READS }, 'asks'],
  [{ approval_policy: 'on-failure', sandbox_policy: { type: 'read-only' } }, 'asks'],
  [{ approval_policy: 'untrusted' }, 'asks'],
  [{ approval_policy: 'on-request', approvals_reviewer: 'auto_review' }, 'never'],
  [{ approval_policy: 'a policy of tomorrow' }, undefined],
  [{}, undefined],
])('a thread with %j asks: %s', (settings, leave) => {
  expect(leaveOf(settings)).toBe(leave);
});
