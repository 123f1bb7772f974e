import type { Bytes, FoundEntry } from './files';

/** A file that git tracks, as it is in the index. */
export interface Entry {
  readonly path: Bytes;
  /** `100644`, `100755`, `120000` (link), `160000` (submodule). */
  readonly mode: string;
  readonly object: string;
  /** The person set git not to look at the file (`assume-unchanged`). */
  readonly isAssumed: boolean;
  /** It may be absent, because it is outside a sparse checkout. */
  readonly isSkipped: boolean;
  /** One of several versions of a conflict. */
  readonly isUnmerged: boolean;
  /** It was only announced (`git add -N`): git has no object for it. */
  readonly isAnnounced: boolean;
  /** Size and times of the file when git last compared it; null if they are not known. */
  readonly seen: Seen | null;
}

interface Seen {
  readonly contentAt: bigint;
  readonly statusAt: bigint;
  /** Bytes, modulo 2^32. */
  readonly size: number;
}

export const LIST_ENTRIES = ['ls-files', '--stage', '-v', '-z'];
/** Flag of an announced entry in the index. */
const ANNOUNCED = 0x20000000;
const HEAD = /([A-Za-z]) (\d{6}) ([0-9a-f]{40,64}) ([0-3])\t([^\0]+)\0/y;
const SEEN =
  / {2}ctime: (\d+):(\d+)\n {2}mtime: (\d+):(\d+)\n {2}dev: \d+\tino: \d+\n {2}uid: \d+\tgid: \d+\n {2}size: (\d+)\tflags: ([0-9a-f]+)\n?/y;

/** Parses the output of `LIST_ENTRIES`, with or without `--debug`; null if it has another form. */
export function entriesIn(listed: Bytes): readonly Entry[] | null {
  const entries: Entry[] = [];
  for (let at = 0; at < listed.length; ) {
    HEAD.lastIndex = at;
    const head = HEAD.exec(listed);
    if (!head) return null;
    SEEN.lastIndex = HEAD.lastIndex;
    const seen = SEEN.exec(listed);
    at = seen ? SEEN.lastIndex : HEAD.lastIndex;
    const [, tag = '', mode = '', object = '', stage = '', path = ''] = head;
    entries.push({
      path,
      mode,
      object,
      isAssumed: tag !== tag.toUpperCase(),
      isSkipped: tag.toUpperCase() === 'S',
      isUnmerged: stage !== '0',
      isAnnounced: (Number.parseInt(seen?.[6] ?? '0', 16) & ANNOUNCED) !== 0,
      seen: seen && seenIn(seen),
    });
  }
  return entries;
}

function seenIn([, statusSeconds, status, contentSeconds, content, size]: RegExpExecArray): Seen {
  const nanoseconds = (seconds = '', rest = '') => BigInt(seconds) * 1_000_000_000n + BigInt(rest);
  return {
    statusAt: nanoseconds(statusSeconds, status),
    contentAt: nanoseconds(contentSeconds, content),
    size: Number(size),
  };
}

/**
 * True if the file is certainly the one that git saw. A file that changed at the moment at which the index was written may have changed once more in
 * that moment.
 */
export function isAsSeen(seen: Seen | null, found: FoundEntry, indexAt: bigint): boolean {
  return (
    seen !== null &&
    seen.size === found.size % 2 ** 32 &&
    seen.contentAt === found.contentAt &&
    (found.statusAt === null || seen.statusAt === found.statusAt) &&
    seen.contentAt < indexAt
  );
}
