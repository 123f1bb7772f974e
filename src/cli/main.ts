import { backtestCommand } from './commands/backtest-command';
import { checkCommand } from './commands/check-command';
import { discoverCommand } from './commands/discover-command';
import { eventsCommand } from './commands/events-command';
import { HELP } from './help';
import { inboxCommand } from './commands/inbox-command';
import { type Output, UsageError, presentedOutput } from './output';
import { recallCommand } from './commands/recall-command';
import { runCommand } from './commands/run-command';
import { scanCommand } from './commands/scan-command';
import { watchCommand } from './commands/watch-command';

/** Runs one command line. Returns the exit code; what goes wrong is one clear line on standard error. */
export async function main(args: readonly string[], output: Output, stopped: Promise<void>): Promise<number> {
  try {
    return await run(args, output, stopped);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    output.note(error.message);
    return 2;
  }
}

/** Commands that print text of transcripts, of the history or of an inbox. */
const SHOWS_TEXT: ReadonlySet<string> = new Set(['scan', 'watch', 'events', 'recall', 'inbox']);

async function run(args: readonly string[], terminal: Output, stopped: Promise<void>): Promise<number> {
  const [command, ...all] = args;
  const takesRaw = command !== undefined && SHOWS_TEXT.has(command);
  const raw = takesRaw && all.includes('--raw');
  // What goes into a file or a pipe is kept or sent on.
  if (raw && terminal.hasTerminalForResults !== true)
    throw new UsageError('usage', `unstuck ${command}: --raw shows secrets, and only in a terminal.`);
  const output = raw ? terminal : presentedOutput(terminal);
  const rest = raw ? all.filter((word) => word !== '--raw') : all;
  switch (command) {
    case 'scan':
      return await scanCommand(rest, output);
    case 'watch':
      return await watchCommand(rest, output, stopped);
    case 'check':
      return await checkCommand(rest, output);
    case 'discover':
      return await discoverCommand(rest, output);
    case 'backtest':
      return await backtestCommand(rest, output, Date.now);
    case 'events':
      return await eventsCommand(rest, output);
    case 'recall':
      return await recallCommand(rest, output);
    case 'inbox':
      return await inboxCommand(rest, output, Date.now);
    case 'run':
      return await runCommand(rest, output);
    case 'help':
    case '--help':
    case '-h':
      output.line(HELP);
      return 0;
    default:
      output.note(command ? `unstuck: there is no command "${command}". See 'unstuck help'.` : HELP);
      return 2;
  }
}
