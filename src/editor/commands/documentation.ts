import * as vscode from 'vscode';
import { pickOne } from '../voice';

/**
 * `Unstuck: Open Documentation…`: opens the pages of docs/ that come with the extension. The store page of an installed extension follows no link
 * into the package, so this command is the way to them.
 */
export async function openDocumentation(extensionUri: vscode.Uri): Promise<void> {
  const picked = await pickOne(pages(vscode.Uri.joinPath(extensionUri, 'docs')), {
    placeHolder: 'Open which page?',
    matchOnDescription: true,
  });
  if (picked) await vscode.commands.executeCommand('markdown.showPreview', picked.uri);
}

async function pages(folder: vscode.Uri) {
  const entries = await vscode.workspace.fs.readDirectory(folder);
  const names = entries.map(([name]) => name).filter((name) => name.endsWith('.md'));
  return Promise.all(
    names.map(async (name) => {
      const uri = vscode.Uri.joinPath(folder, name);
      const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
      const label = text.slice(0, text.indexOf('\n')).replace(/^# /, '');
      return { label, description: `docs/${name}`, uri };
    }),
  );
}
