import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Configuration } from '../../../../src/editor/settings/configuration';
import { changes, changeSetting, editor, folderSettings, resetEditor, workspace } from '../support/vscode';

vi.mock('vscode', () => import('../support/vscode'));
beforeEach(resetEditor);

/** The settings of a window, and how often they were reported as new. */
function stage() {
  let [reports, news, pauses] = [0, 0, 0];
  const configuration = new Configuration(() => void reports++);
  configuration.onDidChange(() => void news++);
  configuration.onDidPause(() => void pauses++);
  return { configuration, heard: () => ({ reports, news, pauses }) };
}

describe('the settings of a window', () => {
  it('apply as soon as they are changed, for recovery too', () => {
    const { configuration, heard } = stage();
    expect([configuration.settings.preset, configuration.recovery.automatic]).toEqual(['balanced', false]);
    changeSetting('preset', 'patient');
    changeSetting('recovery.automatic', true);
    expect([configuration.settings.preset, configuration.recovery.automatic]).toEqual(['patient', true]);
    expect(heard()).toEqual({ reports: 3, news: 2, pauses: 0 });
  });

  it('are not read again for a setting of another extension', () => {
    const { heard } = stage();
    changes.setting.fire({ affectsConfiguration: (section) => section === 'editor' });
    expect(heard()).toEqual({ reports: 1, news: 0, pauses: 0 });
  });

  it('of a folder apply once the person trusts it', () => {
    workspace.isTrusted = false;
    folderSettings.set('preset', 'eager');
    const { configuration, heard } = stage();
    expect(configuration.settings.preset).toBe('balanced');
    workspace.isTrusted = true;
    changes.trust.fire();
    expect(configuration.settings.preset).toBe('eager');
    expect(heard().news).toBe(1);
  });

  it('say for each folder separately what may be stopped in it, and are read once', () => {
    const asked: string[] = [];
    const read = vi.spyOn(workspace, 'getConfiguration').mockImplementation(((
      _section: string,
      of?: { fsPath: string },
    ) => ({
      get: (name: string) => {
        if (of) asked.push(`${of.fsPath} ${name}`);
        return of?.fsPath === '/strict' ? { stopAtBudget: true } : undefined;
      },
      inspect: () => undefined,
    })) as never);
    const { recovery } = stage().configuration;
    expect(['/strict', '/strict', '/free'].map((folder) => recovery.brakes(folder).stopAtBudget)).toEqual([
      true,
      true,
      false,
    ]);
    expect(asked).toEqual(['/strict recovery.brakes', '/free recovery.brakes']);
    read.mockRestore();
  });
});

it('a pause lasts until it is ended, and the menus reflect it', () => {
  const { configuration, heard } = stage();
  configuration.pause(true);
  expect([configuration.isPaused, editor.commands.at(-1)]).toEqual([true, ['setContext', 'unstuck.paused', true]]);
  configuration.pause(false);
  expect([configuration.isPaused, editor.commands.at(-1)]).toEqual([false, ['setContext', 'unstuck.paused', false]]);
  expect(heard().pauses).toBe(2);
});

it('nothing is read once the window is gone', () => {
  const { configuration, heard } = stage();
  configuration.dispose();
  changeSetting('preset', 'patient');
  changes.trust.fire();
  expect(heard()).toEqual({ reports: 1, news: 0, pauses: 0 });
});
