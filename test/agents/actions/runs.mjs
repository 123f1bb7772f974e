// A script that starts the agent again and again with the prompt of one file.
import { join } from 'node:path';

/** Runs of the loop if nothing ends it earlier. */
export const RUNS = 8;

const ENDED = 'The loop has ended run';

/** True if the program of a run of the loop has ended. */
export function hasEnded({ stdout }, number) {
  return stdout.includes(`${ENDED} ${number}\n`);
}

/**
 * Writes the script and its prompt into the workspace.
 *
 * @param {object} stage
 * @param {number} [pause] between two runs, seconds
 * @returns {readonly string[]} the command that starts it
 */
export function writeLoop({ agent, program, sandbox }, pause = 0) {
  const command = agent.command(program, 'PROMPT').map((word) => (word === 'PROMPT' ? '"$(cat PROMPT.md)"' : word));
  sandbox.write(join(sandbox.workspace, 'PROMPT.md'), 'Make the test of this shop pass.\n');
  const rounds = Array.from({ length: RUNS }, (_, index) => index + 1).join(' ');
  const script = `for run in ${rounds}; do ${command.join(' ')} </dev/null; echo "${ENDED} $run"; sleep ${pause}; done\n`;
  sandbox.write(join(sandbox.workspace, 'ralph.sh'), script);
  return ['sh', 'ralph.sh'];
}

/** A model that runs the same failing test twice in each run, which stays below every limit for one session. */
export function runsScript(agent) {
  let turn = 0;
  return () => (turn++ % 3 < 2 ? { calls: [agent.shell('npm test')] } : { text: 'That is all for now.' });
}
