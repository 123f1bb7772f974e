/** The command of a restart, word by word. */
export interface StartLine {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
}

/** A word of a POSIX shell that stands for exactly this text. */
export function shellWord(text: string): string {
  return /^[\w./:=@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/**
 * A script that starts an agent in a terminal, and removes itself before. The terminal's shell may be any: so it gets one short line,
 * `sh '<script>'`, and no word of a prompt.
 *
 * @param told gets the exit code of the program, as long as it is there
 */
export function startScript({ program, args, cwd }: StartLine, told: string): string {
  const file = shellWord(told);
  return [
    'rm -f -- "$0"',
    `cd ${shellWord(cwd)} || exit 1`,
    [program, ...args].map(shellWord).join(' '),
    'code=$?',
    `[ ! -e ${file} ] || echo "$code" >${file}`,
    'exit "$code"',
    '',
  ].join('\n');
}

/** The line that runs a script; null where its path needs care that shells take differently. */
export function lineFor(script: string): string | null {
  return /['\\\r\n\0]/.test(script) ? null : `sh '${script}'`;
}

/** A command to paste into a terminal: of PowerShell on Windows, of any POSIX shell elsewhere. */
export function pastedCommand({ program, args, cwd }: StartLine, platform: NodeJS.Platform): string {
  if (platform === 'win32') {
    const word = (text: string): string => `'${text.replaceAll("'", "''")}'`;
    return `Set-Location ${word(cwd)}; & ${[program, ...args].map(word).join(' ')}`;
  }
  return `cd ${shellWord(cwd)} && ${[program, ...args].map(shellWord).join(' ')}`;
}
