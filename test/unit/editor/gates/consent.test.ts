import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Gate } from '../../../../src/recover/gates/gate';
import type { Agreements, KnownGates } from '../../../../src/editor/gates/agreements';
import { GateConsent } from '../../../../src/editor/gates/consent';
import { editor, resetEditor } from '../support/vscode';

vi.mock('vscode', () => import('../support/vscode'));
beforeEach(resetEditor);

const ALWAYS = 'Always Run When an Agent Finishes';
const gate = (more: Partial<Gate> = {}): Gate => ({
  id: 'tests',
  name: 'tests',
  command: 'npm test',
  needs: [],
  timeoutMs: 1,
  ...more,
});
const known = (more: Partial<KnownGates> = {}): KnownGates => ({
  gates: [gate({ runs: 'vitest run' })],
  agreed: false,
  from: 'detected',
  changed: false,
  ...more,
});

/** A person before the gates of a folder, with the consents that were stored. */
function stage(now: KnownGates = known()) {
  const agreed: string[] = [];
  let gates = now;
  const agreements = {
    gatesOf: () => Promise.resolve(gates),
    agree: (folder: string, of: readonly Gate[]) =>
      Promise.resolve(void agreed.push(`${folder}: ${of.map(({ command }) => command).join(', ')}`)),
  };
  const consent = new GateConsent(agreements as unknown as Agreements);
  return {
    agreed,
    mayRun: (of: KnownGates) => consent.mayRun('/work/calc', of),
    tellChanged: (folder = '/work/calc') => consent.notifyChanged(folder),
    become: (other: KnownGates) => void (gates = other),
  };
}

const texts = () => editor.shown.map(({ text }) => text);
const detail = () => (editor.shown.at(-1)?.buttons[0] as { detail: string } | undefined)?.detail ?? '';

describe('before gates run', () => {
  it('a person sees the exact commands, what they start and where, without hidden characters', async () => {
    const { mayRun } = stage();
    await mayRun(
      known({ gates: [gate({ runs: 'vitest run' }), gate({ name: 'lint', command: 'make\u202E lint', cwd: 'web' })] }),
    );
    expect(texts()).toEqual(['Run these commands in calc?']);
    expect(editor.shown[0]?.buttons).toEqual([expect.objectContaining({ modal: true }), 'Run Once', ALWAYS]);
    expect(detail()).toBe(
      'tests: npm test  (vitest run)\nlint: make\ufffd lint in web\n\nThey run code from this folder, including code written by agents. Unstuck asks again when they change.',
    );
  });

  it('a Yes runs them, and is stored only if it was for every time', async () => {
    const { mayRun, agreed } = stage();
    expect(await mayRun(known())).toBe(false);
    editor.answers.push('Run Once');
    expect([await mayRun(known()), agreed]).toEqual([true, []]);
    editor.answers.push(ALWAYS);
    expect([await mayRun(known()), agreed]).toEqual([true, ['/work/calc: npm test']]);
  });

  it('no question is asked if exactly these commands were agreed to', async () => {
    const { mayRun } = stage();
    expect([await mayRun(known({ agreed: true })), texts()]).toEqual([true, []]);
  });

  it('the person reads that they have changed, if others were agreed to', async () => {
    const { mayRun } = stage();
    await mayRun(known({ changed: true }));
    expect(texts()).toEqual(['The quality gates of calc have changed. Run these commands?']);
  });

  it('a long script is cut, so that the question stays readable', async () => {
    const { mayRun } = stage();
    await mayRun(known({ gates: [gate({ runs: 'x '.repeat(500) })] }));
    expect(detail().split('\n')[0]?.length).toBeLessThan(230);
  });

  it('nothing runs if no command is known, and the settings are offered', async () => {
    const { mayRun } = stage();
    editor.answers.push(undefined, 'Open Settings');
    const none = known({ gates: [], agreed: true });
    expect([await mayRun(none), editor.commands]).toEqual([false, []]);
    expect(await mayRun(none)).toBe(false);
    expect(texts()[0]).toBe('No test, lint or build command was found in calc. Add them in the settings.');
    expect(editor.commands).toEqual([['workbench.action.openSettings', 'unstuck.gates.commands']]);
  });

  it('nothing runs if the settings are unusable, whatever was agreed to', async () => {
    const { mayRun } = stage();
    editor.answers.push(undefined, 'Open Settings');
    const broken = known({ agreed: true, trouble: 'Entry 1 is no object.' });
    expect([await mayRun(broken), editor.commands]).toEqual([false, []]);
    expect(await mayRun(broken)).toBe(false);
    expect(editor.shown[0]).toEqual({ kind: 'error', text: 'Entry 1 is no object.', buttons: ['Open Settings'] });
    expect(editor.commands).toEqual([['workbench.action.openSettings', 'unstuck.gates']]);
  });
});

describe('an agent is done, but its gates are not those that were agreed to', () => {
  const changed = known({ changed: true });

  it('notifies the person once for each change, not at the end of each turn', async () => {
    const { tellChanged, become } = stage(changed);
    await tellChanged();
    await tellChanged();
    expect(texts()).toEqual(['The quality gates of calc have changed since you agreed to them, so they did not run.']);
    become(known({ changed: true, gates: [gate({ runs: 'vitest run --bail' })] }));
    await tellChanged();
    await tellChanged('/work/other');
    expect(texts()).toHaveLength(3);
  });

  it('asks for a yes only if the person wants to look', async () => {
    const { tellChanged, agreed } = stage(changed);
    editor.answers.push('Review', ALWAYS);
    await tellChanged();
    expect(texts()[1]).toBe('The quality gates of calc have changed. Run these commands?');
    expect(agreed).toEqual(['/work/calc: npm test']);
  });

  it('stays quiet if no gates were ever agreed to', async () => {
    const { tellChanged } = stage(known());
    await tellChanged();
    expect(texts()).toEqual([]);
  });
});
