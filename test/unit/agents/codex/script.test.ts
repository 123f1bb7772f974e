import { describe, expect, it } from 'vitest';
import { innerCalls } from '../../../../src/agents/codex/script';

describe('the tools that a code-mode script calls', () => {
  it('are read with literal arguments in any of JavaScript’s spellings', () => {
    expect(innerCalls('text(await tools.exec_command({cmd: "npm test", yield_time_ms: 1_0}))')).toEqual([
      { name: 'exec_command', args: { cmd: 'npm test', yield_time_ms: 10 } },
    ]);
    expect(
      innerCalls('const r = await tools.exec_command({"cmd":\'ls -a\', login: false, list: [1, -2.5, null,],});'),
    ).toEqual([{ name: 'exec_command', args: { cmd: 'ls -a', login: false, list: [1, -2.5, null] } }]);
    expect(innerCalls('tools.exec_command({cmd: "a\\n\\u0041\\x42" + `c`})')).toEqual([
      { name: 'exec_command', args: { cmd: 'a\nABc' } },
    ]);
  });

  it('are read with a constant that is written out above', () => {
    const script =
      'const patch = String.raw`*** Begin Patch\n+\\n\n*** End Patch`;\nconst r = await tools.apply_patch(patch);';
    expect(innerCalls(script)).toEqual([{ name: 'apply_patch', args: '*** Begin Patch\n+\\n\n*** End Patch' }]);
    expect(innerCalls('const cmd = "npm test";\nawait tools.exec_command({ cmd })')).toEqual([
      { name: 'exec_command', args: { cmd: 'npm test' } },
    ]);
  });

  it('are read with computed arguments marked as such', () => {
    const script =
      'for (const f of files) await tools.exec_command({cmd: `cat ${f}`}); tools.view_image({path: p.join("a")})';
    expect(innerCalls(script)).toEqual([
      { name: 'exec_command', args: undefined },
      { name: 'view_image', args: undefined },
    ]);
  });

  it('are not confused by strings, comments and regular expressions', () => {
    const script = `// tools.a({})
      /* tools.b({}) */ text("tools.c({})"); const x = s.match(/["'\`] tools.d(/);
      mytools.e({}); my.tools.f({}); await tools . g ( ) ;`;
    expect(innerCalls(script)).toEqual([{ name: 'g', args: {} }]);
  });

  it('are read as far as possible in a script that was cut off', () => {
    expect(innerCalls('text(await tools.exec_command({cmd: "ls"')).toEqual([{ name: 'exec_command', args: undefined }]);
    expect(innerCalls('await tools.exec_command({cmd: "ls')).toEqual([{ name: 'exec_command', args: undefined }]);
  });

  it('are subject to limits', () => {
    expect(innerCalls('tools.a({});'.repeat(1000))).toHaveLength(30);
    expect(innerCalls(`tools.a(${'['.repeat(5000)}`)).toEqual([{ name: 'a', args: undefined }]);
  });
});
