import { backtestCommand } from './commands/backtest-command';
import { checkCommand } from './commands/check-command';
import { discoverCommand } from './commands/discover-command';
import { eventsCommand } from './commands/events-command';
import { HELP } from './help';
import { inboxCommand } from './commands/inbox-command';
import { type Output, UsageError } from './output';
import { recallCommand } from './commands/recall-command';
import { runCommand } from './commands/run-command';
import { scanCommand } from './commands/scan-command';
import { watchCommand } from './commands/watch-command';

/** Runs one command line. Returns the exit code; what goes wrong is one clear line on standard error. */
export async function main(args: readonly string[], output: Output, stopped: Promise<void>): Promise<number> {
  const [command, ...rest] = args;
  try {
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
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    output.note(error.message);
    return 2;
  }
}
