import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pastedCommand, lineFor, startScript, windowsWord } from '../../../../src/editor/recovery/start-script';

/** A prompt with everything that a shell would interpret. */
const PROMPT = `It's "stuck": $(touch pwned) \`touch pwned\` $HOME \\ ; rm -rf .\nSecond line & more\n\ttab 'quoted' é`;
const PRINT = 'console.log(JSON.stringify([process.cwd(), process.argv.slice(1)]))';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'unstuck restart '));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('an agent that is restarted in its own terminal', () => {
  const cwd = () => join(folder, "it's here");
  const start = () => ({ program: process.execPath, args: ['-e', PRINT, '--', '--resume', 's1', PROMPT], cwd: cwd() });

  it('gets every word unchanged, in its folder, and the script is deleted', () => {
    mkdirSync(cwd());
    const script = join(folder, 'one.sh');
    writeFileSync(script, startScript(start(), join(folder, 'ended')));
    const line = lineFor(script) ?? '';
    expect(line).toBe(`sh '${script}'`);
    const ran = spawnSync('sh', ['-c', line], { cwd: '/', encoding: 'utf8' });
    expect(ran.stderr).toBe('');
    expect(JSON.parse(ran.stdout)).toEqual([cwd(), ['--resume', 's1', PROMPT]]);
    expect(existsSync(script)).toBe(false);
    expect(existsSync(join(cwd(), 'pwned'))).toBe(false);
  });

  it('says how it ended while the result is wanted', () => {
    const told = join(folder, "how it's ended");
    const run = () => {
      writeFileSync(join(folder, 'one.sh'), startScript({ program: 'sh', args: ['-c', 'exit 3'], cwd: folder }, told));
      return spawnSync('sh', [join(folder, 'one.sh')]).status;
    };
    expect([run(), existsSync(told)]).toEqual([3, false]);
    writeFileSync(told, '');
    expect([run(), readFileSync(told, 'utf8')]).toEqual([3, '3\n']);
  });

  it('is not typed if the path needs quoting that differs between shells', () => {
    expect(['/a b/c.sh', "/it's/c.sh", '/a\\b.sh', '/a\nb.sh'].map(lineFor)).toEqual([
      "sh '/a b/c.sh'",
      null,
      null,
      null,
    ]);
  });

  it('can be copied as a command that means the same', () => {
    mkdirSync(cwd());
    const ran = spawnSync('sh', ['-c', pastedCommand(start(), 'linux')], { cwd: '/', encoding: 'utf8' });
    expect(JSON.parse(ran.stdout)).toEqual([cwd(), ['--resume', 's1', PROMPT]]);
  });

  it('can be copied as a PowerShell command that no word of the prompt can break out of', () => {
    const windows = { program: 'claude', args: ['--resume', 's1', "it's"], cwd: String.raw`C:\work` };
    expect(pastedCommand(windows, 'win32')).toBe(
      String.raw`Set-Location 'C:\work'; & 'claude' '--resume' 's1' 'it''s'`,
    );
    const quoted = { ...windows, args: ['a\u2019; calc; \u2018b', 'c" --yes "d'], cwd: 'C:\\it\u2019s' };
    expect(pastedCommand(quoted, 'win32')).toBe(
      "Set-Location 'C:\\it\u2019\u2019s'; & 'claude' 'a\u2019\u2019; calc; \u2018\u2018b' 'c'' --yes ''d'",
    );
  });

  it('gets words on Windows that a cmd.exe script passes on unchanged', () => {
    expect(windowsWord('Look at "x" & y,\r\n100 %PATH%\n')).toBe("Look at 'x' & y, 100 \uff05PATH\uff05 ");
    expect(windowsWord('--model=a&calc|b')).toBe('--model=a calc b');
    expect(windowsWord('--resume')).toBe('--resume');
  });
});
