import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { lineOf, rowDescription, sentenceOf, whyOf } from '../../../src/editor/trees/row-words';
import { PATIENCE } from '../../support/patience';
import { stage } from './support';

const SESSION = '00000000-0000-4000-8000-000000000001';
/** Characters of a reason on a row, and of a line that shows everything. */
const [ROW, LINE] = [120, 220];

/** An agent of Claude Code that waits with this call open. */
async function waiting(name: string, input: object, waitingFor: string) {
  const { engine, home, workspace } = stage();
  const at = Date.now();
  const line = (seconds: number, fields: object) =>
    JSON.stringify({
      sessionId: SESSION,
      cwd: workspace,
      version: '2.1.329',
      uuid: `u${seconds}`,
      timestamp: new Date(at - 60_000 + seconds * 1000).toISOString(),
      ...fields,
    });
  const call = { id: 'm', role: 'assistant', model: 'claude-opus-5-5', stop_reason: 'tool_use' };
  const folder = join(home, '.claude/projects', workspace.replace(/[^A-Za-z0-9]/g, '-'));
  mkdirSync(folder, { recursive: true });
  mkdirSync(join(home, '.claude/sessions'));
  const lines = [
    line(1, { type: 'user', message: { role: 'user', content: 'Rename the tables' } }),
    line(2, { type: 'assistant', message: { ...call, content: [{ type: 'tool_use', id: 'toolu_1', name, input }] } }),
  ];
  writeFileSync(join(folder, `${SESSION}.jsonl`), `${lines.join('\n')}\n`);
  const entry = { pid: process.pid, sessionId: SESSION, status: 'waiting', waitingFor, statusUpdatedAt: at };
  writeFileSync(join(home, `.claude/sessions/${process.pid}.json`), JSON.stringify(entry));
  engine.start();
  return await vi.waitFor(() => {
    const view = engine.agent(SESSION);
    expect(view).toMatchObject({ state: { kind: 'waiting' }, coverage: { lines: lines.length } });
    if (!view) throw new Error('it is not followed');
    return view;
  }, PATIENCE);
}

it('a question of 10 KB is cut on rows, and its beginning can be read everywhere', async () => {
  const question = `Which date format? ${'Consider this. '.repeat(700)}`;
  const view = await waiting(
    'AskUserQuestion',
    { questions: [{ question, options: [{ label: 'ISO' }] }] },
    'input needed',
  );
  const now = Date.now();
  expect(view.state.waitingFor).toBe('question');
  expect(whyOf(view, now)).toMatch(/^asks: Which date format\? Consider this\..*…$/);
  for (const text of [whyOf(view, now), rowDescription(view, now, '')]) expect(text.length).toBeLessThanOrEqual(ROW);
  expect(lineOf(view, now).length).toBeLessThanOrEqual(LINE);
  expect(sentenceOf(view, now, undefined)).toContain('Asks: Which date format? Consider this.');
});

it('a call of 1 MB is cut on rows, and its beginning can be read everywhere', async () => {
  const command = `psql -c "${'UPDATE orders SET total = total + 1; '.repeat(28_000)}"`;
  expect(command.length).toBeGreaterThan(1_000_000);
  const view = await waiting('Bash', { command }, 'permission prompt');
  const now = Date.now();
  expect(view.state).toMatchObject({ waitingFor: 'permission', calls: [{ name: 'Bash' }] });
  expect(whyOf(view, now)).toMatch(/^wants to run psql -c "UPDATE orders.*…$/);
  for (const text of [whyOf(view, now), rowDescription(view, now, '')]) expect(text.length).toBeLessThanOrEqual(ROW);
  expect(lineOf(view, now).length).toBeLessThanOrEqual(LINE);
  expect(sentenceOf(view, now, undefined).length).toBeLessThan(2_000);
  // The panel shows the call whole, except in absurd cases.
  expect(view.state.calls?.[0]?.command?.length).toBeLessThanOrEqual(8_000);
});
