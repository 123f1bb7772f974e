import { expect, it } from 'vitest';
import { leaveOf } from '../../../../src/agents/codex/leave';

const WRITES = { file_system: { entries: [{ access: 'read' }, { access: 'write' }] } };
const READS = { file_system: { entries: [{ access: 'read' }] } };

it.each([
  [{ approval_policy: 'never', sandbox_policy: { type: 'read-only' } }, 'nothing'],
  [{ approval_policy: 'on-request', sandbox_policy: { type: 'workspace-write' } }, 'escalation'],
  [{ approval_policy: 'on-request', permission_profile: WRITES }, 'escalation'],
  [{ approval_policy: 'on-request', permission_profile: READS }, 'edits'],
  [{ approval_policy: 'on-failure', sandbox_policy: { type: 'read-only' } }, 'edits'],
  [{ approval_policy: 'untrusted' }, 'all'],
  [{ approval_policy: 'on-request', approvals_reviewer: 'auto_review' }, 'nothing'],
  [{ approval_policy: 'a policy of tomorrow' }, undefined],
  [{}, undefined],
])('a thread with %j asks leave for: %s', (settings, leave) => {
  expect(leaveOf(settings)).toBe(leave);
});
