import type { PermissionMode } from '../../core/model';
import { asArray, asRecord, asText, at, type JsonRecord } from '../shared/decode';

/**
 * Returns the calls for which the thread asks its user's permission, according to its settings; undefined if they do not say. Commands run in the
 * sandbox without a question unless the policy trusts none of them: permission is needed only by a call that requests to leave it, and by an edit
 * where nothing may be written. Source: the vendor's documentation; in 211 turns of public sessions no command that stayed in the sandbox waited.
 */
export function permissionModeOf(settings: JsonRecord | undefined): PermissionMode | undefined {
  const policy = settings?.['approval_policy'];
  const reviewer = asText(settings?.['approvals_reviewer']) ?? 'user';
  if (policy === 'never') return 'nothing';
  if (policy !== 'untrusted' && policy !== 'on-request' && policy !== 'on-failure' && !asRecord(policy))
    return undefined;
  // A model answers in place of the person.
  if (reviewer !== 'user') return 'nothing';
  if (policy === 'untrusted') return 'all';
  return isReadOnly(settings) ? 'edits' : 'escalation';
}

/** True if nothing may be written. Newer records have a profile next to the sandbox policy, or instead of it. */
function isReadOnly(settings: JsonRecord | undefined): boolean {
  const sandbox = asText(at(settings, 'sandbox_policy', 'type'));
  if (sandbox !== undefined) return sandbox === 'read-only';
  const entries = asArray(at(settings, 'permission_profile', 'file_system', 'entries'));
  return entries !== undefined && !entries.some((entry) => asRecord(entry)?.['access'] === 'write');
}
