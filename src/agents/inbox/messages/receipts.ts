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

/** Returns all readable receipts of a session, oldest first, and the number of unreadable lines. */
export async function readReceipts(
  folder: InboxFolder,
): Promise<Result<{ readonly receipts: readonly Receipt[]; readonly broken: number }, InboxFailure>> {
  const read = await readPart(folder.receipts, { from: -READ_LIMIT, length: READ_LIMIT, noFollow: true });
  if (!read.ok) {
    if (read.error.code === 'ENOENT') return ok({ receipts: [], broken: 0 });
    return fail(inboxFailure(read.error, 'read', folder.receipts));
  }
  const receipts: Receipt[] = [];
  let broken = 0;
  for (const line of read.value.bytes.toString('utf8').split('\n')) {
    if (line.trim() === '') continue;
    const entry = parseReceipt(line);
    if (entry) receipts.push(entry);
    else broken++;
  }
  return ok({ receipts, broken });
}
