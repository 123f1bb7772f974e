import { runCommandLine } from './command-line';
import { type Output, reportProblem } from './output';

const output: Output = {
  line: (text) => void process.stdout.write(`${text}\n`),
  note: (text) => void process.stderr.write(`${text}\n`),
  isTerminal: process.stderr.isTTY,
  hasTerminalForResults: process.stdout.isTTY,
};

// A reader such as head or less closes the pipe once it has enough. That is not an error.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 2));

/** Milliseconds for which leftover work of a library may keep the process alive after a person ended it. */
const LEFT_BEHIND_MS = 500;
let isStopped = false;
const stopped = new Promise<void>((resolve) => {
  const stop = () => {
    isStopped = true;
    resolve();
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
});

runCommandLine(process.argv.slice(2), output, stopped).then(
  (code) => {
    process.exitCode = code;
    if (isStopped) setTimeout(() => process.exit(), LEFT_BEHIND_MS).unref();
  },
  (error: unknown) => {
    const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    reportProblem(output, `unstuck: ${line}`);
    process.exitCode = 2;
  },
);
