import module, { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import type * as Main from './main';
import type { UnstuckApi } from './ui/api';

/** Everything else lies in a bundle of its own, so that the start of the editor does not wait for it to be compiled. */
let main: typeof Main | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<UnstuckApi> {
  // Keeps the compiled code from one start to the next; since Node.js 22.8, so not in the oldest editors.
  const { enableCompileCache } = module as { enableCompileCache?: (folder: string) => unknown };
  enableCompileCache?.(join(context.globalStorageUri.fsPath, 'compiled'));
  await new Promise((later) => setImmediate(later));
  // Not by `import`: its loader would read and parse the bundle twice more, for the names it may export.
  main = createRequire(__filename)('./main.js') as typeof Main;
  return main.start(context);
}

export async function deactivate(): Promise<void> {
  await main?.stop();
}
