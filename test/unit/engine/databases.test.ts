import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { registry } from '../../../src/agents/registry';
import { resolveOptions } from '../../../src/detect/session/options';
import { readSmall } from '../../../src/engine/follow/probe';
import { scanFile } from '../../../src/engine/scan-cache';
import { readExcerpt } from '../../../src/engine/session/excerpt';
import { sessionText } from '../../../src/engine/session/session-text';
import { localSqlite } from '../../golden/support';
import { stage } from './support';
import { type DumpedRow, makeDatabase, readRows } from '../agents/opencode/database';
import { PATIENCE } from '../../support/patience';

const dump = readRows(join(__dirname, '../../golden/fixtures/opencode/a_repeat.rows.jsonl'));
/** The rows of the dump as if they were written now, for a session with this id. */
function moved(id: string, at: number): readonly DumpedRow[] {
  const shift = at - Math.max(...dump.map((row) => row.time_updated));
  const text = dump.map((row) => ({
    ...row,
    session_id: id,
    id: `${row.id}${id}`,
    message_id: `${row.message_id ?? ''}${id}`,
  }));
  const times = /"(time_created|time_updated|created|completed|start|end)":(\d{13})/g;
  return text.map(
    (row) =>
      JSON.parse(
        JSON.stringify(row).replace(times, (_, name: string, time: string) => `"${name}":${Number(time) + shift}`),
      ) as DumpedRow,
  );
}

async function watched({ limit }: { limit?: number } = {}) {
  const { engine, home, workspace, settings } = stage({
    settings: { walksFolders: false },
    ...(limit !== undefined && { databaseLimit: limit }),
  });
  const file = join(home, '.local/share/opencode/opencode.db');
  mkdirSync(join(home, '.local/share/opencode'), { recursive: true });
  const database = await makeDatabase();
  const add = (id: string, directory: string, at = Date.now(), until = dump.length) => {
    database.session({ id, directory, created: at - 60_000, updated: at });
    for (const row of moved(id, at).slice(0, until)) database.put(row);
  };
  const write = () => writeFileSync(file, database.bytes());
  onTestFinished(() => database.close());
  const sessions = () => engine.agents().map((view) => view.session);
  return { engine, add, write, workspace, file, sessions, settings, home };
}

/** The options for a scan of a database of OpenCode. */
function scanned() {
  const adapter = registry.find(({ id, unit }) => id === 'opencode' && unit === 'database');
  if (!adapter) throw new Error('no adapter');
  const detectors = () => resolveOptions({ preset: 'balanced', detectors: {} }, 'opencode');
  return { adapter, detectors, readSmall, sqlite: localSqlite };
}

describe('sessions in one database', () => {
  it('are followed if they belong to an open folder, named if they do not, and left to the history if they are old', async () => {
    const { engine, add, write, workspace, sessions } = await watched();
    add('ses_here', workspace);
    add('ses_there', '/somewhere/else');
    add('ses_old', workspace, Date.now() - 10 * 86_400_000);
    write();
    engine.start();
    // The rows of a database come in slices: one session may be there before the next is known.
    await vi.waitFor(() => {
      expect(engine.agents()[0]?.coverage.seen).toBe(6);
      expect(engine.otherSessions()).toMatchObject([{ session: 'ses_there', cwd: '/somewhere/else' }]);
    }, PATIENCE);
    expect(sessions()).toEqual(['ses_here']);
    expect(engine.agents()[0]).toMatchObject({ agent: 'opencode', cwd: workspace, coverage: { seen: 6, there: 6 } });
    expect(
      (await engine.earlierTranscripts(() => false, 10)).transcripts.map(({ sessions: ids }) => [...(ids ?? [])]),
    ).toEqual([['ses_old']]);
  });

  it('are followed when requested, and when their folder is opened', async () => {
    const { engine, add, write, sessions, file, settings, workspace } = await watched();
    add('ses_one', '/somewhere/else');
    add('ses_two', '/somewhere/other');
    write();
    engine.start();
    await vi.waitFor(() => expect(engine.otherSessions()).toHaveLength(2), PATIENCE);
    engine.show(file, 'ses_one');
    await vi.waitFor(() => expect(sessions()).toEqual(['ses_one']), PATIENCE);
    engine.configure({ ...settings, folders: [workspace, '/somewhere/other'] });
    await vi.waitFor(() => expect(sessions().sort()).toEqual(['ses_one', 'ses_two']), PATIENCE);
  });

  it('raise what is stuck while they grow', async () => {
    const { engine, add, write, workspace } = await watched();
    add('ses_grows', workspace, Date.now(), 12);
    write();
    engine.start();
    await vi.waitFor(() => expect(engine.agents()[0]?.coverage.seen).toBeGreaterThan(0), PATIENCE);
    expect(engine.agents()[0]?.incidents).toEqual([]);
    add('ses_grows', workspace);
    write();
    await vi.waitFor(
      () => expect(engine.agents()[0]?.incidents.map(({ detector }) => detector)).toContain('repeating_action'),
      PATIENCE,
    );
  });

  it('say what helps if the database is too large', async () => {
    const { engine, add, write, workspace } = await watched({ limit: 20_000 });
    add('ses_one', workspace);
    write();
    engine.start();
    await vi.waitFor(() => expect(engine.unreadFiles()[0]?.why).toContain('opencode export'), PATIENCE);
  });

  it('are scanned one by one, and printed so that each record is in the line that events name', async () => {
    const { add, write, file, workspace } = await watched();
    add('ses_one', workspace);
    add('ses_two', '/somewhere/else');
    write();
    const options = scanned();
    const all = await scanFile(file, options);
    expect(all.sessions.map(({ session, lines, actions }) => [session, lines, actions])).toEqual([
      ['ses_one', 24, 6],
      ['ses_two', 24, 6],
    ]);
    const one = await scanFile(file, { ...options, only: new Set(['ses_two']) });
    expect(one.sessions.map(({ session }) => session)).toEqual(['ses_two']);
    const incident = one.sessions[0]?.incidents[0];
    const text = (await sessionText(registry, localSqlite, file, 'ses_two')) ?? '';
    for (const { source } of incident?.evidence ?? [])
      expect(text.split('\n')[source.line - 1]).toContain('"tool":"bash"');
    expect(await sessionText(registry, localSqlite, `${file}.jsonl`, 'ses_two')).toBeUndefined();
  });

  it('show as evidence what happened in the requested session', async () => {
    const { add, write, file, workspace } = await watched();
    add('ses_one', workspace, Date.now() - 3_600_000);
    add('ses_two', '/somewhere/else');
    write();
    const { sessions } = await scanFile(file, scanned());
    const ports = {
      adapters: registry,
      sqlite: localSqlite,
      readSmall,
      clock: () => 0,
      breathe: () => Promise.resolve(),
    };
    const times = await Promise.all(
      sessions.map(async ({ session, incidents }) => {
        const place = incidents[0]?.evidence[0]?.source ?? { file, line: 0, offset: 0 };
        return (await readExcerpt(place, session, ports))?.entries.map(({ at }) => at) ?? [];
      }),
    );
    const [one = [], two = []] = times;
    expect([one.length > 0, two.length]).toEqual([true, one.length]);
    // One of them was written an hour before the other.
    expect(Math.max(...one)).toBeLessThan(Math.min(...two));
  });
});
