import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hookHash, readCodexConfig, trustOf } from '../../../../src/agents/codex/bridge-trust';
import { hooksOf } from '../../../../src/agents/shared/connect/hook-settings';

/** A `hooks.json`, and what `hooks/list` of Codex 0.169.0 reported about it. */
const HOOKS = String.raw`{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"[ -r '/home/dev/storage/hook/hook.sh' ] && exec sh '/home/dev/storage/hook/hook.sh' codex PreToolUse; cat >/dev/null # unstuck","timeout":5}]}],"Stop":[{"matcher":"x","hooks":[{"type":"command","command":"say done"},{"type":"command","command":"[ -r '/home/dev/storage/hook/hook.sh' ] && exec sh '/home/dev/storage/hook/hook.sh' codex Stop; cat >/dev/null # unstuck","timeout":5}]}],"PostToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"say \"é < > & \\\\\" # unstuck","statusMessage":"Saying","timeout":7}]}]}}`;
const FILE = '/home/dev/.codex/hooks.json';
const LISTED = {
  'pre_tool_use:0:0': 'sha256:078f6e0f09ab5be450075c3c520220079eab181b32059e85bffce2e9b8c8219a',
  'post_tool_use:0:0': 'sha256:a594e6490f09525da7c8104e2a64a662c298f90d1f79152c489724da749d937e',
  'stop:0:0': 'sha256:db6d1036b16c90c1bf11c92a851449cc3aa08ead98a7a29a5667e36c0b8f8d6b',
  'stop:0:1': 'sha256:ee6072f1160fc2814fb7622223518277f3424a3046322207f6d98c5a08acf343',
};

const hooks = hooksOf(HOOKS) ?? [];
const trusted = Object.entries(LISTED).map(
  ([place, hash]) => `[hooks.state."${FILE}:${place}"]\ntrusted_hash = "${hash}"\n`,
);

describe('the trust of Codex', () => {
  it('identifies each hook by the hash that Codex itself gives it', () => {
    expect(hooks.map(hookHash).sort()).toEqual(Object.values(LISTED).sort());
  });

  it('counts if each hook is trusted as it is now, in its present place', () => {
    const config = readCodexConfig(trusted.join('\n'));
    expect(trustOf(config, [FILE], hooks)).toBe('trusted');
    expect(trustOf(config, ['/elsewhere/hooks.json', FILE], hooks)).toBe('trusted');
    expect(trustOf(config, ['/elsewhere/hooks.json'], hooks)).toBe('not_trusted');
    expect(trustOf(readCodexConfig(trusted.slice(1).join('\n')), [FILE], hooks)).toBe('not_trusted');
    expect(trustOf(readCodexConfig(''), [FILE], hooks)).toBe('not_trusted');
  });

  it('is read from the tables as Codex writes them, among others, with other quotes and Windows line breaks', () => {
    const toml = [
      'model = "gpt-5.5" # [hooks.state."x"]',
      "[hooks.state.'C:\\dev\\hooks.json:stop:0:0'] # mine",
      "trusted_hash = 'sha256:1'",
      'enabled = false',
      String.raw`[hooks.state."C:\\a \"b\"\\hooks.json:stop:0:0"]`,
      'trusted_hash = "sha256:2"',
      '[[profiles]]',
      'trusted_hash = "sha256:3"',
      '[features]',
      'hooks = true',
    ].join('\r\n');
    const { states, hooksOff } = readCodexConfig(toml);
    expect([...states]).toEqual([
      ['C:\\dev\\hooks.json:stop:0:0', { trustedHash: 'sha256:1', enabled: false }],
      ['C:\\a "b"\\hooks.json:stop:0:0', { trustedHash: 'sha256:2', enabled: true }],
    ]);
    expect(hooksOff).toBe(false);
    expect(readCodexConfig('features.hooks = false').hooksOff).toBe(true);
  });

  it('is read without an exception, whatever the file holds', () => {
    fc.assert(fc.property(fc.string(), (text) => void readCodexConfig(`[hooks.state."a"]\n${text}`)));
  });
});
