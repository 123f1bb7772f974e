/** A pattern that only ever sees text of a bounded length, or only one place of it. It is timed so. */
export interface Bounded {
  /** File or folder below src. */
  readonly file: string;
  /** How its source begins. */
  readonly begins: string;
  readonly characters: number;
  /** Tried at one place only: it does not look for where it could begin. */
  readonly isSticky?: true;
  /** What cuts the text. */
  readonly why: string;
}

export const BOUNDED: readonly Bounded[] = [
  {
    file: 'agents/copilot/result.ts',
    begins: '<(?:shellId: [^>\\n]{1,80}|command',
    characters: 600,
    why: 'the end of the output (READ)',
  },
  { file: 'checks/runners/', begins: '', characters: 1_000, why: 'linesOf cuts each line (LONGEST_LINE)' },
  { file: 'checks/failure-kind.ts', begins: '^(?:E +)?', characters: 600, why: 'the beginning of a message (READ)' },
  {
    file: 'checks/shell/check-programs.ts',
    begins: '(?:^|\\/)(?:bin|scripts',
    characters: 300,
    why: 'isScript asks for the length first',
  },
  { file: 'agents/opencode/result.ts', begins: 'User aborted', characters: 600, why: 'the end of the output (SHOWN)' },
  { file: 'agents/opencode/result.ts', begins: 'JSON parsing failed', characters: 8_000, why: 'cut at the call' },
  { file: 'agents/openhands/sdk.ts', begins: "Tool '?", characters: 2_000, why: 'cut at the call' },
  {
    file: 'engine/session/title.ts',
    begins: '',
    characters: 2_000,
    why: 'titleOf looks at the first 2,000 characters',
  },
  { file: 'words/format.ts', begins: '\\B(?=(', characters: 25, why: 'the digits of a whole number' },
  {
    file: 'util/secrets/tokens.ts',
    begins: '',
    characters: 65_536,
    isSticky: true,
    why: 'patternRule makes a sticky copy',
  },
  {
    file: 'util/secrets/introduced.ts',
    begins: '',
    characters: 65_536,
    isSticky: true,
    why: 'patternRule makes a sticky copy',
  },
];

/**
 * Patterns of the rules that are known to be slow on long text. What they see is cut, by `headOf` and by the 16,384 characters that are kept
 * of a string (src/util/cut.ts), so none takes more than a second; each is to become linear.
 */
export const KNOWN_SLOW: readonly Pick<Bounded, 'file' | 'begins'>[] = [
  { file: 'detect/rules/over-helpfulness.ts', begins: '(?:cannot open' },
  { file: 'detect/rules/text-loop.ts', begins: 'repeat' },
  { file: 'detect/sayings/assertion.ts', begins: '^(?:E {2,}' },
  { file: 'detect/sayings/retry-notes.ts', begins: '^[ \\t]*(?:[-*•]' },
  { file: 'detect/sayings/spoken.ts', begins: '' },
  { file: 'detect/sayings/text-period.ts', begins: '[.!?' },
  { file: 'detect/sayings/volatile-word.ts', begins: '[A-Z].*' },
  { file: 'detect/steps/patience.ts', begins: '\\b(?:npm' },
  { file: 'detect/steps/progress.ts', begins: '\\bgit\\b' },
];
