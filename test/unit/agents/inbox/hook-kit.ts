import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildSync } from 'esbuild';
import { installHook, recordRoot } from '../../../../src/agents/inbox';

const source = resolve(__dirname, '../../../../src/agents');
let bundle: string | undefined;

/** The hook's bundle as the package contains it, built once per test file. */
export function hookBundle(): string {
  bundle ??= buildSync({
    entryPoints: [join(source, 'hook.ts')],
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    write: false,
  }).outputFiles[0]?.text;
  return bundle ?? '';
}

export const hookScript = readFileSync(join(source, 'hook.sh'), 'utf8');

/** A folder that is removed after the test. Its name contains a blank and a quote, as a person's may. */
export function scratch(): { path: string; remove: () => void } {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "unstuck it's ")));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

export interface Stage {
  readonly hook: string;
  readonly project: string;
  readonly session: string;
}

export const SESSION = '11111111-0000-4000-8000-0000000000af';

/** A hook as Connect installs it, and a project folder whose inbox it looks into. */
export async function stage(base: string): Promise<Stage> {
  const hook = join(base, 'global storage', 'hook');
  const project = join(base, 'project');
  mkdirSync(project, { recursive: true });
  await installHook(hook, { script: hookScript, bundle: hookBundle(), runtimes: [process.execPath] });
  await recordRoot(hook, project);
  return { hook, project, session: SESSION };
}

export interface Answer {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CallOptions {
  readonly env?: Record<string, string>;
  readonly payload?: object;
  readonly raw?: string;
  readonly shell?: string;
  readonly cwd?: string;
}

/** The recorded form of each event's payload (Claude Code 2.1.329), for this project and session; `sub`: as a sub-agent of it calls. */
export function payload(at: Stage, event: string, more: object = {}, sub?: string): object {
  const base = {
    session_id: at.session,
    transcript_path: `/home/dev/.claude/projects/-home-dev-project/${at.session}.jsonl`,
    cwd: at.project,
    hook_event_name: event,
  };
  const turn = {
    prompt_id: '24ae10b1-2be9-4749-b07c-d37a73cbce2e',
    permission_mode: 'default',
    ...(sub !== undefined && { agent_id: sub, agent_type: 'general-purpose' }),
    effort: { level: 'medium' },
  };
  const call = { tool_name: 'Bash', tool_input: { command: 'echo s0', description: 'run' }, tool_use_id: 'toolu_01' };
  switch (event) {
    case 'SessionStart':
      return { ...base, source: 'startup', ...more };
    case 'UserPromptSubmit':
      return { ...base, prompt_id: turn.prompt_id, permission_mode: 'default', prompt: 'Do the work.', ...more };
    case 'PreToolUse':
      return { ...base, ...turn, ...call, ...more };
    case 'PostToolBatch':
      return { ...base, ...turn, tool_calls: [{ ...call, tool_response: 's0' }], ...more };
    case 'Stop':
      return {
        ...base,
        ...turn,
        stop_hook_active: false,
        last_assistant_message: 'I am finished.',
        background_tasks: [],
        session_crons: [],
        ...more,
      };
    case 'FileChanged':
      return { ...base, file_path: join(at.project, '.unstuck/inbox', at.session, 'wake'), event: 'change', ...more };
    default:
      return { ...base, ...more };
  }
}

function environment(at: Stage, more: Record<string, string> = {}): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    CLAUDE_PROJECT_DIR: at.project,
    CLAUDE_CODE_SESSION_ID: at.session,
    CLAUDE_CODE_ENTRYPOINT: 'sdk-cli',
    ...more,
  };
}

/** Calls the installed hook once, as the agent does, and waits for it. */
export function callHook(at: Stage, event: string, options: CallOptions = {}): Answer {
  const done = spawnSync(options.shell ?? 'sh', [join(at.hook, 'hook.sh'), 'claude-code', event], {
    cwd: options.cwd ?? at.project,
    env: environment(at, options.env),
    input: options.raw ?? JSON.stringify(options.payload ?? payload(at, event)),
    encoding: 'utf8',
  });
  return { code: done.status, stdout: done.stdout, stderr: done.stderr };
}

/** The same without waiting, so that several run at once. */
export function callHookLater(at: Stage, event: string, options: CallOptions = {}): Promise<Answer> {
  return new Promise((settle, fail) => {
    const child = spawn('sh', [join(at.hook, 'hook.sh'), 'claude-code', event], {
      cwd: at.project,
      env: environment(at, options.env),
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (part: Buffer) => void (stdout += part.toString()));
    child.stderr.on('data', (part: Buffer) => void (stderr += part.toString()));
    child.on('error', fail);
    child.on('close', (code) => settle({ code, stdout, stderr }));
    child.stdin.end(options.raw ?? JSON.stringify(options.payload ?? payload(at, event)));
  });
}

/** Names in a folder of the session's inbox. */
export function filesIn(at: Stage, folder: 'new' | 'cur', session: string = at.session): string[] {
  try {
    return readdirSync(join(at.project, '.unstuck/inbox', session, folder)).sort();
  } catch {
    return [];
  }
}

export function hookLog(at: Stage): string {
  try {
    return readFileSync(join(at.hook, 'hook.log'), 'utf8');
  } catch {
    return '';
  }
}
