// What the real agents did, for the tables of docs/tried.md: the newest result of each action with each agent.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FILE = join(dirname(fileURLToPath(import.meta.url)), '../tried.json');

/** @param {{ tried: readonly { agent: string, version: string, action: string, passed: boolean }[] }} results */
export function record({ tried }) {
  const known = existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : {};
  const on = new Date().toISOString().slice(0, 10);
  for (const { agent, version, action, passed } of tried) {
    known[agent] = { ...known[agent], [action]: { passed, version, on } };
  }
  const sorted = Object.fromEntries(Object.entries(known).sort(([one], [other]) => (one < other ? -1 : 1)));
  writeFileSync(FILE, `${JSON.stringify(sorted, null, 2)}\n`);
}
