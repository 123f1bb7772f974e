import { pieceOf } from '../../../base/util/piece';

/** Number of characters up to which a command is read. */
const READ = 4000;

/** A quick test for anything before the program: most commands begin with it. */
const MAY_LEAD = /^(?:[\s#]|(?:cd|pushd)\s)/;

/** Names the command for a person: its first line, without a leading `cd folder &&`. */
export function shellSubject(command: string): string {
  let rest = command.length > READ ? command.slice(0, READ) : command;
  for (let round = 0; round < 4 && MAY_LEAD.test(rest); round++) {
    const lead =
      /^\s+/.exec(rest) ??
      /^#[^\n]*\n/.exec(rest) ??
      /^(?:cd|pushd)\s+(?:"[^"\n]*"|'[^'\n]*'|\\ |[^\s;&|"'])+[ \t]*(?:&&|;|\n)\s*(?=\S)/.exec(rest);
    if (!lead || lead[0].length === rest.length) break;
    rest = rest.slice(lead[0].length);
  }
  const end = rest.indexOf('\n');
  return pieceOf(rest, 0, end < 0 ? rest.length : end).trim();
}

/** Returns the command line of `bash -lc "…"` in any of the forms that agents record: a string or a list of arguments. */
export function commandLine(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value) || !value.every((part) => typeof part === 'string')) return undefined;
  const parts: readonly string[] = value;
  const shell = /(?:^|[\\/])(?:ba|z|da|k|fi)?sh(?:\.exe)?$|(?:^|[\\/])(?:pwsh|powershell|cmd)(?:\.exe)?$/i;
  if (parts.length === 3 && shell.test(parts[0] ?? '') && /^[-/][a-z]{1,8}$/i.test(parts[1] ?? '')) return parts[2];
  return parts.map((part) => (/^[\w@%+=:,./-]+$/.test(part) ? part : `'${part.replaceAll("'", `'\\''`)}'`)).join(' ');
}
