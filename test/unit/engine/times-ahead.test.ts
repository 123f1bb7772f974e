import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { AgentAdapter } from '../../../src/agents/adapter';
import { claudeCode } from '../../../src/agents/claude-code/adapter';
import { generic } from '../../../src/agents/generic/adapter';
import { resolveOptions } from '../../../src/detect/session/options';
import { scanFile } from '../../../src/engine/scan-cache';
import { PATIENCE } from '../../support/patience';
import { homeFolder, stage } from './support';

const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 10, 20, 12);
const AHEAD = 'its time is more than a day ahead of the clock and of its file';
const recording = readFileSync(resolve(__dirname, '../../../media/demo/same-command.jsonl'), 'utf8');

/** Scans a file that was last written at this time, while the clock says `NOW`. */
async function scanned(adapter: AgentAdapter, text: string, writtenAt = NOW) {
  const file = join(homeFolder(), 's.agent.jsonl');
  writeFileSync(file, text);
  utimesSync(file, writtenAt / 1000, writtenAt / 1000);
  const detectors = () => resolveOptions({ preset: 'balanced', detectors: {} }, adapter.id);
  const { sessions } = await scanFile(file, { adapter, detectors, readSmall: () => undefined, clock: () => NOW });
  return sessions.map(({ skipped, whole, incidents }) => ({ skipped, lastAt: whole.lastAt, incidents }));
}

const user = (t: number) => `${JSON.stringify({ v: 1, t, session: 's', type: 'user', text: 'Go on' })}\n`;

describe('a time that is more than a day ahead', () => {
  it('is a problem of its line, which gets the time of the line before', async () => {
    const text = user(NOW - HOUR) + user(NOW + 25 * HOUR) + user(Date.UTC(2099, 0, 1));
    const problems = [
      { line: 2, why: AHEAD },
      { line: 3, why: AHEAD },
    ];
    expect(await scanned(generic, text)).toMatchObject([{ skipped: problems, lastAt: NOW - HOUR }]);
  });

  it('is at the time of its file if no line is before it', async () => {
    expect(await scanned(generic, user(Date.UTC(2099, 0, 1)), NOW - HOUR)).toMatchObject([
      { skipped: [{ line: 1, why: AHEAD }], lastAt: NOW - HOUR },
    ]);
  });

  it('is not a problem if the file is as far ahead, or if it is exactly a day', async () => {
    expect(await scanned(generic, user(NOW + 24 * HOUR))).toMatchObject([{ skipped: [], lastAt: NOW + 24 * HOUR }]);
    const later = NOW + 48 * HOUR;
    expect(await scanned(generic, user(later), later)).toMatchObject([{ skipped: [], lastAt: later }]);
  });

  it('turns no run into silence for any reader: what repeats is found, and nothing else', async () => {
    const before = await scanned(claudeCode, recording);
    const lines = recording.split('\n');
    const at = lines.findIndex((line, index) => index > 20 && line.includes('"type":"tool_result"'));
    lines[at] = (lines[at] ?? '').replace(/"timestamp":"[^"]+"/, '"timestamp":"2099-01-01T00:00:00.000Z"');
    const after = await scanned(claudeCode, lines.join('\n'));
    expect(after[0]?.skipped).toMatchObject([{ line: at + 1, why: AHEAD }]);
    const found = (sessions: typeof after) => sessions.flatMap(({ incidents }) => incidents.map((one) => one.detector));
    expect(found(after)).toEqual(found(before));
  });

  it('is reported for a followed transcript, and makes its session no newer than its file', async () => {
    const { engine, workspace } = stage();
    const file = join(workspace, 's.agent.jsonl');
    writeFileSync(file, user(Date.UTC(2099, 0, 1)));
    const writtenAt = Date.now() - HOUR;
    utimesSync(file, writtenAt / 1000, writtenAt / 1000);
    engine.start();
    await vi.waitFor(() => expect(engine.agents()).toHaveLength(1), PATIENCE);
    const [view] = engine.agents();
    expect(view?.coverage.problems).toMatchObject([{ line: 1, why: AHEAD }]);
    expect(view?.health.lastEventAt).toBeLessThanOrEqual(writtenAt + 1);
  });
});
