import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { FixtureResult } from '../../../../src/engine/report/fixture';
import type { CommandParts } from '../../../../src/editor/commands/parts';
import { reportIncident } from '../../../../src/editor/commands/report';
import { T0, incident } from '../../history/support/make';
import { editor, env, opened, resetEditor } from '../support/vscode';

vi.mock('vscode', () => import('../support/vscode'));
beforeEach(resetEditor);

const parts = (made: FixtureResult) =>
  ({ services: { now: () => T0 }, fixture: () => Promise.resolve(made) }) as unknown as CommandParts;
const none = { ok: false, failure: { reason: 'several_sessions' } } as const;
const text = '{"v":1}\n';
const fixture = { ok: true, fixture: { text, preset: 'balanced', from: 'transcript' } } as const;

describe('Report Alarm…', () => {
  it('shows the text and a transcript that raises the alarm again before anything is copied', async () => {
    await reportIncident(parts(fixture), incident());
    expect(opened.map(({ language }) => language)).toEqual(['jsonl', 'markdown']);
    expect(opened[0]?.content).toBe(text);
    expect(opened[1]?.content).toContain('## Evidence');
    expect(editor.shown[0]?.text).toMatch(/^Nothing has left your machine\. Scanning the fixture raises .* again\./);
    expect(env.copied).toEqual([]);
    editor.answers.push('Copy Report');
    await reportIncident(parts(fixture), incident());
    expect(env.copied).toEqual([opened[3]?.content]);
  });

  it('says why the incident cannot be reproduced', async () => {
    await reportIncident(parts(none), incident());
    expect(opened.map(({ language }) => language)).toEqual(['markdown']);
    expect(editor.shown[0]?.text).toContain(
      'The incident could not be reproduced: its rule compares several sessions, and a fixture holds one.',
    );
  });
});
