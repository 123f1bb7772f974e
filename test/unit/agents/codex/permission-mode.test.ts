import { expect, it } from 'vitest';
import { permissionModeOf } from '../../../../src/agents/codex/permission-mode';

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
])('a thread with %j requires permission for: %s', (settings, mode) => {
  expect(permissionModeOf(settings)).toBe(mode);
});
