import { describe, expect, it } from 'vitest';
import { runFamily } from '../support/run';
import { begin, isStuck, levels, sh } from './telling';

const CHINESE = [
  '构建停止:第三步的依赖图里有环',
  '构建停止:找到两个入口',
  '链接器放弃了:符号表太大',
  '第七个模块没有导出任何内容',
  '配置里的目标平台和工具链对不上',
  '磁盘空间只剩下一半',
  '签名服务一直没有回应',
  '缓存里的版本比源码新',
];

describe('failures in which no known word names the error', () => {
  const built = (said: (n: number) => string, command: (n: number) => string = () => './build.sh') =>
    begin().times(8, (run, n) => sh(run, command(n), `开始\n处理\n${said(n)}\n结束`, 1));

  it('are named by their whole text: the same text each time is stuck', () => {
    const [alert] = runFamily(built(() => CHINESE[0] ?? '').events()).incidents;
    expect(alert?.last).toMatchObject({ detector: 'repeating_action', level: 'stuck' });
    expect(alert?.last.why).toContain('same');
  });

  it('are never reported as the same result if the text differs each time', () => {
    for (const { last } of runFamily(built((n) => CHINESE[n] ?? '').events()).incidents) {
      expect(last.why).not.toContain('same arguments and result');
      expect(last.firstSample?.text).not.toBe(last.lastSample?.text);
    }
  });

  it('with edits in between, eight different ones are a search, and eight equal ones are stuck', () => {
    const edited = (said: (n: number) => string) =>
      begin().times(8, (run, n) =>
        sh(
          run.call('edit_file', { file_path: 'src/a.ts', old_string: `x${n}`, new_string: `y${n}` }),
          './build.sh',
          `开始\n处理\n${said(n)}\n结束`,
          1,
        ),
      );
    expect(levels(edited((n) => CHINESE[n] ?? ''))).not.toContain('stuck');
    expect(levels(edited(() => CHINESE[0] ?? ''))).toContain('stuck');
  });

  it('equal texts under other arguments are one error, differing ones are not', () => {
    const step = (n: number) => `./step.sh --try ${'abcdefgh'[n]}`;
    const [same] = runFamily(built(() => CHINESE[0] ?? '', step).events()).incidents;
    expect(same?.last).toMatchObject({ detector: 'consecutive_failures', level: 'stuck' });
    expect(levels(built((n) => CHINESE[n] ?? '', step))).not.toContain('stuck');
  });

  it('an exit code alone names no error: other calls that print nothing have nothing in common', () => {
    const silent = begin().times(5, (run, n) => sh(run, `./part_${'abcde'[n]}.sh`, '', 1));
    expect(isStuck(silent)).toBe(false);
  });
});

describe('a call that says that it failed, although the record has neither code nor flag', () => {
  const tried = (output: (n: number) => string, tool = 'mcp__mail__send') =>
    begin().times(6, (run, n) => run.call(tool, { text: 'abcdef'[n] }, { output: output(n) }));

  it.each([
    'Error: spawn rg ENOENT',
    'MCP error -32000: Connection closed',
    '<tool_use_error>InputValidationError: text is too short</tool_use_error>',
    'InputValidationError: text is too short',
  ])('%s: whatever is requested, it is one error', (output) => {
    const [alert] = runFamily(tried(() => output).events()).incidents;
    expect(alert?.last).toMatchObject({ detector: 'consecutive_failures', level: 'stuck' });
  });

  it('so is a search whose program is missing', () => {
    const [alert] = runFamily(tried(() => 'Error: spawn rg ENOENT', 'grep').events()).incidents;
    expect(alert?.last).toMatchObject({ detector: 'consecutive_failures', level: 'stuck' });
  });

  it('twin: a file that begins with these words', () => {
    const read = begin().times(6, (run, n) =>
      run.call('read_file', { path: `log/${'abcdef'[n]}.txt` }, { output: 'Error: spawn rg ENOENT' }),
    );
    expect(levels(read)).toEqual([]);
  });

  it('twin: one that succeeds and mentions an error did not fail', () => {
    const said = (n: number) => `Page ${'abcdef'[n]} of the manual.\nError: spawn rg ENOENT is a missing program.`;
    expect(levels(tried(said))).toEqual([]);
  });

  it('twin: the record says that it succeeded', () => {
    const well = begin().times(5, (run, n) =>
      sh(run, `./explain.sh ${'abcde'[n]}`, `Error: part ${'abcde'[n]} explained`),
    );
    expect(levels(well)).toEqual([]);
  });
});

describe('an answer of punctuation only', () => {
  it.each(['[]', '{}', '()', '---', '', '[ ]\n'])(
    '%j says that nothing is there, however often it is requested',
    (output) => {
      const asked = begin().times(6, (run) => run.call('mcp__db__find', { name: 'total' }, { output }));
      expect(isStuck(asked)).toBe(true);
    },
  );

  it('for searches with different words is a sweep that finds nothing', () => {
    const swept = begin().times(22, (run, n) => run.call('grep', { pattern: `word${n}x` }, { output: '[]' }));
    expect(runFamily(swept.events()).incidents.map(({ name }) => name)).toEqual(['repeating_outcome/no_effect']);
  });

  it.each(['12:30:01', '[12:30:01]', '0.12s', '⠋', '⠋ 12:30:01'])('twin: %s says nothing at all', (output) => {
    const asked = begin().times(8, (run) => run.call('mcp__db__find', { name: 'total' }, { output }));
    expect(levels(asked)).toEqual([]);
  });
});

describe('the confirmation of an edit', () => {
  const REMINDER = `<system-reminder>${'The file was changed by a person or a linter; keep that in mind. '.repeat(6)}</system-reminder>`;
  const edited = (output: string) =>
    begin().times(8, (run, n) =>
      run.call('edit_file', { file_path: 'src/a.ts', old_string: `x${n}`, new_string: `y${n}` }, { output }),
    );

  it.each([
    `The file has been updated.\n${REMINDER}`,
    `The file has been updated. ${'Here is what it looks like around the change that was made. '.repeat(5)}`,
    `Successfully applied the patch. ${'The language server has nothing to say about these lines. '.repeat(5)}`,
  ])('is not a refusal, however long', (output) => expect(levels(edited(output))).toEqual([]));

  it('twin: a long explanation that nothing was done is one', () => {
    const refused = `The text that was given is not there as it was given, so nothing could be done. ${'Read it first. '.repeat(12)}`;
    expect(isStuck(edited(refused))).toBe(true);
  });
});

describe('a result below which the harness adds a reminder to the agent', () => {
  const situations = (output: string) => {
    const again = begin().times(6, (run) => run.call('bash', { command: 'pytest -q' }, { output, exitCode: 1 }));
    return runFamily(again.events()).findings.at(-1)?.situations ?? [];
  };

  it('counts like any other, and says so: another text would not help either', () => {
    const reminder = '<system-reminder>This call gave the same result before. Try something else.</system-reminder>';
    expect(situations(`1 failed: test_total\n${reminder}`)).toContain('reminded');
    expect(situations('1 failed: test_total')).not.toContain('reminded');
  });
});
