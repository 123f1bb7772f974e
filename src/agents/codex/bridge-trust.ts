import { createHash } from 'node:crypto';
import type { FoundHook } from '../shared/connect/hook-settings';

/** Codex's record of one hook, in `[hooks.state."<file>:<event>:<group>:<hook>"]` of `config.toml`. */
interface HookState {
  readonly trustedHash: string | null;
  readonly enabled: boolean;
}

export interface CodexConfig {
  /** States by `<file>:<event>:<group>:<hook>`. */
  readonly states: ReadonlyMap<string, HookState>;
  /** `features.hooks` is `false`. */
  readonly hooksOff: boolean;
}

const HEADER = /^\s*\[((?:[^\]"']|"(?:[^"\\]|\\.)*"|'[^']*')+)\]{1,2}\s*(?:#|$)/;
const PAIR = /^\s*([\w.-]+)\s*=\s*(.*)$/;
const STATE = /^hooks\.state\.(?:"((?:[^"\\]|\\.)*)"|'([^']*)')$/;
const TEXT = /^(?:"([^"\\]*)"|'([^']*)')/;

/**
 * Reads the few settings that matter here from `config.toml`, in the form that Codex itself writes: tables with one value per line. Everything else
 * in the file is ignored. Never throws.
 */
export function readCodexConfig(toml: string): CodexConfig {
  const states = new Map<string, HookState>();
  let table = '';
  let hooksOff = false;
  for (const line of toml.split(/\r?\n/)) {
    const header = HEADER.exec(line)?.[1];
    if (header !== undefined) {
      table = header.trim();
      continue;
    }
    const [, key = '', value = ''] = PAIR.exec(line) ?? [];
    const isOff = /^false\b/.test(value);
    const path = table === '' ? key : `${table}.${key}`;
    if (path === 'features.hooks' || path === 'features.codex_hooks') hooksOff = isOff;
    const name = STATE.exec(table);
    if (!name || key === '') continue;
    const id = name[2] ?? unescaped(name[1] ?? '');
    const known = states.get(id) ?? { trustedHash: null, enabled: true };
    if (key === 'enabled') states.set(id, { ...known, enabled: !isOff });
    if (key === 'trusted_hash') {
      const text = TEXT.exec(value);
      states.set(id, { ...known, trustedHash: text?.[1] ?? text?.[2] ?? null });
    }
  }
  return { states, hooksOff };
}

/** Resolves the escapes that occur in paths in a quoted TOML string. */
function unescaped(text: string): string {
  return text.replaceAll(/\\(["\\])/g, '$1');
}

/** `trusted`: all of them run. `disabled`: the user switched one off. */
export type CodexTrust = 'trusted' | 'not_trusted' | 'disabled';

/**
 * Returns whether the user trusted these hooks as they are now. Codex silently skips all others.
 *
 * @param files paths by which Codex may name the file that contains them.
 */
export function trustOf(config: CodexConfig, files: readonly string[], hooks: readonly FoundHook[]): CodexTrust {
  let trust: CodexTrust = 'trusted';
  for (const hook of hooks) {
    const place = `${snakeCase(hook.event)}:${hook.groupIndex}:${hook.index}`;
    const state = files.map((file) => config.states.get(`${file}:${place}`)).find((one) => one !== undefined);
    if (state && !state.enabled) return 'disabled';
    if (state?.trustedHash !== hookHash(hook)) trust = 'not_trusted';
  }
  return trust;
}

/** Returns the hash by which Codex 0.169 identifies a hook: of its event, matcher and settings as JSON with sorted keys. */
export function hookHash({ event, group, command }: FoundHook): string {
  const matcher = event === 'Stop' || event === 'UserPromptSubmit' ? undefined : group['matcher'];
  const identity = {
    event_name: snakeCase(event),
    hooks: [
      {
        async: command['async'] ?? false,
        command: command['command'],
        ...(command['statusMessage'] === undefined ? {} : { statusMessage: command['statusMessage'] }),
        timeout: command['timeout'] ?? 600,
        type: 'command',
      },
    ],
    ...(matcher === undefined ? {} : { matcher }),
  };
  return `sha256:${createHash('sha256').update(JSON.stringify(identity)).digest('hex')}`;
}

/** Converts `PreToolUse` to `pre_tool_use`. */
function snakeCase(event: string): string {
  return event.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}
