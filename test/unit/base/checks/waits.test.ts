import { describe, expect, it } from 'vitest';
import { isWaitCall } from '../../../../src/base/checks/waits';

describe('calls of tools that only wait', () => {
  it.each([
    ['BashOutput', { bash_id: '1' }],
    ['TaskOutput', { task_id: 'b1', block: true }],
    ['write_stdin', { session_id: 3, chars: '' }],
    ['write_stdin', { session_id: 3 }],
    ['functions.write_stdin', { session_id: 3, chars: '\n' }],
    ['wait_agent', { ids: ['a'] }],
    ['read_bash', { sessionId: 'x' }],
    ['bash_command', { keystrokes: '' }],
    ['get_terminal_output', {}],
    ['mcp__term__wait_for', {}],
  ])('%s %j', (tool, args) => expect(isWaitCall(tool, args)).toBe(true));

  it.each([
    ['write_stdin', { chars: 'y\n' }],
    ['write_bash', { input: 'npm test' }],
    ['bash_command', { keystrokes: 'ls\n' }],
    ['Bash', { command: '' }],
    ['KillShell', { shell_id: '1' }],
    ['constructor', {}],
    ['Read', null],
  ])('%s %j runs or changes something', (tool, args) => expect(isWaitCall(tool, args)).toBe(false));
});
