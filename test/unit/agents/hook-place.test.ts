import { describe, expect, it } from 'vitest';
import { hookPlaceOf } from '../../../src/agents/hook-place';

const COMMAND = `echo "The changelog is missing." >&2; exit 2`;
const HOME = { home: '/home/me', env: {}, platform: 'linux' } as const;
/** Hooks as Claude Code and Codex write them; the command is in line 7. */
const settings = (command: string) =>
  JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: 'command', command }] }] } }, null, 2);

const find = (agent: 'claude-code' | 'codex' | 'gemini-cli', name: string, files: Record<string, string>) =>
  hookPlaceOf(agent, name, '/work', HOME, (path) => files[path]);

describe('the place of a hook', () => {
  it('is the line of its command, in the settings of the folder before those of the person', () => {
    const own = { '/home/me/.claude/settings.json': settings(COMMAND) };
    expect(find('claude-code', COMMAND, own)).toEqual({ file: '/home/me/.claude/settings.json', line: 8 });
    const both = { ...own, '/work/.claude/settings.json': settings(COMMAND) };
    expect(find('claude-code', COMMAND, both)?.file).toBe('/work/.claude/settings.json');
  });

  it('is found by a name that the alert has shortened', () => {
    const files = { '/home/me/.claude/settings.json': settings(COMMAND) };
    expect(find('claude-code', `${COMMAND.slice(0, 20)}…`, files)?.line).toBe(8);
  });

  it('is the event in the file that Codex names', () => {
    const file = '/home/me/.codex/hooks.json';
    expect(find('codex', file, { [file]: settings('anything') })).toEqual({ file, line: 3 });
  });

  it('is only searched for in the settings of the agent', () => {
    expect(find('claude-code', COMMAND, { '/work/package.json': settings(COMMAND) })).toBeNull();
    expect(find('codex', '/etc/passwd', { '/etc/passwd': 'Stop' })).toBeNull();
    expect(find('gemini-cli', COMMAND, { '/home/me/.claude/settings.json': settings(COMMAND) })).toBeNull();
  });
});
