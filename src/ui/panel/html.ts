import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';

/** The panel's page: nothing but the bundled script, style and icon font, under a policy that allows nothing else. */
export function panelHtml(webview: vscode.Webview, extensionUri: vscode.Uri): string {
  const nonce = randomBytes(16).toString('base64');
  const uri = (file: string) => webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, 'dist', file)).toString();
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource}`,
    `font-src ${webview.cspSource}`,
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${uri('panel.css')}">
<title>Unstuck</title>
</head>
<body>
<unstuck-panel></unstuck-panel>
<script nonce="${nonce}" src="${uri('panel.js')}"></script>
</body>
</html>`;
}
