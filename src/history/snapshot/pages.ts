/**
 * Reads rows of a database file without its tree: each page that holds rows is read on its own, so that intact rows are found whatever happened to
 * the pages above, to the header or to the end of the file. See "B-tree Pages" and "Record Format" in the SQLite file format.
 */

type Cell = string | number | null;

/** Type of a page with a table's rows; other types lead to pages or belong to an index. */
const ROWS = 13;
const HEADER_OF_FILE = 100;
const HEADER_OF_PAGE = 8;
/** Longest row, bytes. None is nearly as long; a damaged length must not fill the memory. */
const LONGEST_ROW = 1024 * 1024;

/** Yields rows, and null for anything else, so that the caller can pause. @param pageSize of the file, bytes; none of it is reserved */
export function* rowsOfPages(bytes: Uint8Array, pageSize: number): Generator<readonly Cell[] | null> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let page = 0; page + HEADER_OF_FILE + HEADER_OF_PAGE < file.length; page += pageSize) {
    const head = page === 0 ? HEADER_OF_FILE : page;
    if (file[head] !== ROWS) continue;
    const rows = Math.min(file.readUInt16BE(head + 3), pageSize / 2);
    for (let row = 0; row < rows; row++) {
      const pointer = head + HEADER_OF_PAGE + 2 * row;
      if (pointer + 2 > file.length) break;
      yield rowAt(file, page, page + file.readUInt16BE(pointer), pageSize) ?? null;
    }
  }
}

function rowAt(file: Buffer, page: number, start: number, pageSize: number): readonly Cell[] | undefined {
  const length = integerAt(file, start);
  const rowId = length && integerAt(file, length.end);
  if (!rowId || length.value > LONGEST_ROW) return undefined;
  const payload = payloadAt(file, { start: rowId.end, length: length.value, end: page + pageSize }, pageSize);
  return payload && cellsOf(payload);
}

/** Returns the bytes of a row: in its page, and for a long one in a chain of further pages. */
function payloadAt(
  file: Buffer,
  { start, length, end }: { readonly start: number; readonly length: number; readonly end: number },
  pageSize: number,
): Buffer | undefined {
  const most = pageSize - 35;
  if (length <= most)
    return start + length <= Math.min(end, file.length) ? file.subarray(start, start + length) : undefined;
  const least = Math.floor(((pageSize - 12) * 32) / 255) - 23;
  const fitting = least + ((length - least) % (pageSize - 4));
  const local = fitting <= most ? fitting : least;
  if (start + local + 4 > Math.min(end, file.length)) return undefined;
  const parts = [file.subarray(start, start + local)];
  let left = length - local;
  let next = file.readUInt32BE(start + local);
  while (left > 0) {
    const place = (next - 1) * pageSize;
    const taken = Math.min(left, pageSize - 4);
    if (place < 0 || place + 4 + taken > file.length) return undefined;
    parts.push(file.subarray(place + 4, place + 4 + taken));
    left -= taken;
    next = file.readUInt32BE(place);
  }
  return Buffer.concat(parts);
}

/** Returns the columns of a record: their types come before their values. */
function cellsOf(record: Buffer): readonly Cell[] | undefined {
  const head = integerAt(record, 0);
  if (!head || head.value > record.length) return undefined;
  const cells: Cell[] = [];
  let value = head.value;
  for (let at = head.end; at < head.value; ) {
    const kind = integerAt(record, at);
    if (!kind) return undefined;
    at = kind.end;
    const size = sizeOf(kind.value);
    if (size === undefined || value + size > record.length) return undefined;
    cells.push(cellAt(record, kind.value, value, size));
    value += size;
  }
  return cells;
}

/** Returns the number of bytes of a value of this type. The store writes no fractions and no raw bytes. */
function sizeOf(kind: number): number | undefined {
  if (kind >= 13 && kind % 2 === 1) return (kind - 13) / 2;
  return [0, 1, 2, 3, 4, 6, 8, undefined, 0, 0][kind];
}

function cellAt(record: Buffer, kind: number, start: number, size: number): Cell {
  if (kind >= 13) return record.toString('utf8', start, start + size);
  if (kind === 0) return null;
  if (kind === 8 || kind === 9) return kind - 8;
  return size === 8 ? Number(record.readBigInt64BE(start)) : record.readIntBE(start, size);
}

/** Reads an integer of one to nine bytes; all but the ninth hold seven bits each. */
function integerAt(bytes: Buffer, start: number): { readonly value: number; readonly end: number } | undefined {
  let value = 0;
  for (let at = start; at < start + 8; at++) {
    const byte = bytes[at];
    if (byte === undefined) return undefined;
    value = value * 128 + (byte & 127);
    if (byte < 128) return { value, end: at + 1 };
  }
  // Nine bytes: more than any length that the store writes.
  return undefined;
}
