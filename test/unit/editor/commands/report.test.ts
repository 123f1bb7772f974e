import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { FixtureResult } from '../../../../src/engine/report/fixture';
import type { CommandParts } from '../../../../src/editor/commands/parts';
import { exportFixture, reportIncident } from '../../../../src/editor/commands/report';
import { T0, incident } from '../../history/support/make';
import { editor, env, opened, resetEditor } from '../support/vscode';

vi.mock('vscode', () => import('../support/vscode'));
beforeEach(resetEditor);

const parts = (made: FixtureResult) =>
  ({ services: { now: () => T0 }, fixture: () => Promise.resolve(made) }) as unknown as CommandParts;
const none = { ok: false, failure: { reason: 'several_sessions' } } as const;
const text = '{"v":1}\n';
const fixture = { ok: true, fixture: { text, preset: 'balanced', from: 'transcript' } } as const;

describe('Export as Fixture…', () => {
  it('shows the transcript in a document of its own, and saves it only where the person says so', async () => {
    await exportFixture(parts(fixture), incident());
    expect(opened).toEqual([{ content: text, language: 'jsonl' }]);
    expect(editor.shown[0]?.text).toMatch(/^Scanning it raises .* again\./);
    expect(editor.commands).toEqual([]);
    editor.answers.push('Save As…');
    await exportFixture(parts(fixture), incident());
    expect(editor.commands).toEqual([['workbench.action.files.saveAs']]);
  });

  it('says why where the incident cannot be reproduced, and offers the report', async () => {
    editor.answers.push('Report…');
    await exportFixture(parts(none), incident());
    expect(editor.shown[0]).toMatchObject({
      kind: 'warning',
      text: 'The incident could not be reproduced: its rule compares several sessions, and a fixture holds one.',
    });
    expect(opened.map(({ language }) => language)).toEqual(['markdown']);
  });
});

describe('Report…', () => {
  it('shows the text before anything is copied', async () => {
    await reportIncident(parts(none), incident());
    expect(opened[0]?.content).toContain('## Evidence');
    expect(env.copied).toEqual([]);
    editor.answers.push('Copy');
    await reportIncident(parts(none), incident());
    expect(env.copied).toEqual([opened[1]?.content]);
  });
});
