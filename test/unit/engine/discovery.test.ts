import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { Engine } from '../../../src/engine/engine';
import { stage } from './support';
import { PATIENCE } from '../../support/patience';

const recording = readFileSync(resolve(__dirname, '../../../media/demo/same-command.jsonl'), 'utf8').trim().split('\n');
function watched() {
  const { engine, home, workspace, settings } = stage({ settings: { walksFolders: false } });
  const projects = join(home, '.claude/projects', workspace.replace(/[^A-Za-z0-9]/g, '-'));
  const moved = (line: string, folder = workspace, at = Date.now()) =>
    line
      .split('/home/dev/project')
      .join(folder)
      .replace(/"timestamp":"[^"]+"/g, `"timestamp":"${new Date(at).toISOString()}"`);
  return { engine, projects, moved, workspace, settings };
}

const stuck = (engine: Engine) => engine.agents().map((view) => view.state.kind);

describe('finding sessions', () => {
  it('finds one whose first line does not yet say where its agent works', async () => {
    const { engine, projects, moved } = watched();
    engine.start();
    mkdirSync(projects, { recursive: true });
    const file = join(projects, '11111111-0000-4000-8000-00000000000a.jsonl');
    appendFileSync(file, `${moved(recording[0] ?? '')}\n`);
    await new Promise((done) => setTimeout(done, 300));
    expect(engine.agents()).toEqual([]);
    for (const line of recording.slice(1, 37)) appendFileSync(file, `${moved(line)}\n`);
    await vi.waitFor(() => expect(stuck(engine)).toEqual(['stuck']), PATIENCE);
  });

  it('names sessions of other folders instead of following them, and follows one on request', async () => {
    const { engine, projects, moved, workspace, settings } = watched();
    engine.start();
    const elsewhere = `${projects}-elsewhere`;
    mkdirSync(elsewhere, { recursive: true });
    const file = join(elsewhere, '11111111-0000-4000-8000-00000000000b.jsonl');
    appendFileSync(
      file,
      recording
        .slice(0, 37)
        .map((line) => `${moved(line, '/somewhere/else')}\n`)
        .join(''),
    );
    await vi.waitFor(
      () => expect(engine.otherSessions().map((other) => other.cwd)).toEqual(['/somewhere/else']),
      PATIENCE,
    );
    expect(engine.agents()).toEqual([]);
    engine.show(file);
    await vi.waitFor(() => expect(stuck(engine)).toEqual(['stuck']), PATIENCE);
    // It was requested, whatever folders are opened or closed later.
    engine.configure({ ...settings, folders: [workspace, join(workspace, 'another')] });
    expect(stuck(engine)).toEqual(['stuck']);
  });

  it('says whether incidents from before the window opened continue', async () => {
    const { engine, projects, moved, workspace } = watched();
    mkdirSync(projects, { recursive: true });
    const aMinuteAgo = Date.now() - 60_000;
    const write = (id: string, lines: readonly string[]) =>
      appendFileSync(
        join(projects, `11111111-0000-4000-8000-0000000000${id}.jsonl`),
        // Two sessions with the same calls would be one and its copy.
        lines.map((line) => `${moved(line, workspace, aMinuteAgo).replaceAll('"toolu_', `"toolu_${id}`)}\n`).join(''),
      );
    write('0c', recording.slice(0, 37));
    write('0d', recording);
    const histories = new Map<string, boolean>();
    engine.onDidChangeIncident(({ incident, session }) => void histories.set(session.slice(-2), incident.history));
    engine.start();
    await vi.waitFor(
      () =>
        expect(Object.entries(Object.fromEntries(histories)).sort(([a], [b]) => a.localeCompare(b))).toEqual([
          ['0c', false],
          ['0d', true],
        ]),
      PATIENCE,
    );
  });
});
