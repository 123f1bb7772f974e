import { appendLine, readPart } from '../../../base/files';
import type { DeliveryState, Receipt } from '../../../core/model';
import { fail, ok, type Result } from '../../../base/util/result';
import { inboxFailure, type InboxFailure } from '../failure';
import type { InboxFolder } from '../folder';
import { parseReceipt } from './schema';

/** Bytes read of the newest receipts: about 20,000 receipts. */
const READ_LIMIT = 4 * 1024 * 1024;

export function receipt(
  id: string,
  state: DeliveryState,
  by: string,
  at: number,
  more: Pick<Receipt, 'outcome' | 'reason'> = {},
): Receipt {
  return { v: 1, t: new Date(at).toISOString(), id, state, by, ...more };
}

/** Appends one line to `receipts.jsonl`. */
export async function appendReceipt(folder: InboxFolder, entry: Receipt): Promise<Result<void, InboxFailure>> {
  const written = await appendLine(folder.receipts, JSON.stringify(entry));
  return written.ok ? written : fail(inboxFailure(written.error, 'write', folder.receipts));
}

/** Returns the receipts of a session, oldest first. Lines that are none are left out. */
export async function readReceipts(folder: InboxFolder): Promise<Result<readonly Receipt[], InboxFailure>> {
  const read = await readPart(folder.receipts, { from: -READ_LIMIT, length: READ_LIMIT, noFollow: true });
  if (!read.ok) {
    if (read.error.code === 'ENOENT') return ok([]);
    return fail(inboxFailure(read.error, 'read', folder.receipts));
  }
  const lines = read.value.bytes.toString('utf8').split('\n');
  return ok(lines.map(parseReceipt).filter((entry) => entry !== null));
}
