import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { IncidentChange } from '../../../src/engine/events';
import { systemClock } from '../../../src/base/clock';
import { PATIENCE } from '../../support/patience';
import { genericLines, stage } from './support';

const HOUR = 3_600_000;

describe('a transcript that is deleted while its agent works', () => {
  //   call result │ deleted │ an hour passes
  it('is not called silent: nothing can be written to it any more', async () => {
    // Alarms ring when the test says that time has passed.
    let ahead = 0;
    const alarms = new Set<() => void>();
    const clock = {
      now: () => Date.now() + ahead,
      after: (milliseconds: number, run: () => void) => {
        if (milliseconds < 1_000) return systemClock.after(milliseconds, run);
        alarms.add(run);
        return { dispose: () => void alarms.delete(run) };
      },
    };
    const { engine, workspace } = stage({ clock });
    const changes: IncidentChange[] = [];
    engine.onDidChangeIncident((change) => changes.push(change));
    const [gone, there] = ['gone', 'there'].map((name) => join(workspace, `${name}.agent.jsonl`)) as [string, string];
    writeFileSync(gone, `${genericLines('gone', 2).join('\n')}\n`);
    writeFileSync(there, `${genericLines('there', 2).join('\n')}\n`);
    engine.start();
    const seen = (session: string) => engine.agent(session)?.coverage.seen;
    await vi.waitFor(() => expect([seen('gone'), seen('there')]).toEqual([2, 2]), PATIENCE);
    rmSync(gone);
    await vi.waitFor(() => expect(engine.agent('gone')?.deleted).toBe(true), PATIENCE);
    // Minute by minute, as for an agent whose machine is awake.
    for (; ahead < HOUR; ahead += 60_000) {
      // One that sets itself again is due a minute later.
      const due = Array.from(alarms);
      for (const run of due) if (alarms.delete(run)) run();
    }
    expect(changes.map(({ incident }) => `${incident.session} ${incident.detector}`)).toContain('there stall');
    expect(changes.filter(({ session }) => session === 'gone')).toEqual([]);
  });
});
