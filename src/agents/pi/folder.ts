import { join } from 'node:path';

/** Returns pi's own folder: settings, extensions, sessions. */
export function piFolder(home: string, env: Readonly<Record<string, string | undefined>>): string {
  const named = env['PI_CODING_AGENT_DIR'];
  if (!named) return join(home, '.pi', 'agent');
  return named === '~' || named.startsWith('~/') ? join(home, named.slice(1)) : named;
}
