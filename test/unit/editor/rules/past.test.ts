import { copyFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { claudeCode } from '../../../../src/agents/claude-code/adapter';
import type { Past } from '../../../../src/editor/panel-model';
import { RulesPast } from '../../../../src/editor/rules/past';
import { scanFile } from '../../../../src/engine/scan-cache';
import type { EarlierTranscript } from '../../../../src/engine/follow/discovery';
import { folder } from '../../support/folder';
import { recordingLog } from '../../support/log';

const DEMO = resolve(__dirname, '../../../../media/demo');
/** A recording of the demo, which ended at this time, milliseconds. */
function transcript(recording: string, modifiedAt: number): EarlierTranscript {
  const file = join(folder(), `${recording}-${modifiedAt}.jsonl`);
  copyFileSync(join(DEMO, `${recording}.jsonl`), file);
  return { adapter: claudeCode, file, size: statSync(file).size, modifiedAt };
}

function stage(transcripts: readonly EarlierTranscript[], followed: readonly object[] = []) {
  const log = recordingLog();
  const engine = {
    earlierTranscripts: () => Promise.resolve({ transcripts, elsewhere: [] }),
    agents: () => followed,
  };
  const past = new RulesPast({ engine, log } as never, (file, options) =>
    scanFile(file, { ...options, readSmall: () => undefined }),
  );
  const all: Past[] = [];
  const read = (since = 0, signal = new AbortController().signal) =>
    past.read('claude-code', since, signal, (one) => void all.push(one)).then(() => all.at(-1));
  return { read, all, log };
}

it('counts for each rule what each preset would have reported, and reports its progress', async () => {
  const { read, all } = stage([transcript('same-command', 1), transcript('healthy', 1)]);
  const last = await read();
  expect(all.map((one) => [one.read, one.all])).toEqual([
    [0, 2],
    [1, 2],
    [2, 2],
  ]);
  const of = (rule: Parameters<Past['of']>[0]) =>
    last?.of(rule).map(({ preset, alarms, stuck }) => [preset, alarms, stuck]);
  const counts = of('repeating_action');
  expect(counts?.map(([preset]) => preset)).toEqual(['eager', 'balanced', 'patient']);
  expect(counts?.[1]?.[1]).toBeGreaterThan(0);
  // A more patient preset never reports more.
  expect(Number(counts?.[0]?.[1])).toBeGreaterThanOrEqual(Number(counts?.[1]?.[1]));
  expect(Number(counts?.[1]?.[1])).toBeGreaterThanOrEqual(Number(counts?.[2]?.[1]));
  expect(of('text_loop')).toEqual([
    ['eager', 0, 0],
    ['balanced', 0, 0],
    ['patient', 0, 0],
  ]);
});

it('reads only sessions of the requested days, and those that are followed now', async () => {
  const old = transcript('same-command', 1);
  const now = transcript('healthy', 5_000);
  const views = [
    { agent: 'claude-code', file: now.file },
    { agent: 'codex', file: old.file },
  ];
  const { read, all } = stage([old], views);
  await read(4_000);
  expect(all.at(-1)?.all).toBe(1);
});

it('counts what was raised in the requested days, although its transcript began earlier', async () => {
  const counted = async (since: number) => {
    const { read } = stage([transcript('same-command', Number.MAX_SAFE_INTEGER)]);
    const rule = (await read(since))?.of('repeating_action').find(({ preset }) => preset === 'balanced');
    return [rule?.alarms, rule?.stuck];
  };
  expect(await counted(0)).toEqual([1, 1]);
  expect(await counted(Number.MAX_SAFE_INTEGER)).toEqual([0, 0]);
});

it('reads no other agents and no transcripts that are too large, and each transcript once', async () => {
  const one = transcript('healthy', 1);
  const other = { ...transcript('same-command', 1), adapter: { ...claudeCode, id: 'codex' as const } };
  const large = { ...transcript('same-command', 1), size: 1e12 };
  const views = [
    { agent: 'claude-code', file: one.file },
    { agent: 'claude-code', file: one.file },
  ];
  const { read } = stage([one, other, large], views);
  expect(await read()).toMatchObject({ read: 1, all: 1 });
});

it('ends when the page is no longer open', async () => {
  const stop = new AbortController();
  const { read, all } = stage([transcript('same-command', 1), transcript('healthy', 1)]);
  const done = read(0, stop.signal);
  await expect.poll(() => all.length).toBeGreaterThan(0);
  stop.abort();
  await done;
  expect(all.length).toBeLessThan(3);
});

it('skips what cannot be read, and logs it', async () => {
  const gone = { ...transcript('healthy', 1), file: join(folder(), 'gone.jsonl') };
  const { read, log } = stage([gone]);
  expect(await read()).toMatchObject({ read: 1, all: 1 });
  expect(log.lines.join()).toContain('gone.jsonl could not be read for the page of rules');
});
