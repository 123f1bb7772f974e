import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { vscodeChat } from '../../../../src/agents/vscode-chat/adapter';
import { resolveOptions } from '../../../../src/detect/session/options';
import { scanFile } from '../../../../src/engine/scan-cache';
import { transcriptsBelow } from '../support';

/** `state told`: what is reported for each recorded run of the scripted model. */
const TOLD: Readonly<Record<string, readonly [state: string, ...told: readonly string[]]>> = {
  'bad-calls': ['waiting turn_end', 'validation_failure:stuck'],
  // lists the same files again after each of four compactions
  compaction: ['waiting turn_end', 'cycle:stuck'],
  'confirm-allowed-then-cancelled': ['waiting turn_end'],
  'confirm-replaced-by-message': ['waiting turn_end'],
  'confirm-skipped': ['waiting turn_end'],
  'edit-todo-test': ['waiting turn_end'],
  http429: ['waiting error', 'rate_limited:warn'],
  'http500-late': ['waiting error'],
  // the same last words twice, after a hook had not let it stop
  'loop-hooks-context-deny-stop': ['waiting turn_end', 'repeating_action:stuck', 'monologue:warn'],
  'loop-no-hooks-queue-steer': ['waiting turn_end', 'repeating_action:stuck'],
  'loop-poll-long': ['stuck', 'repeating_action:stuck'],
  parallel: ['waiting turn_end'],
  'reload-mid-turn': ['waiting turn_end'],
  subagent: ['waiting turn_end'],
  'text-only-turn': ['waiting turn_end'],
  'two-sessions-steer-one': ['waiting turn_end'],
};

const transcripts = transcriptsBelow('.jsonl', 'vscode-chat').filter((file) => dirname(file).endsWith('/transcripts'));
const nameOf = (file: string) => basename(dirname(dirname(dirname(file))));
const scan = (file: string) =>
  scanFile(file, {
    adapter: vscodeChat,
    detectors: () => resolveOptions({ preset: 'balanced', detectors: {} }),
    readSmall: () => undefined,
  });

describe.skipIf(transcripts.length === 0)('every collected session of the chat agent', () => {
  it.each(transcripts.map((file) => ({ name: nameOf(file), file })))(
    '$name: state, loops, and every step',
    async ({ name, file }) => {
      expect(vscodeChat.recognises(readFileSync(file, 'utf8').slice(0, 65_536), file)).toBe('yes');
      const { sessions, orphans } = await scan(file);
      const [main, ...subAgents] = sessions;
      const state = [main?.state.kind, main?.state.ended ?? main?.state.waitingFor].filter(Boolean).join(' ');
      expect([state, ...(main?.incidents ?? []).map(({ detector, level }) => `${detector}:${level}`)]).toEqual(
        TOLD[name],
      );
      expect([...(main?.skipped ?? []), ...orphans]).toEqual([]);
      expect(main?.seen).toBe(main?.callMarkers);
      expect(subAgents.map(({ incidents, actions }) => [incidents.length, actions])).toEqual(
        name === 'subagent' ? [[0, 3]] : [],
      );
    },
  );

  it('is there as its notes list it', () => {
    expect(transcripts.map(nameOf).sort()).toEqual(Object.keys(TOLD).sort());
  });
});
