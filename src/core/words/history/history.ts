import { counted, whole } from '../../../base/util/counts';

/** Why the history is not read or written as usual, and what to do, by the store's reasons. What the system said of it stands in the log. */
const PROBLEMS = {
  folder_missing:
    'The folder of the history does not exist and cannot be made. New incidents are kept in memory, and written as soon as that works again.',
  read_only:
    'The folder of the history cannot be written. New incidents are kept in memory, and written as soon as that works again.',
  disk_full: 'The disk is full. New incidents are kept in memory, and written as soon as that works again.',
  corrupt: 'The history is damaged and is being mended.',
  newer_version:
    'A newer version of Unstuck wrote the history. This one reads it and does not change it: update Unstuck.',
  engine_missing:
    'The database engine could not be loaded, so only incidents of the last days are shown. The log says why.',
  closed: 'The history is closed.',
  io: 'The history could not be read or written. New incidents are kept in memory, and written as soon as that works again. The log says why.',
} as const;

export function historyProblem(reason: keyof typeof PROBLEMS): string {
  return PROBLEMS[reason];
}

/** Damage that was found in the history and mended. */
export interface DamageFacts {
  /** Incidents of the damaged file that are there all the same. */
  readonly saved: number;
  /** Null where the number of lost incidents is unknown. */
  readonly lost: number | null;
  /** Lines of journals that could not be read. */
  readonly lines: number;
  /** Copy of the first damaged file. */
  readonly file: string;
}

/** `The history was damaged: 251 of 300 incidents saved, 49 lost.` */
export function damageInShort({ saved, lost, lines }: DamageFacts): string {
  const isJournalOnly = lines > 0 && saved === 0 && lost === 0;
  const parts = [
    ...(isJournalOnly ? [] : [savedWords(saved, lost)]),
    ...(lines > 0 ? [`${counted(lines, 'line')} of a journal could not be read`] : []),
  ];
  return `The history was damaged: ${parts.join('; ')}.`;
}

function savedWords(saved: number, lost: number | null): string {
  if (lost === null) return `${counted(saved, 'incident')} saved, how many are lost is not known`;
  if (lost === 0) return saved === 0 ? 'nothing is lost' : `all ${counted(saved, 'incident')} saved`;
  return `${whole(saved)} of ${counted(saved + lost, 'incident')} saved, ${whole(lost)} lost`;
}

/** The same with where the damaged file is, and what to do. */
export function damageNotice(facts: DamageFacts): string {
  const isAllThere = facts.lost === 0 && facts.lines === 0;
  const advice = isAllThere
    ? 'There is nothing to do.'
    : 'If you have a backup of its folder, close all windows and put that in its place. Transcripts are not affected.';
  return `${damageInShort(facts)} The damaged file is kept: ${facts.file}. ${advice}`;
}
