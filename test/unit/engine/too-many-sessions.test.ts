import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { generic } from '../../../src/agents/generic/adapter';
import { resolveOptions } from '../../../src/detect/session/options';
import { SESSIONS_IN_ALL } from '../../../src/engine/engine';
import { SESSIONS_OF_A_FILE } from '../../../src/engine/follow/transcript';
import { scanFile } from '../../../src/engine/scan';
import { PATIENCE } from '../../support/patience';
import { homeFolder, stage } from './support';

/** Each session took 35 KB of memory, so a file of a megabyte could end the extension host. */
const lines = (name: string, sessions: number): string =>
  Array.from({ length: sessions }, (_, number) =>
    JSON.stringify({ v: 1, t: Date.now(), session: `${name}${number}`, type: 'user', text: 'x' }),
  ).join('\n');

describe('too many sessions', () => {
  it('of 20,000 in one file 200 are kept, and the rest is said once', async () => {
    const file = join(homeFolder(), 'many.agent.jsonl');
    writeFileSync(file, `${lines('s', 20_000)}\n${lines('s', 8)}\n`);
    const detectors = () => resolveOptions('balanced', {}, 'generic');
    const { sessions } = await scanFile(file, { adapter: generic, detectors, readSmall: () => undefined });
    expect(sessions).toHaveLength(SESSIONS_OF_A_FILE);
    const why = 'more than 200 sessions in one file: the others are left out';
    expect(sessions.flatMap(({ skipped }) => skipped)).toMatchObject([{ line: 201, why }]);
    // One that is known goes on.
    const events = (name: string) => sessions.find(({ session }) => session === name)?.events ?? 0;
    expect(events('s7')).toBeGreaterThan(events('s8'));
  });

  it('of 1,200 in six files 1,000 are followed, and the rest is said once beside the agents', async () => {
    const { engine, workspace } = stage();
    for (let file = 0; file < 6; file++) {
      writeFileSync(join(workspace, `f${file}.agent.jsonl`), `${lines(`f${file}-`, SESSIONS_OF_A_FILE)}\n`);
    }
    engine.start();
    await vi.waitFor(() => expect(engine.unreadFiles()).toHaveLength(1), PATIENCE);
    expect(engine.agents()).toHaveLength(SESSIONS_IN_ALL);
    expect(engine.unreadFiles()[0]?.why).toMatch(/^left out: 1000 sessions are followed in this window/);
  });
});
