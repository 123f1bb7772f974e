import { createRequire } from 'node:module';
import type { Readable } from 'node:stream';
import { version } from '../../package.json';
import { errorCode } from '../base/util/error-code';
import { backtestCommand } from './commands/backtest-command';
import { checkCommand } from './commands/check-command';
import { discoverCommand } from './commands/discover-command';
import { eventsCommand } from './commands/events-command';
import { fleetCommand, type LoadFleet } from './commands/fleet-command';
import { relayCommand } from './commands/relay-command';
import type { LoadCounting } from './load-metrics';
import { helpOf, helpOfAll, isCommand } from './help';
import { inboxCommand } from './commands/inbox-command';
import { type Output, UsageError, presentedOutput, rawOutput, reportProblem } from './output';
import { recallCommand } from './commands/recall-command';
import { fixtureCommand, reportCommand } from './commands/report-command';
import { runCommand } from './commands/run-command';
import { scanCommand } from './commands/scan-command';
import { statsCommand } from './commands/stats-command';
import { watchCommand } from './commands/watch-command';

/** The client of the message server and the metrics are in bundles of their own, next to this one. */
const fleetBeside: LoadFleet = () => beside('fleet.js') as ReturnType<LoadFleet>;
const countingBeside: LoadCounting = () => beside('counting.js') as ReturnType<LoadCounting>;

function beside(bundle: string): unknown {
  try {
    return createRequire(__filename)(`./${bundle}`);
  } catch (error) {
    if (errorCode(error) !== 'MODULE_NOT_FOUND') throw error;
    throw new UsageError('unreadable', `unstuck: ${bundle} is missing. Reinstall Unstuck.`);
  }
}

/**
 * Runs one command line and returns the exit code. A problem becomes one clear line on standard error.
 *
 * @param stopped resolves when the person ends a command that runs until stopped
 * @param input standard input
 * @param loadFleet loads the code that talks to a message server, for the commands that need it
 * @param loadCounting loads the code that counts, if an option requests metrics
 */
export async function runCommandLine(
  args: readonly string[],
  output: Output,
  stopped: Promise<void>,
  input: Readable = process.stdin,
  loadFleet = fleetBeside,
  loadCounting = countingBeside,
): Promise<number> {
  try {
    return await run(args, output, stopped, input, loadFleet, loadCounting);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    reportProblem(output, error.message);
    return 2;
  }
}

/** Commands that print text from transcripts, the history or an inbox. */
const SHOWS_TEXT: ReadonlySet<string> = new Set(['scan', 'watch', 'events', 'recall', 'inbox']);

async function run(
  args: readonly string[],
  terminal: Output,
  stopped: Promise<void>,
  input: Readable,
  loadFleet: LoadFleet,
  loadCounting: LoadCounting,
): Promise<number> {
  const [command, ...all] = args;
  const asked = command === 'help' ? all[0] : asksForHelp(all) ? command : undefined;
  if (asked !== undefined && isCommand(asked)) {
    terminal.line(helpOf(asked));
    return 0;
  }
  const takesRaw = command !== undefined && SHOWS_TEXT.has(command);
  const raw = takesRaw && all.includes('--raw');
  // Output to a file or a pipe is stored or passed on.
  if (raw && terminal.hasTerminalForResults !== true)
    throw new UsageError('usage', `unstuck ${command}: --raw shows secrets, so it works only in a terminal.`);
  const output = raw ? rawOutput(terminal) : presentedOutput(terminal);
  const rest = raw ? all.filter((word) => word !== '--raw') : all;
  switch (command) {
    case 'scan':
      return await scanCommand(rest, output, input, stopped);
    case 'watch':
      return await watchCommand(rest, output, stopped, loadCounting);
    case 'check':
      return await checkCommand(rest, output, input);
    case 'discover':
      return await discoverCommand(rest, output);
    case 'backtest':
      return await backtestCommand(rest, output, input);
    case 'events':
      return await eventsCommand(rest, output);
    case 'recall':
      return await recallCommand(rest, output);
    case 'stats':
      return await statsCommand(rest, output);
    case 'report':
      return await reportCommand(rest, output);
    case 'fixture':
      return await fixtureCommand(rest, output);
    case 'relay':
      return await relayCommand(rest, output, stopped, loadFleet, loadCounting);
    case 'fleet':
      return await fleetCommand(rest, output, loadFleet);
    case 'inbox':
      return await inboxCommand(rest, output, input);
    case 'run':
      return await runCommand(rest, output);
    case 'help':
    case '--help':
    case '-h':
      if (asked !== undefined) throw noCommand(asked);
      terminal.line(helpOfAll());
      return 0;
    case '--version':
    case '-V':
    case 'version':
      terminal.line(version);
      return 0;
    case undefined:
      throw new UsageError('usage', "unstuck: name a command. See 'unstuck help'.");
    default:
      throw noCommand(command);
  }
}

function noCommand(word: string): UsageError {
  return new UsageError('usage', `unstuck: there is no command "${word}". See 'unstuck help'.`);
}

/** Words after `--` belong to another program. */
function asksForHelp(words: readonly string[]): boolean {
  const own = words.includes('--') ? words.slice(0, words.indexOf('--')) : words;
  return own.includes('--help') || own.includes('-h');
}
