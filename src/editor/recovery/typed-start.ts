import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { pause } from '../../base/clock';
import { readText, writeNew } from '../../base/files';
import { STARTS_WITHIN_MS } from '../../recover/act/pending-starts';
import type { StartFailure } from '../../recover/act/ports';
import { withoutEscapes } from '../../base/util/showable';
import { lineFor, type StartLine, startScript } from './start-script';

const LOOK_AGAIN_MS = 100;
/** Time for which output of the terminal may arrive after the end of the program, milliseconds. */
const PRINTS_LATER_MS = 300;
/** Number of characters at the end of the output in which the last line is looked for. */
const KEPT = 4_096;
/** Size limit of a file with an exit code, bytes. */
const LONGEST_CODE = 16;

/** A start that was typed into a terminal. */
export interface TypedStart {
  /** Failure of the program within its first seconds; null once it lives longer or ends well. */
  readonly failure: Promise<StartFailure | null>;
}

/**
 * Types one line into the shell of a terminal, which starts an agent there. Null if the line would contain characters that shells treat differently.
 * Throws system errors.
 *
 * @param folder a folder of Unstuck's own for the scripts
 */
export async function typeStart(
  terminal: vscode.Terminal,
  start: StartLine,
  folder: string,
): Promise<TypedStart | null> {
  const script = join(folder, `${randomBytes(6).toString('hex')}.sh`);
  const exitFile = `${script}.ended`;
  const line = lineFor(script);
  if (line === null) return null;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeNew(exitFile, '');
  await writeNew(script, startScript(start, exitFile));
  const output = listen(terminal);
  terminal.show(true);
  terminal.sendText(line, true);
  return { failure: failureOf(exitFile, output).finally(() => output.dispose()) };
}

async function failureOf(exitFile: string, output: Output): Promise<StartFailure | null> {
  try {
    for (let waited = 0; waited < STARTS_WITHIN_MS; waited += LOOK_AGAIN_MS) {
      await pause(LOOK_AGAIN_MS);
      const read = await readText(exitFile, { limit: LONGEST_CODE });
      const code = read.ok && read.value.endsWith('\n') ? Number(read.value) : undefined;
      if (code === undefined) continue;
      if (code === 0) return null;
      await pause(PRINTS_LATER_MS);
      return { code, printed: output.lastLine() };
    }
    return null;
  } finally {
    await rm(exitFile, { force: true });
  }
}

interface Output extends vscode.Disposable {
  lastLine(): string;
}

/** Collects the output of the terminal's next command. Nothing is known if the shell does not report its commands to the editor. */
function listen(terminal: vscode.Terminal): Output {
  let text = '';
  const started = vscode.window.onDidStartTerminalShellExecution(({ terminal: where, execution }) => {
    if (where !== terminal) return;
    void (async () => {
      for await (const data of execution.read()) text = (text + data).slice(-KEPT);
    })();
  });
  return {
    lastLine: () => lastLineOf(text),
    dispose: () => started.dispose(),
  };
}

/** Returns the last line that contains a letter or a digit, without control sequences. */
export function lastLineOf(text: string): string {
  return (
    withoutEscapes(text)
      .split(/[\r\n]+/)
      .findLast((line) => /[\p{L}\p{N}]/u.test(line))
      ?.trim() ?? ''
  );
}
