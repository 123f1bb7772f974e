import type { DeliveryState, Receipt } from '../../model';
import { fail, ok, type Result } from '../../util/result';
import { errorCode } from '../../util/error-code';
import { failureOf, type InboxFailure } from '../failure';
import { appendLine, readEnd } from '../files';
import type { InboxFolder } from '../folder';
import { parseReceipt } from './schema';

/** Bytes of the newest receipts that are read: about 20,000 of them. */
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

/** Writes one line of `receipts.jsonl`. */
export async function appendReceipt(folder: InboxFolder, entry: Receipt): Promise<Result<void, InboxFailure>> {
  try {
    await appendLine(folder.receipts, JSON.stringify(entry));
    return ok(undefined);
  } catch (error) {
    return fail(failureOf(error, 'write', folder.receipts));
  }
}

/** All receipts of a session that can be read, oldest first, and how many lines could not. */
export async function readReceipts(
  folder: InboxFolder,
): Promise<Result<{ readonly receipts: readonly Receipt[]; readonly broken: number }, InboxFailure>> {
  let text: string;
  try {
    text = await readEnd(folder.receipts, READ_LIMIT);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return ok({ receipts: [], broken: 0 });
    return fail(failureOf(error, 'read', folder.receipts));
  }
  const receipts: Receipt[] = [];
  let broken = 0;
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const entry = parseReceipt(line);
    if (entry) receipts.push(entry);
    else broken++;
  }
  return ok({ receipts, broken });
}
