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
 * Reads the little that matters here of `config.toml`, in the form that Codex itself writes: tables with one value a line. What else stands
 * there is passed over. Never throws.
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

/** The escapes of a TOML string in quotes that occur in paths. */
function unescaped(text: string): string {
  return text.replaceAll(/\\(["\\])/g, '$1');
}

/** `trusted`: all of them run. `disabled`: the user switched one off. */
export type CodexTrust = 'trusted' | 'not_trusted' | 'disabled';

/**
 * Did the user trust these hooks as they are now? Codex passes over all others without a word.
 *
 * @param files paths by which Codex may name the file that they stand in.
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

/** The hash by which Codex 0.169 knows a hook: of its event, matcher and settings as JSON with sorted keys. */
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

/** `PreToolUse` → `pre_tool_use`. */
function snakeCase(event: string): string {
  return event.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}
