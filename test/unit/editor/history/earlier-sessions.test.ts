import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { claudeCode } from '../../../../src/agents/claude-code/adapter';
import { resolveOptions } from '../../../../src/detect/session/options';
import { scanFile } from '../../../../src/engine/scan-cache';
import type { EarlierTranscript } from '../../../../src/engine/follow/discovery';
import type { Incident } from '../../../../src/core/model';
import { EarlierSessions } from '../../../../src/editor/history/history';
import { folder } from '../../support/folder';
import { recordingLog } from '../../support/log';
import { memento } from '../support/memento';

const DEMO = resolve(__dirname, '../../../../media/demo');
const MB = 1024 * 1024;

/** A transcript that ended this many days ago: `same-command` is stuck, `healthy` is not. The last of its 48 lines are missing, as after a kill. */
function transcript(in_: string, recording: 'same-command' | 'healthy', daysAgo = 3, kept = 40): EarlierTranscript {
  const file = join(in_, `${recording}-${daysAgo}.jsonl`);
  const lines = readFileSync(join(DEMO, `${recording}.jsonl`), 'utf8')
    .split('\n')
    .slice(0, kept);
  writeFileSync(file, `${lines.join('\n')}\n`);
  return { adapter: claudeCode, file, size: statSync(file).size, modifiedAt: -daysAgo };
}

/** A window that starts on a folder with earlier sessions. `kept` is what the editor remembers from earlier windows. */
function stage(
  transcripts: readonly EarlierTranscript[] | (() => readonly EarlierTranscript[]),
  kept = new Map<string, unknown>(),
) {
  const saved: Incident[] = [];
  const log = recordingLog();
  const asked: { isKnown: (file: { path: string; size: number; modifiedAt: number }) => boolean; most: number }[] = [];
  let elsewhere: readonly { path: string; size: number; modifiedAt: number }[] = [];
  let folders = ['/work/calc'];
  const earlier = new EarlierSessions(
    {
      engine: {
        earlierTranscripts: (isKnown: (typeof asked)[number]['isKnown'], most: number) => {
          asked.push({ isKnown, most });
          return Promise.resolve({
            transcripts: typeof transcripts === 'function' ? transcripts() : transcripts,
            elsewhere,
          });
        },
      },
      context: { workspaceState: memento(kept).memory },
      store: {
        sawSession: () => {},
        appendEvent: () => Promise.resolve(),
        save: (incident: Incident) => Promise.resolve(void saved.push(incident)),
      },
      folders: () => folders,
      log,
    } as never,
    (agent) => resolveOptions({ preset: 'balanced', detectors: {} }, agent),
    (file, options) => scanFile(file, { ...options, readSmall: () => undefined }),
  );
  let told = 0;
  earlier.onDidRead(() => told++);
  return {
    earlier,
    saved,
    log,
    asked,
    told: () => told,
    foundElsewhere: (...files: { path: string; size: number; modifiedAt: number }[]) => void (elsewhere = files),
    opens: (...other: string[]) => void (folders = other),
  };
}

describe('the sessions of a folder that ended before its window opened', () => {
  it('have their incidents in the history, which are over by now and never notify', async () => {
    const path = folder();
    const { earlier, saved, told } = stage([transcript(path, 'same-command'), transcript(path, 'healthy')]);
    await earlier.run();
    expect([earlier.read, earlier.withIncidents, told()]).toEqual([2, 1, 1]);
    expect(saved).toMatchObject([{ history: true, state: 'ended', cleared: 'session_end', level: 'stuck' }]);
    expect(saved[0]?.resolvedAt).toBe(saved[0]?.updatedAt);
  });

  it('keep what their own end says about an incident', async () => {
    const { earlier, saved } = stage([transcript(folder(), 'same-command', 3, 48)]);
    await earlier.run();
    expect(saved).toMatchObject([{ history: true, state: 'unknown' }]);
  });

  it('are read once, whichever window comes next', async () => {
    const path = folder();
    const kept = new Map<string, unknown>();
    const all = [transcript(path, 'same-command')];
    await stage(all, kept).earlier.run();
    const second = stage(all, kept);
    await second.earlier.run();
    expect([second.earlier.read, second.saved, second.told()]).toEqual([0, [], 0]);
    const [first] = all as [EarlierTranscript];
    expect(second.asked[0]?.isKnown({ ...first, path: first.file })).toBe(true);
  });

  it('are read again if they were written to since', async () => {
    const path = folder();
    const kept = new Map<string, unknown>();
    const one = transcript(path, 'healthy');
    await stage([one], kept).earlier.run();
    const grown = stage([{ ...one, size: one.size + 1 }], kept);
    await grown.earlier.run();
    expect(grown.earlier.read).toBe(1);
  });

  it('are read newest first, without those that are too large', async () => {
    const path = folder();
    const old = { ...transcript(path, 'same-command', 9), modifiedAt: 1 };
    const fresh = { ...transcript(path, 'same-command', 2), modifiedAt: 2 };
    const large = { ...transcript(path, 'same-command', 1), modifiedAt: 3, size: 64 * MB + 1 };
    const { earlier, saved } = stage([old, large, fresh]);
    await earlier.run();
    expect(earlier.read).toBe(2);
    expect([...new Set(saved.map(({ file }) => file))]).toEqual([fresh.file, old.file]);
  });

  it('are the newest sixty, and the next window does not continue with older ones', async () => {
    const path = folder();
    const kept = new Map<string, unknown>();
    const all = Array.from({ length: 62 }, (_, i) => ({ ...transcript(path, 'healthy', i, 1), modifiedAt: 100 - i }));
    const first = stage(all, kept);
    await first.earlier.run();
    const second = stage([], kept);
    await second.earlier.run();
    const isKnown = (one: EarlierTranscript) => second.asked[0]?.isKnown({ ...one, path: one.file });
    expect([first.earlier.read, all.filter((one) => isKnown(one) === true).length]).toEqual([60, 62]);
    // One that was written to since is new, and other folders have their own past.
    expect(isKnown({ ...transcript(path, 'healthy', 99, 1), modifiedAt: 101 })).toBe(false);
    const other = stage([], kept);
    other.opens('/work/other');
    await other.earlier.run();
    expect(other.asked[0]?.isKnown({ path: '/t/old', size: 1, modifiedAt: 1 })).toBe(false);
  });

  // 62 of this folder │ 1 of another, older: its head was read too
  it('are skipped beyond the sixty, even if the older ones belong to another folder', async () => {
    const path = folder();
    const kept = new Map<string, unknown>();
    const all = Array.from({ length: 62 }, (_, i) => ({ ...transcript(path, 'healthy', i, 1), modifiedAt: 100 - i }));
    const first = stage(all, kept);
    first.foundElsewhere({ path: '/home/me/.codex/x.jsonl', size: 7, modifiedAt: 1 });
    await first.earlier.run();
    const second = stage([], kept);
    await second.earlier.run();
    const left = all.slice(60).map((one) => second.asked[0]?.isKnown({ ...one, path: one.file }));
    expect([first.earlier.read, left]).toEqual([60, [true, true]]);
  });

  it('are logged if they cannot be read, and the next window tries them again', async () => {
    const path = folder();
    const kept = new Map<string, unknown>();
    const gone = { ...transcript(path, 'healthy'), file: join(path, 'gone.jsonl') };
    const { earlier, log, told } = stage([gone, transcript(path, 'same-command')], kept);
    await earlier.run();
    expect([earlier.read, told()]).toEqual([1, 1]);
    expect(log.lines.map((line) => line.startsWith(`warn: ${gone.file} could not be read for the history: `))).toEqual([
      true,
    ]);
    const second = stage([gone], kept);
    await second.earlier.run();
    expect(second.log.lines).toHaveLength(1);
  });

  it('are skipped once the window closes', async () => {
    const path = folder();
    const { earlier, saved, told } = stage([transcript(path, 'same-command')]);
    earlier.dispose();
    await earlier.run();
    expect([saved, earlier.read, told()]).toEqual([[], 0, 0]);
  });

  it('are not read again by the next window if this one closed in between', async () => {
    const path = folder();
    const kept = new Map<string, unknown>();
    const [one, two] = [transcript(path, 'same-command'), transcript(path, 'healthy')];
    let round = 0;
    const first = stage(() => {
      round++;
      if (round === 2) first.earlier.dispose();
      return round === 1 ? [one] : [one, two];
    }, kept);
    await first.earlier.run();
    const second = stage([one, two], kept);
    await second.earlier.run();
    expect([first.earlier.read, second.earlier.read]).toEqual([1, 1]);
  });

  it('in a database are distinguished by session and modification time, because its size says little', async () => {
    const path = folder();
    const kept = new Map<string, unknown>();
    const one = { ...transcript(path, 'healthy'), sessions: new Set(['none of these']) };
    await stage([one], kept).earlier.run();
    const same = stage([{ ...one, size: one.size + 1 }], kept);
    await same.earlier.run();
    const changed = stage([{ ...one, modifiedAt: one.modifiedAt + 1 }], kept);
    await changed.earlier.run();
    expect([same.earlier.read, changed.earlier.read]).toEqual([0, 1]);
  });
});

describe('transcripts that turned out to belong to other folders', () => {
  const file = { path: '/home/me/.codex/x.jsonl', size: 7, modifiedAt: 1 };

  it('are not opened again until other folders are open', async () => {
    const kept = new Map<string, unknown>();
    const first = stage([], kept);
    first.foundElsewhere(file);
    await first.earlier.run();
    expect([first.asked[0]?.isKnown(file), first.asked[0]?.most, first.told()]).toEqual([true, 100, 1]);
    const second = stage([], kept);
    await second.earlier.run();
    expect(second.asked[0]?.isKnown(file)).toBe(true);
    expect(second.asked[0]?.isKnown({ ...file, size: 8 })).toBe(false);
    expect(second.told()).toBe(0);
    const other = stage([], kept);
    other.opens('/work/other');
    await other.earlier.run();
    expect(other.asked[0]?.isKnown(file)).toBe(false);
  });

  it('are forgotten beyond 20,000, oldest first', async () => {
    const kept = new Map<string, unknown>();
    const first = stage([], kept);
    first.foundElsewhere(...Array.from({ length: 20_001 }, (_, i) => ({ path: `/t/${i}`, size: i, modifiedAt: i })));
    await first.earlier.run();
    expect((kept.get('unstuck.lookedAt') as readonly string[]).length).toBe(20_000);
    const second = stage([], kept);
    await second.earlier.run();
    const known = [0, 1, 20_000].map((i) => second.asked[0]?.isKnown({ path: `/t/${i}`, size: i, modifiedAt: i }));
    expect(known).toEqual([false, true, true]);
  });
});
