import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ALIASES } from '../../../../src/editor/commands/aliases';
import type { CommandParts } from '../../../../src/editor/commands/parts';
import { registerCommands } from '../../../../src/editor/commands/register';
import { editor, resetEditor } from '../support/vscode';

vi.mock('vscode', () => import('../support/vscode'));
beforeEach(resetEditor);

interface Entry {
  readonly command: string;
  readonly when?: string;
}

const { contributes } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly contributes: {
    readonly commands: readonly Entry[];
    readonly menus: Readonly<Record<string, readonly Entry[]>>;
  };
};
const declared = contributes.commands.map(({ command }) => command);
const inMenus = Object.values(contributes.menus).flatMap((entries) => entries.map(({ command }) => command));
const rules = new Map(contributes.menus['commandPalette']?.map(({ command, when }) => [command, when]));
const inPalette = declared.filter((command) => rules.get(command) !== 'false');

describe('the commands', () => {
  beforeEach(() => void registerCommands({} as CommandParts));

  it('are at most 30 in the palette', () => {
    expect(inPalette.length).toBeLessThanOrEqual(30);
  });

  it('of package.json are registered, and menus name no others', () => {
    // Documents show these two in their title bars.
    const missing = declared.filter((command) => !editor.registered.has(command));
    expect(missing).toEqual(['unstuck.connectAsShown', 'unstuck.openRawLine']);
    expect(inMenus.filter((command) => !declared.includes(command))).toEqual([]);
  });

  it('that are not in the palette are in a menu', () => {
    const menus = Object.entries(contributes.menus).filter(([name]) => name !== 'commandPalette');
    const reached = menus.flatMap(([, entries]) => entries.map(({ command }) => command));
    expect(declared.filter((command) => !inPalette.includes(command) && !reached.includes(command))).toEqual([]);
  });

  it('of an earlier version do what their successor does, and are not declared', async () => {
    for (const [name, now] of Object.entries(ALIASES)) {
      expect(declared).not.toContain(`unstuck.${name}`);
      await editor.registered.get(`unstuck.${name}`)?.('s');
      expect(editor.commands.at(-1)).toEqual([`unstuck.${now}`, 's']);
      // A view's own command focuses it.
      if (now !== 'agents.focus') expect(editor.registered.has(`unstuck.${now}`)).toBe(true);
    }
  });
});
