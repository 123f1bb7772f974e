import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { spoken, spokenLanguage } from '../../util/l10n';

/** A page of ours by the name of its bundle. */
export type PageName = 'panel' | 'overview' | 'rules' | 'statistics';

/** A page: nothing but its bundled script, its style and the icon font, under a policy that allows nothing else. */
export function pageHtml(webview: vscode.Webview, extensionUri: vscode.Uri, name: PageName): string {
  const nonce = randomBytes(16).toString('base64');
  const uri = (file: string) => webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, 'dist', file)).toString();
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource}`,
    `font-src ${webview.cspSource}`,
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${spokenLanguage()}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="preload" href="${uri('codicon.ttf')}" as="font" type="font/ttf" crossorigin>
<link rel="stylesheet" href="${uri(`${name}.css`)}">
<title>Unstuck</title>
</head>
<body>
${translationOf()}<script nonce="${nonce}" src="${uri(`${name}.js`)}"></script>
</body>
</html>`;
}

/** What the page says where it does not speak English: data, which is never run. */
function translationOf(): string {
  const translation = spoken();
  if (!translation) return '';
  const json = JSON.stringify(translation).replaceAll('<', String.raw`\u003c`);
  return `<script type="application/json" id="translation">${json}</script>\n`;
}

/** What a page may do: run our script, and load what we ship. */
export function pageOptions(extensionUri: vscode.Uri): vscode.WebviewOptions {
  return { enableScripts: true, localResourceRoots: [vscode.Uri.joinPath(extensionUri, 'dist')] };
}

/** The icon of a tab: an image of its own knows no colour of the theme, so that each kind of theme has one. */
export function tabIcon(extensionUri: vscode.Uri): { readonly light: vscode.Uri; readonly dark: vscode.Uri } {
  const icon = (theme: string) => vscode.Uri.joinPath(extensionUri, `media/unstuck-${theme}.svg`);
  return { light: icon('light'), dark: icon('dark') };
}
