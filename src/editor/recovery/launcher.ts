import { join } from 'node:path';
import * as vscode from 'vscode';
import type { LaunchPlan } from '../../agents/launch';
import { presentableLine } from '../../base/util/redact';
import type { Log } from '../../base/util/log';
import { noProgramText, notStartedText } from '../../core/words/messages/recovery';
import { STARTS_WITHIN_MS } from '../../recover/act/pending-starts';
import type { Launch, StartFailure } from '../../recover/act/ports';
import type { Recovery } from '../../recover/act/service';
import type { Services } from '../services';
import { inform, openTerminal, warn } from '../voice';
import type { AgentTerminals } from './agent-terminals';
import { windowsWord } from './start-script';
import { typeStart } from './typed-start';

/** Maximum length of a printed line in a message, characters. */
const LONGEST_PRINTED = 160;

/** A program to be started in a terminal with this title. */
type Start = LaunchPlan & { readonly title: string };

/**
 * Starts agents in terminals. The person's shell runs the program, so it has the environment of their other terminals. Reports a program that ends
 * with an error right after its start. This is the only place where Unstuck types into a terminal.
 */
export class Launcher {
  constructor(
    private readonly services: Pick<Services, 'context' | 'log' | 'settings'>,
    private readonly terminals: Pick<AgentTerminals, 'emptiedOf'>,
    private readonly recovery: Pick<Recovery, 'notStarted'>,
    private readonly findProgram: (program: string) => Promise<string | null>,
  ) {}

  /** Starts an agent again, in the terminal in which the previous one was ended, otherwise in a new one. */
  async start(launch: Launch): Promise<void> {
    const failure = await this.run(launch, await this.terminals.emptiedOf(launch.from));
    if (failure && this.recovery.notStarted(launch.id, failure)) this.notify(launch.title, failure);
  }

  /** Resumes a session that needs no recovery. */
  async resume(start: Start): Promise<void> {
    const program = await this.findProgram(start.program);
    if (program === null) return void warn(noProgramText(start.program));
    const failure = await this.run({ ...start, program }, null);
    if (failure) this.notify(start.title, failure);
  }

  private async run(start: Start, emptied: vscode.Terminal | null): Promise<StartFailure | null> {
    reportRemarks(start, this.services.log);
    // No shell of Windows accepts arbitrary words, so the terminal runs the program itself there.
    if (process.platform === 'win32')
      return earlyClose(this.open(start, { shellPath: start.program, shellArgs: start.args.map(windowsWord) }));
    const folder = join(this.services.context.globalStorageUri.fsPath, 'restart');
    try {
      const typed = await typeStart(emptied ?? this.open(start, {}), start, folder);
      if (typed) return await typed.failure;
      this.services.log.warn(`${start.title}: the path of the script cannot be typed: ${folder}`);
    } catch (error) {
      this.services.log.warn(`${start.title}: the script of a start could not be written: ${String(error)}`);
    }
    return earlyClose(this.open(start, { shellPath: start.program, shellArgs: [...start.args] }));
  }

  private open(
    { title, cwd }: Start,
    program: Pick<vscode.TerminalOptions, 'shellPath' | 'shellArgs'>,
  ): vscode.Terminal {
    return openTerminal(title, {
      cwd,
      ...program,
      // A session that was found in a folder from the settings exists for the agent only if the agent looks there, too.
      env: { ...this.services.settings().agentFolders },
      iconPath: new vscode.ThemeIcon('debug-restart'),
    });
  }

  private notify(title: string, { code, printed }: StartFailure): void {
    void warn(notStartedText(title, { code, printed: presentableLine(printed, LONGEST_PRINTED) }));
  }
}

/** Resolves to the failure of a terminal that runs the program itself and therefore closes with it. */
function earlyClose(terminal: vscode.Terminal): Promise<StartFailure | null> {
  return new Promise((done) => {
    const end = (failure: StartFailure | null) => {
      clearTimeout(timer);
      closed.dispose();
      done(failure);
    };
    const timer = setTimeout(() => end(null), STARTS_WITHIN_MS);
    const closed = vscode.window.onDidCloseTerminal((one) => {
      const code = one.exitStatus?.code ?? 0;
      if (one === terminal) end(code === 0 ? null : { code, printed: '' });
    });
  });
}

/** Logs the parts of a start that could not be as requested. */
export function reportRemarks({ remarks, title }: Pick<Launch, 'remarks' | 'title'>, log: Log): void {
  for (const note of remarks) log.warn(`${title}: ${note}`);
  if (remarks.length > 0) void inform(remarks.join(' '));
}
