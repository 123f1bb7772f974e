import type { Pattern } from './sources';

/** A pattern that only ever sees text of a bounded length. It is timed with such text. */
interface Bounded {
  /** File or folder below src. */
  readonly file: string;
  /** Beginning of its source. */
  readonly begins: string;
  readonly characters: number;
  /** It sees one such piece after the other: the time is that of enough pieces for the whole length. */
  readonly isEach?: true;
  /** Code that cuts the text. */
  readonly why: string;
}

export const BOUNDED: readonly Bounded[] = [
  {
    file: 'base/checks/runners/',
    begins: '',
    characters: 1_000,
    isEach: true,
    why: 'linesOf cuts each line (LONGEST_LINE)',
  },
  {
    file: 'engine/session/title.ts',
    begins: '',
    characters: 2_000,
    why: 'titleOf looks at the first 2,000 characters',
  },
  { file: 'base/util/counts.ts', begins: '\\B(?=(', characters: 25, why: 'the digits of a whole number' },
];

export function boundOf({ file, source }: Pattern): Bounded | undefined {
  return BOUNDED.find((one) => file.startsWith(one.file) && source.startsWith(one.begins));
}
