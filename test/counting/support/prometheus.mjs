// A real Prometheus, from the system's package, with a folder of its own.
import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { installPackage } from '../../support/debian-package.mjs';

const isThere = () => spawnSync('prometheus', ['--version'], { encoding: 'utf8' });

/**
 * The version of the installed Prometheus; if there is none, it is installed with apt-get, which needs root.
 * @returns {{ version: string } | { missing: string }} `missing`: why there is none
 */
export function findPrometheus() {
  const why = isThere().error ? installPackage('prometheus') : null;
  if (why !== null) return { missing: why };
  const found = isThere();
  if (found.error) return { missing: `prometheus does not run (${found.error.message})` };
  return { version: /version (\S+)/.exec(found.stdout + found.stderr)?.[1] ?? 'unknown' };
}

/**
 * Starts it: it scrapes `target` every second.
 * @param {{ folder: string, target: string }} options an empty folder, and `host:port`
 */
export async function startPrometheus({ folder, target }) {
  const config = join(folder, 'prometheus.yml');
  writeFileSync(
    config,
    `global: { scrape_interval: 1s }
scrape_configs:
  - job_name: unstuck
    static_configs: [{ targets: ['${target}'] }]
`,
  );
  const port = await freePort();
  const child = spawn(
    'prometheus',
    [
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=error',
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const api = `http://127.0.0.1:${port}/api/v1`;
  return {
    /**
     * Its answer to a query, now or over the last minutes; throws if it rejects the query.
     * @param {string} query
     * @param {{ range?: boolean }} [options]
     * @returns {Promise<{ metric: Record<string, string>, value?: [number, string], values?: [number, string][] }[]>}
     */
    async query(query, { range = false } = {}) {
      const now = Date.now() / 1_000;
      const asked = new URLSearchParams({ query, ...(range && { start: now - 300, end: now, step: '5' }) });
      const response = await fetch(`${api}/${range ? 'query_range' : 'query'}?${asked}`);
      const { status, error, data } = await response.json();
      if (status !== 'success') throw new Error(`${query}: ${error}`);
      return data.result;
    },
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
