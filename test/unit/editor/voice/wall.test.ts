import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';

const root = resolve(__dirname, '../../../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** Functions and classes of VS Code that show a text in a message, a list, a tooltip, a tree, the status bar or among terminals. */
const SHOWS =
  /Message$|QuickPick$|InputBox$|FolderPick$|^with\w*Progress$|StatusBarItem$|TreeView$|TreeDataProvider$|^createTerminal$|HoverProvider$/;

/** Returns the names of these functions in the declarations of VS Code. */
function showing(): readonly string[] {
  const declared = read('node_modules/@types/vscode/index.d.ts').matchAll(/^\t\texport function (\w+)/gm);
  return [...new Set([...declared].map(([, name = '']) => name))].filter((name) => SHOWS.test(name));
}

/** Lints one file as if it were at this place in the project. Returns the messages by line. */
function lint(place: string, text: string): ReadonlyMap<number, string> {
  const folder = mkdtempSync(join(tmpdir(), 'unstuck-lint-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { options: _, ...config } = JSON.parse(read('.oxlintrc.json')) as { readonly options: unknown };
  writeFileSync(join(folder, '.oxlintrc.json'), JSON.stringify(config));
  mkdirSync(dirname(join(folder, place)), { recursive: true });
  writeFileSync(join(folder, place), text);
  const program = join(root, 'node_modules/oxlint/bin/oxlint');
  const { stdout } = spawnSync(process.execPath, [program, '--format', 'json', place], {
    cwd: folder,
    encoding: 'utf8',
  });
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: readonly {
      readonly help?: string;
      readonly labels: readonly { readonly span: { readonly line: number } }[];
    }[];
  };
  return new Map(diagnostics.map(({ help = '', labels }) => [labels[0]?.span.line ?? 0, help]));
}

const DOOR = 'Say it through src/editor/voice, which makes texts of others inert.';

describe('the wall around what VS Code shows', () => {
  const names = showing();
  const lines = [
    "import * as vscode from 'vscode';",
    ...names.map((name) => `void vscode.window.${name}('x');`),
    "void new vscode.TreeItem('x');",
    "void new vscode.MarkdownString('x');",
    'const { showErrorMessage } = vscode.window;',
    "void vscode.window['showErrorMessage']('x');",
  ];

  it('knows the functions of VS Code', () => {
    expect(names).toEqual(
      expect.arrayContaining(['showErrorMessage', 'showQuickPick', 'withProgress', 'createTreeView']),
    );
  });

  it.each(['src/editor/planted.ts', 'src/editor/recovery/planted.ts', 'src/editor/window.ts'])(
    'is called only in %s',
    (place) => {
      const found = lint(place, lines.join('\n'));
      const open = lines.slice(1).filter((_, at) => found.get(at + 2) !== DOOR);
      expect(open).toEqual([]);
    },
  );

  it('has one door', () => {
    expect([...lint('src/editor/voice/planted.ts', lines.join('\n')).values()]).not.toContain(DOOR);
  });

  it('has no hole by name: VS Code is imported whole, or for its types', () => {
    const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' });
    const imports = files
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => read(join('src', file)).match(/^import .*from 'vscode';$/gm) ?? []);
    expect(new Set(imports)).toEqual(
      new Set(["import * as vscode from 'vscode';", "import type * as vscode from 'vscode';"]),
    );
  });
});
