// Installs an agent at its pinned version into a cache that outlives the run.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { time } from './wait.mjs';

const CACHE = process.env.UNSTUCK_AGENTS_CACHE ?? join(homedir(), '.cache/unstuck-agents');
const NO_NETWORK = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH|ECONNRESET|ENOTCACHED/;
const WITHIN = 10 * 60_000;

/** The agent is not available here, which says nothing about Unstuck. */
export class NotHere extends Error {}

/**
 * Path of the agent's program. Scripts of packages are not run: the agents work without them.
 *
 * @throws {NotHere} no network and nothing in the cache, or no build for this platform
 */
export function install(agent, say) {
  const folder = join(CACHE, `${agent.id}-${agent.version}`);
  const done = join(folder, 'installed');
  if (!existsSync(done)) {
    mkdirSync(folder, { recursive: true });
    const began = Date.now();
    const spec = `${agent.package}@${agent.version}`;
    const args = [
      'install',
      '--prefix',
      folder,
      '--no-save',
      '--no-audit',
      '--no-fund',
      '--ignore-scripts',
      spec,
      ...(agent.besides ?? []),
    ];
    const run = spawnSync('npm', args, { encoding: 'utf8', timeout: WITHIN, cwd: folder });
    if (run.status !== 0) {
      const why = run.error?.message ?? run.stderr.trim().split('\n').slice(0, 3).join(' ');
      if (NO_NETWORK.test(why)) throw new NotHere(`${spec} is not in ${CACHE}, and the registry cannot be reached`);
      throw new Error(`npm could not install ${spec}: ${why}`);
    }
    writeFileSync(done, new Date().toISOString());
    say(`installed ${spec} in ${time(Date.now() - began)}`);
  }
  const program = agent.program(join(folder, 'node_modules'));
  if (!existsSync(program)) throw new NotHere(`${agent.package} has no build for ${process.platform}-${process.arch}`);
  return program;
}

/**
 * The program of an agent, or the reason why it is not available here.
 * @param {object} agent of test/agents/agents
 */
export function programOf(agent) {
  try {
    return { program: install(agent, console.log), why: null };
  } catch (error) {
    if (error instanceof NotHere) return { program: null, why: error.message };
    throw error;
  }
}
