import { counted, whole } from '../../../base/util/counts';

/** Reason why the history is not read or written as usual, and what to do, by the store's reasons. The system's own message is in the log. */
const PROBLEMS = {
  folder_missing:
    'The history folder does not exist and cannot be created. New incidents are kept in memory until they can be saved.',
  read_only: 'The history folder is not writable. New incidents are kept in memory until they can be saved.',
  disk_full: 'The disk is full. New incidents are kept in memory until they can be saved.',
  corrupt: 'The history is damaged and is being repaired.',
  newer_version:
    'The history was written by a newer version of Unstuck. This version can only read it. Update Unstuck.',
  engine_missing: 'The database engine could not be loaded, so only recent incidents are shown. See the log.',
  closed: 'The history is closed.',
  io: 'The history could not be read or written. New incidents are kept in memory until they can be saved. See the log.',
} as const;

export function historyProblem(reason: keyof typeof PROBLEMS): string {
  return PROBLEMS[reason];
}

/** Damage found in the history and repaired. */
export interface DamageFacts {
  /** Number of incidents of the damaged file that could be saved. */
  readonly saved: number;
  /** Null where the number of lost incidents is unknown. */
  readonly lost: number | null;
  /** Number of journal lines that could not be read. */
  readonly lines: number;
  /** Copy of the first damaged file. */
  readonly file: string;
}

/** Returns `The history was damaged: 251 of 300 incidents saved, 49 lost.` */
export function damageInShort({ saved, lost, lines }: DamageFacts): string {
  const isJournalOnly = lines > 0 && saved === 0 && lost === 0;
  const parts = [
    ...(isJournalOnly ? [] : [savedWords(saved, lost)]),
    ...(lines > 0 ? [`${counted(lines, 'line')} of a journal could not be read`] : []),
  ];
  return `The history was damaged: ${parts.join('; ')}.`;
}

function savedWords(saved: number, lost: number | null): string {
  if (lost === null) return `${counted(saved, 'incident')} saved; an unknown number is lost`;
  if (lost === 0) return saved === 0 ? 'nothing was lost' : `all ${counted(saved, 'incident')} saved`;
  return `${whole(saved)} of ${counted(saved + lost, 'incident')} saved, ${whole(lost)} lost`;
}

/** Adds where the damaged file is, and what to do. */
export function damageNotice(facts: DamageFacts): string {
  const isAllThere = facts.lost === 0 && facts.lines === 0;
  const advice = isAllThere
    ? 'You do not need to do anything.'
    : 'If you have a backup of its folder, close all windows and restore that. Transcripts are not affected.';
  return `${damageInShort(facts)} The damaged file is kept: ${facts.file}. ${advice}`;
}
