import module from 'node:module';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import type { UnstuckApi } from './api';
import type * as Window from './window';

let loaded: typeof Window | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<UnstuckApi> {
  // Keeps the compiled code from one start to the next. Available since Node.js 22.8, so not in the oldest editors.
  const { enableCompileCache } = module as { enableCompileCache?: (folder: string) => unknown };
  enableCompileCache?.(join(context.globalStorageUri.fsPath, 'compiled'));
  await new Promise((later) => setImmediate(later));
  // VS Code waits for this small file only; everything else is compiled a moment later.
  loaded = await import('./window');
  return loaded.startWindow(context);
}

export async function deactivate(): Promise<void> {
  await loaded?.stopWindow();
}
