import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { claudeCode } from '../../../../src/agents/claude-code/adapter';
import { decodeFile } from '../../../golden/support';
import { shared } from '../../support/shared';

function transcriptsBelow(...parts: string[]): readonly string[] {
  const folder = shared('transcripts', ...parts);
  if (folder === undefined) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.jsonl'))
    .sort()
    .map((file) => join(folder, file));
}

const NOT_TRANSCRIPTS =
  /^(?:flush-timing-\w|hook-payloads|session-registry-status-changes|duplicate-assistant-response-2)\.jsonl$/;
/** Files made up by the authors of a viewer, with records that Claude Code does not write. */
const INVENTED: Readonly<Record<string, readonly string[]>> = {
  'schema_drift.jsonl': ['unknown type "tool_use"', 'unknown type "tool_result"'],
  'small.jsonl': ['result without the id of a call'],
};
const own = transcriptsBelow('claude-code').filter((file) => !NOT_TRANSCRIPTS.test(basename(file)));
const real = transcriptsBelow('public', 'claude-code');
const fixtures = [
  ...transcriptsBelow('public', 'fixtures-many-agents', 'claude-code-happy'),
  ...transcriptsBelow('public', 'fixtures-many-agents', 'jazzyalex-agent-sessions', 'claude'),
].filter((file) => !NOT_TRANSCRIPTS.test(basename(file)));

describe.skipIf(own.length === 0)('every collected Claude Code transcript', () => {
  it('is understood to the last line, and each call in its bytes is seen', async () => {
    const rows: string[] = [];
    for (const file of [...own, ...real, ...fixtures]) {
      const { events, problems, lines, marked } = await decodeFile(claudeCode, file);
      const count = (type: string): number => events.filter((event) => event.type === type).length;
      const calls = count('tool_call');
      const name = basename(file, '.jsonl').slice(0, 44).padEnd(44);
      rows.push(
        `${name} ${[lines, events.length, calls, marked, count('tool_result'), problems.length].map((n) => String(n).padStart(6)).join('')}`,
      );

      expect(
        problems.map((problem) => problem.why),
        file,
      ).toEqual(INVENTED[basename(file)] ?? []);
      // A call in a form that the decoder does not know must show as a difference.
      expect(marked - calls, `calls of ${file} that were missed`).toBe(basename(file) === 'schema_drift.jsonl' ? 1 : 0);
      expect(claudeCode.recognises(head(file), file), file).toBe('yes');
    }
    console.log(['transcript'.padEnd(44) + '  lines events calls marked results problems', ...rows].join('\n'));
  });

  it('has each result paired with an earlier call, once', async () => {
    for (const file of [...own, ...real]) {
      const { events } = await decodeFile(claudeCode, file);
      const open = new Set<string>();
      for (const event of events) {
        if (event.type === 'tool_call') open.add(event.id);
        if (event.type !== 'tool_result') continue;
        expect(open.delete(event.id), `${event.id} in line ${event.source.line} of ${file}`).toBe(true);
      }
    }
  });

  it('is distinguished from other files', () => {
    for (const name of ['flush-timing-a.jsonl', 'hook-payloads.jsonl', 'session-registry-status-changes.jsonl']) {
      const file = shared('transcripts', 'claude-code', name);
      if (file) expect(claudeCode.recognises(head(file), file), name).toBe('no');
    }
  });
});

function head(file: string): string {
  return readFileSync(file, 'utf8').slice(0, 65_536);
}
