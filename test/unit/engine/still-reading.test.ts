import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { IncidentChange } from '../../../src/engine/events';
import { systemClock } from '../../../src/base/clock';
import { systemFs } from '../../../src/base/tail/file-system';
import { PATIENCE } from '../../support/patience';
import { genericLines, stage } from './support';

const HOUR = 3_600_000;

describe('a transcript of yesterday that takes a while to read', () => {
  //   call result call │ a second passes while the rest is read │ result call result … session_end
  it('was never silent: no time passes for its agent before its end was read', async () => {
    // Each alarm rings as soon as it is set, as on a machine on which a second passes between two reads.
    const clock = { ...systemClock, after: (_: number, run: () => void) => systemClock.after(0, run) };
    const { local: _local, ...slow } = systemFs;
    const fs = {
      ...slow,
      read: async (...[descriptor, into, at, length, position]: Parameters<typeof systemFs.read>) => {
        const read = await systemFs.read(descriptor, into, at, Math.min(length, 2_048), position);
        await new Promise((done) => setTimeout(done, 5));
        return read;
      },
    };
    const { engine, workspace } = stage({ clock, fs });
    const lines = genericLines('yesterday', 200, Date.now() - 9 * HOUR);
    const end = { v: 1, t: Date.now() - 9 * HOUR + 1_000, session: 'yesterday', type: 'session_end', reason: 'clean' };
    const file = join(workspace, 'yesterday.agent.jsonl');
    const changes: IncidentChange[] = [];
    engine.onDidChangeIncident((change) => changes.push(change));
    writeFileSync(file, `${[...lines, JSON.stringify(end)].join('\n')}\n`);
    engine.start();
    await vi.waitFor(() => expect(engine.agent('yesterday')?.coverage.lines).toBe(lines.length + 1), PATIENCE);
    expect(changes.map(({ incident }) => `${incident.detector}: ${incident.why}`)).toEqual([]);
  });
});
