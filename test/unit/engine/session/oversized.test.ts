import { readFileSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { generic } from '../../../../src/agents/generic/adapter';
import { createSpills } from '../../../../src/history';
import { genericLines, homeFolder, stage } from '../support';
import { PATIENCE } from '../../../support/patience';

const secret = `ghp_${'a1B2'.repeat(9)}`;
const long = `first words ${'a line of a very long log\n'.repeat(12_000)}${secret} last words`;

function watched(spillFolder?: (home: string) => string) {
  const home = homeFolder();
  const folder = spillFolder?.(home) ?? join(home, 'spills');
  const spills = createSpills(folder, Date.now);
  const { engine, workspace } = stage({ home, adapters: [generic], spills });
  engine.start();
  const write = (output: string, at = Date.now(), session = 'one', before: readonly string[] = []) => {
    const lines = [
      { type: 'session_start', cwd: workspace },
      { type: 'tool_call', id: 'c1', name: 'bash', args: { command: 'cat all.log' } },
      { type: 'tool_result', id: 'c1', output },
    ].map((line) => JSON.stringify({ v: 1, t: at, ...(before.length > 0 && { session }), ...line }));
    writeFileSync(join(workspace, `${session}.agent.jsonl`), [...before, ...lines, ''].join('\n'));
  };
  const incident = (session = 'one') => {
    const view = engine.agents().find(({ file }) => file === join(workspace, `${session}.agent.jsonl`));
    return view?.incidents.find((one) => one.detector === 'oversized_response');
  };
  return { engine, folder, spills, write, incident };
}

describe('an oversized result', () => {
  it('is saved whole and without its secrets, with a preview in the evidence', async () => {
    const { write, incident } = watched();
    write(long);
    await vi.waitFor(() => expect(incident()?.spills).toHaveLength(1), PATIENCE);
    const [saved] = incident()?.spills ?? [];
    expect(saved?.line).toBe(3);
    const text = readFileSync(saved?.file ?? '', 'utf8');
    expect(text.startsWith('first words a line of a very long log')).toBe(true);
    expect(text.endsWith('last words')).toBe(true);
    expect(text.length).toBeGreaterThan(12_000 * 26);
    expect(text).not.toContain(secret);
    const preview = incident()?.lastSample?.text ?? '';
    expect(preview.length).toBeLessThanOrEqual(1_001);
    expect(preview.startsWith('first words')).toBe(true);
  });

  it('keeps its preview if nothing can be written', async () => {
    const { write, incident, folder } = watched((home) => {
      writeFileSync(join(home, 'in-the-way'), '');
      return join(home, 'in-the-way', 'spills');
    });
    write(long);
    await vi.waitFor(() => expect(incident()).toBeDefined(), PATIENCE);
    expect(() => readdirSync(folder)).toThrow();
    expect(incident()?.spills).toBeUndefined();
    expect(incident()?.lastSample?.text.length).toBeGreaterThan(900);
  });

  //   of a long transcript the last 256 KB are read, with the result │ the rest is read, and its lines are numbered
  it('is with the evidence once the whole of a long transcript was read', async () => {
    const { engine, write, incident } = watched();
    const steps = genericLines('one', 2_000, Date.now() - 60_000);
    write('first words '.repeat(20_000), Date.now(), 'one', steps);
    await vi.waitFor(() => expect(engine.timeline('one')?.length).toBe(2_001), PATIENCE);
    const line = steps.length + 3;
    await vi.waitFor(() => expect(incident()?.lastSample?.source.line).toBe(line), PATIENCE);
    await vi.waitFor(() => expect(incident()?.spills?.map((one) => one.line)).toEqual([line]), PATIENCE);
  });

  it('is deleted after a day', async () => {
    const { write, incident, folder, spills } = watched();
    write(long);
    await vi.waitFor(() => expect(incident()?.spills).toHaveLength(1), PATIENCE);
    expect(await spills.clean()).toBe(0);
    const [name = ''] = readdirSync(folder);
    const yesterday = Date.now() / 1000 - 25 * 3600;
    utimesSync(join(folder, name), yesterday, yesterday);
    expect(await spills.clean()).toBe(1);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('from before the window opened is left as it is, and so is one of ordinary size', async () => {
    const { engine, write, incident, folder } = watched();
    write('short');
    await vi.waitFor(() => expect(engine.agents()).toHaveLength(1), PATIENCE);
    expect(incident()).toBeUndefined();
    write(long, Date.now() - 3_600_000);
    await vi.waitFor(() => expect(incident()?.history).toBe(true), PATIENCE);
    // By the time that a later one is saved, it would have been saved too.
    write(long, Date.now(), 'two');
    await vi.waitFor(() => expect(incident('two')?.spills).toHaveLength(1), PATIENCE);
    expect(readdirSync(folder)).toHaveLength(1);
    expect(incident()?.spills).toBeUndefined();
  });
});
