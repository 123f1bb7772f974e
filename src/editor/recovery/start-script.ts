/** The command of a restart, word by word. */
export interface StartLine {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
}

/** Quotes a text as one word of a POSIX shell that stands for exactly this text. */
function shellWord(text: string): string {
  return /^[\w./:=@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/**
 * Returns a script that starts an agent in a terminal, and removes itself first. The terminal may have any shell, so it gets one short line,
 * `sh '<script>'`, and no word of a prompt.
 *
 * @param exitFile file that gets the exit code of the program, if the file still exists
 */
export function startScript({ program, args, cwd }: StartLine, exitFile: string): string {
  const file = shellWord(exitFile);
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

/** Returns the line that runs a script; null if its path contains characters that shells treat differently. */
export function lineFor(script: string): string | null {
  return /['\\\r\n\0]/.test(script) ? null : `sh '${script}'`;
}

/** Returns a command to paste into a terminal: for PowerShell on Windows, for any POSIX shell elsewhere. */
export function pastedCommand({ program, args, cwd }: StartLine, platform: NodeJS.Platform): string {
  if (platform === 'win32') {
    const words = [program, ...args.map(windowsWord)];
    return `Set-Location ${powerShellWord(cwd)}; & ${words.map(powerShellWord).join(' ')}`;
  }
  return `cd ${shellWord(cwd)} && ${[program, ...args].map(shellWord).join(' ')}`;
}

/** Quotes a word for PowerShell, which takes typographic quotes for straight ones. */
function powerShellWord(text: string): string {
  return `'${text.replace(/['\u2018\u2019\u201a\u201b]/g, '$&$&')}'`;
}

/**
 * Returns a word that reaches a program of Windows as one word, even if the program is a script: npm installs agents as `.cmd`, and `cmd.exe` parses
 * the words of a script once more. Nothing can escape a double quote, a percent sign or a line break there, and PowerShell before 7.3 ends a word at
 * a double quote.
 */
export function windowsWord(text: string): string {
  const plain = text
    .replaceAll('"', "'")
    .replaceAll('%', '\uff05')
    .replace(/[\r\n]+/g, ' ');
  // A word without a space gets no quotes.
  return /\s/.test(plain) ? plain : plain.replace(/[&|<>^]/g, ' ');
}
