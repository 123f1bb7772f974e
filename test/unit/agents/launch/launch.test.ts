import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LONGEST_PROMPT, launchModes, launchPrompt, moreThinking, planLaunch } from '../../../../src/agents/launch';
import { readLaunchSettings } from '../../../../src/agents/launch-settings';
import { AGENT_IDS } from '../../../../src/core/model';

const SESSION = '11111111-0000-4000-8000-0000000000af';
const base = {
  agent: 'claude-code',
  mode: 'resume',
  style: 'terminal',
  session: SESSION,
  prompt: 'Go on.',
  cwd: '/w',
} as const;

function plan(changes: object = {}, settings: unknown = {}) {
  const result = planLaunch({ ...base, ...changes }, readLaunchSettings(settings));
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.message}`);
  return result.value;
}

const failure = (changes: object, settings: unknown = {}) => {
  const result = planLaunch({ ...base, ...changes }, readLaunchSettings(settings));
  return result.ok ? null : result.error.code;
};

describe('the setting of the machine', () => {
  it('has no program and no argument with the character that ends a string for the system', () => {
    const given = { program: 'codex\0', args: ['--fast\0'], resume: ['resume', '{session}\0'] };
    expect(readLaunchSettings({ codex: given })).toEqual({ codex: {} });
    expect(readLaunchSettings({ codex: { program: 'codex', args: ['--fast'] } })).toEqual({
      codex: { program: 'codex', args: ['--fast'] },
    });
  });
});

describe('starting an agent again', () => {
  it('continues a session of Claude Code with another model and more thinking', () => {
    expect(plan({ model: 'opus', thinking: 'high' })).toMatchObject({
      program: 'claude',
      args: ['--resume', SESSION, '--model', 'opus', '--effort', 'high', '--', 'Go on.'],
      session: SESSION,
    });
  });

  it('knows the id of a fresh session if the agent lets it be chosen', () => {
    const fresh = plan({ mode: 'fresh', newSession: '22222222-0000-4000-8000-000000000000' });
    expect(fresh.args).toEqual(['--session-id', '22222222-0000-4000-8000-000000000000', '--', 'Go on.']);
    expect(fresh.session).toBe('22222222-0000-4000-8000-000000000000');
    expect(plan({ agent: 'codex', mode: 'fresh', newSession: SESSION }).session).toBeUndefined();
  });

  it('has the commands that were measured for the others', () => {
    const words = (agent: string, style: string, mode = 'resume') =>
      plan({ agent, style, mode, model: 'm' }).args.join(' ');
    expect(words('codex', 'piped')).toBe(`exec resume -m m --json ${SESSION} Go on.`);
    expect(words('gemini-cli', 'piped')).toBe(`--resume ${SESSION} -m m --output-format stream-json -p Go on.`);
    expect(words('opencode', 'piped', 'fork')).toBe(`run --format json --session ${SESSION} --fork -m m Go on.`);
    expect(words('opencode', 'terminal')).toBe(`run --interactive --session ${SESSION} -m m Go on.`);
    expect(words('copilot-cli', 'piped')).toBe(`--resume=${SESSION} --model m -p Go on.`);
    expect(words('qwen-code', 'terminal', 'fresh')).toBe('-m m -i Go on.');
  });

  it('says why a way does not exist', () => {
    expect(launchModes('gemini-cli', 'terminal')).toMatchObject({
      resume: null,
      fork: { code: 'no_mode' },
      fresh: null,
    });
    expect(launchModes('codex', 'piped').fork?.message).toContain('only fork a session in a terminal');
    expect(launchModes('generic', 'terminal').fresh?.code).toBe('no_template');
    expect(plan({ agent: 'gemini-cli', thinking: 'high' }).remarks).toHaveLength(1);
  });

  it('uses the words for more thinking if the agent has an option for it', () => {
    expect(moreThinking('claude-code', 'terminal')).toBe('--effort high');
    expect(moreThinking('codex', 'terminal')).toBe('-c model_reasoning_effort="high"');
    expect(moreThinking('gemini-cli', 'terminal')).toBeNull();
    expect(moreThinking('generic', 'terminal')).toBeNull();
  });

  it('takes program and further arguments from the machine settings, and whole forms for an unknown agent', () => {
    const settings = {
      codex: { program: '/opt/codex', args: ['--search'] },
      generic: { program: 'my-agent', fresh: ['--ask', '{prompt}', ['--model', '{model}']] },
      nonsense: { program: 'x' },
      'qwen-code': 'no object',
    };
    expect(plan({ agent: 'codex' }, settings)).toMatchObject({
      program: '/opt/codex',
      args: ['resume', '--search', SESSION, 'Go on.'],
    });
    expect(plan({ agent: 'generic', mode: 'fresh' }, settings).args).toEqual(['--ask', 'Go on.']);
    expect(failure({ agent: 'generic' }, settings)).toBe('no_mode');
  });

  it('refuses ids and names that a program could take for something else', () => {
    expect(failure({ session: '--dangerously-skip-permissions' })).toBe('bad_session');
    expect(failure({ session: '../../etc' })).toBe('bad_session');
    expect(failure({ session: undefined })).toBe('no_session');
    expect(failure({ model: '-c evil' })).toBe('bad_value');
    expect(failure({ prompt: ' \u0007 ' })).toBe('no_prompt');
  });

  it('passes any prompt as exactly one argument that is not an option, without control characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.constantFrom(...AGENT_IDS), (prompt, agent) => {
        const result = planLaunch({ ...base, agent, prompt });
        if (!result.ok) return;
        const count = plan({ agent }).args.length;
        expect(result.value.args).toHaveLength(count);
        const said = result.value.args.at(-1) ?? '';
        expect(said).not.toMatch(/^-|[\u0000-\u0008\u000b-\u001f\u007f]/);
        expect(said.isWellFormed()).toBe(true);
      }),
    );
  });

  it('keeps the beginning and the end of a long prompt, and no secret', () => {
    const long = launchPrompt(`begin ${'x'.repeat(50_000)} end`);
    expect(long.length).toBeLessThanOrEqual(LONGEST_PROMPT);
    expect(long).toMatch(/^begin[\s\S]*left out[\s\S]*end$/);
    // The mark at the end shows later that the agent has the message.
    const command = launchPrompt(`# Task\n${'x\n'.repeat(5_977)}[unstuck 01JDAAAAAAAAAAAAAAAAAAAAAA]`);
    expect(command.length).toBeLessThanOrEqual(LONGEST_PROMPT);
    expect(command).toMatch(/^Note: # Task[^]*\[unstuck 01JDAAAAAAAAAAAAAAAAAAAAAA\]$/);
    expect(launchPrompt('key sk-ant-REDACTED0123456789')).toContain('[redacted]');
  });
});
