import { beforeEach, describe, expect, it, vi } from 'vitest';
import { GatesUi } from '../../../../src/editor/gates/gates';
import { GateConsent } from '../../../../src/editor/gates/consent';
import { editor, resetEditor } from '../support/vscode';

vi.mock('vscode', async () => {
  const vscode = await import('../support/vscode');
  const made = () => ({ appendLine: () => undefined, show: () => undefined, dispose: () => undefined });
  return {
    ...vscode,
    window: { ...vscode.window, createOutputChannel: made },
    languages: { createDiagnosticCollection: made },
  };
});
beforeEach(resetEditor);

/** A folder with gates that nobody has agreed to, and which of them ran. */
function stage() {
  const gate = { id: 'tests', name: 'tests', command: 'npm test', needs: [], timeoutMs: 1 };
  const ran: unknown[] = [];
  const agreements = {
    gatesOf: () => Promise.resolve({ gates: [gate], agreed: false, from: 'detected', changed: false }),
  };
  const gates = {
    onDidChange: () => ({ dispose: () => undefined }),
    configure: () => undefined,
    run: ({ folder }: { readonly folder: string }) => {
      ran.push(folder);
      return Promise.resolve({ folder, verdict: 'passed', results: [] });
    },
  };
  const services = { folders: () => ['/work/calc'], now: () => 0 };
  const consent = new GateConsent(agreements as never);
  return { ran, ui: new GatesUi(services as never, gates as never, agreements as never, consent) };
}

describe('Run Quality Gates', () => {
  it('runs no command of a folder where the person cancels', async () => {
    const { ui, ran } = stage();
    await ui.run(undefined);
    expect(editor.shown.map(({ text }) => text)).toEqual(['Run these commands in calc?']);
    expect(ran).toEqual([]);
  });

  it('twin: runs them for a Yes', async () => {
    const { ui, ran } = stage();
    editor.answers.push('Run Once');
    await ui.run(undefined);
    expect(ran).toEqual(['/work/calc']);
  });
});
