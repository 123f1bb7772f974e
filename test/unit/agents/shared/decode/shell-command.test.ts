import { describe, expect, it } from 'vitest';
import { commandLine, shellSubject } from '../../../../../src/agents/shared/decode';
import { fc, test } from '../property';

describe('the command in a call', () => {
  it('is extracted from a list of arguments', () => {
    expect(commandLine(['/bin/bash', '-lc', 'npm test'])).toBe('npm test');
    expect(commandLine(['powershell.exe', '-Command', 'dir'])).toBe('dir');
    expect(commandLine(['echo', "it's"])).toBe("echo 'it'\\''s'");
    expect(commandLine({})).toBeUndefined();
    expect(commandLine(['a', 1])).toBeUndefined();
  });
});

test.prop([fc.string({ maxLength: 6000 })])('the name of any command is one line', (text) => {
  expect(shellSubject(text)).not.toContain('\n');
});
