import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { registry } from '../../../src/agents/registry';
import { recognise } from '../../../src/engine/follow/recognise';
import { transcriptsBelow } from './support';

const golden = join(__dirname, '../../golden/fixtures');
const OWNERS: Readonly<Record<string, string>> = {
  'claude-code': 'claude-code',
  codex: 'codex',
  gemini: 'gemini-cli',
  'gemini-cli': 'gemini-cli',
  'gemini-cli-native': 'gemini-cli',
  copilot: 'copilot-cli',
  opencode: 'opencode',
  qwen: 'qwen-code',
  pi: 'pi',
  aider: 'aider',
  'openhands-sdk': 'openhands',
  'swe-agent': 'swe-agent',
  'mini-swe-agent': 'mini-swe-agent',
  'harbor-viewer': 'atif',
  antigravity: 'antigravity',
  cline: 'cline',
  kimi: 'kimi',
  cursor: 'cursor',
  droid: 'droid',
  continue: 'continue',
  'grok-build': 'grok-build',
  'mistral-vibe': 'mistral-vibe',
};

const ownerOf = (file: string): string | undefined =>
  recognise(registry, readFileSync(file, 'utf8').slice(0, 65_536), file)?.id;

/** Requests and their answers that were recorded besides the transcripts. */
const NO_TRANSCRIPT =
  /flush-timing|hook-payloads|session-registry|README|^(?:context|session|(?:\w+\.)?state)\.jsonl?$|^small\.md$|^stream_json_|settings\.json$|\.meta\.json$|\.rows\.jsonl$/;

describe('the agent of a transcript', () => {
  for (const [folder, owner] of Object.entries(OWNERS)) {
    it(`is recognised by its head: ${folder}`, () => {
      const files = [
        ...(readdirSync(golden).includes(folder)
          ? readdirSync(join(golden, folder), { recursive: true, encoding: 'utf8' })
              .filter((name) => name.endsWith('.jsonl'))
              .map((name) => join(golden, folder, name))
          : []),
        ...transcriptsBelow('.jsonl', folder),
        ...transcriptsBelow('.jsonl', 'public', folder),
        ...['.json', '.traj', '.log', '.md'].flatMap((ending) => transcriptsBelow(ending, 'public', folder)),
        ...transcriptsBelow('.json', 'public', 'fixtures-many-agents', folder),
        ...transcriptsBelow('.jsonl', 'public', 'fixtures-many-agents', 'jazzyalex-agent-sessions', folder),
      ].filter((file) => !NO_TRANSCRIPT.test(basename(file)));
      for (const file of files) expect(ownerOf(file), file).toBe(owner);
    });
  }
});
