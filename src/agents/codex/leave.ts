import type { Leave } from '../../model';
import { asArray, asRecord, asText, at, type JsonRecord } from '../shared/decode';

/**
 * When the thread asks for leave, as its settings say: before edits too where the policy trusts no call, or where nothing may be written.
 * Undefined where they do not say.
 */
export function leaveOf(settings: JsonRecord | undefined): Leave | undefined {
  const policy = settings?.['approval_policy'];
  const reviewer = asText(settings?.['approvals_reviewer']) ?? 'user';
  if (policy === 'never') return 'never';
  if (policy !== 'untrusted' && policy !== 'on-request' && policy !== 'on-failure' && !asRecord(policy))
    return undefined;
  // A model answers in the person's place.
  if (reviewer !== 'user') return 'never';
  return policy === 'untrusted' || isReadOnly(settings) ? 'asks' : 'edits';
}

/** Newer records have a profile beside the policy of the sandbox, or in its place. */
function isReadOnly(settings: JsonRecord | undefined): boolean {
  const sandbox = asText(at(settings, 'sandbox_policy', 'type'));
  if (sandbox !== undefined) return sandbox === 'read-only';
  const entries = asArray(at(settings, 'permission_profile', 'file_system', 'entries'));
  return entries !== undefined && !entries.some((entry) => asRecord(entry)?.['access'] === 'write');
}
