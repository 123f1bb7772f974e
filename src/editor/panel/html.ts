import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { readBytesNow } from '../../base/files';

/** Size limit of a file that a page is made of, bytes. */
const LARGEST = 4 * 1024 * 1024;

/** The pages of the extension, by the names of their bundles. */
export type PageName = 'panel' | 'overview' | 'rules' | 'statistics';

/**
 * Returns a page: its bundled script, its style and the icon font, under a policy that allows nothing else. They are in the document itself, since
 * each file that is requested goes through the editor, and the page stays hidden until it has arrived.
 */
export function pageHtml(extensionUri: vscode.Uri, name: PageName): string {
  const nonce = randomBytes(16).toString('base64');
  const shipped = (file: string) => shippedFile(join(extensionUri.fsPath, 'dist', file));
  const font = `url(data:font/ttf;base64,${shipped('codicon.ttf').toString('base64')})`;
  const style = shipped(`${name}.css`).toString().replaceAll('url(./codicon.ttf)', font);
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    'font-src data:',
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<style nonce="${nonce}">${style}</style>
<title>Unstuck</title>
</head>
<body>
<script nonce="${nonce}">${shipped(`${name}.js`).toString()}</script>
</body>
</html>`;
}

/** @throws {Error} if it cannot be read: the installation is no longer complete */
function shippedFile(path: string): Buffer {
  const read = readBytesNow(path, { limit: LARGEST });
  if (!read.ok) throw new Error(`Unstuck could not read its own file ${path}. Reinstall the extension.`);
  return read.value.bytes;
}

/** Options of a page: it runs our script and loads no file. */
export const PAGE_OPTIONS: vscode.WebviewOptions = { enableScripts: true, localResourceRoots: [] };

/** Returns the icon of a tab. An image of its own does not know the theme's colours, so there is one for each kind of theme. */
export function tabIcon(extensionUri: vscode.Uri): { readonly light: vscode.Uri; readonly dark: vscode.Uri } {
  const icon = (theme: string) => vscode.Uri.joinPath(extensionUri, `media/unstuck-${theme}.svg`);
  return { light: icon('light'), dark: icon('dark') };
}
