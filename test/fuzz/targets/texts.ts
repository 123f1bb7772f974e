import { readCheckOutput } from '../../../src/base/checks/check-output';
import { classifyCommand } from '../../../src/base/checks/command';
import { CUT_OVER_BYTES } from '../../../src/base/util/cut';
import { findSecrets, presentable, REDACTED, redact } from '../../../src/base/util/redact';
import { signs } from '../../../src/base/util/showable';
import { textsBelow } from '../seeds';
import type { FuzzTarget } from '../target';
import { textReader } from './reader';

/** Command lines, and the output of tests, linters and builds. */
export const checks: FuzzTarget = {
  ...textReader(
    'checks',
    textsBelow('test/unit/base/checks/outputs').map(({ text }) => text.slice(0, 20_000)),
    () => {},
  ),
  run(input, stopwatch) {
    const [command = ''] = input.split('\n', 1);
    stopwatch.step(() => classifyCommand(command));
    // An output is read as that of each of these.
    for (const runner of ['pytest -q', 'npm test', 'tsc -p .']) stopwatch.step(() => readCheckOutput(runner, input, 1));
    return 1;
  },
};

/** Texts that leave the program: cleaned, redacted, or shown with signs. As long as a transcript's string can be. */
export const texts: FuzzTarget = {
  ...textReader(
    'texts',
    [
      'ghp_abcdefghijklmnopqrstuvwxyz0123456789',
      'aws_secret_access_key = wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY',
      '\u001b[31mred\u001b[0m',
    ],
    () => {},
  ),
  run(input, stopwatch) {
    const text = input.slice(0, CUT_OVER_BYTES);
    const clean = stopwatch.step(() => presentable(text));
    if (stopwatch.step(() => presentable(clean)) !== clean) throw new Error('a clean text is cleaned again');
    const secrets = stopwatch.step(() => findSecrets(text));
    const redacted = stopwatch.step(() => redact(text));
    if (redacted.length > text.length + REDACTED.length * (secrets.length + 1)) throw new Error('longer than it was');
    stopwatch.step(() => signs(text));
    return 1;
  },
};
