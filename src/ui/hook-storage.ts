import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { type HookFiles, hookState, installHook } from '../inbox';
import type { Log } from '../util/log';
import { findRuntimes } from './runtimes';

/** The hook in the extension's own storage, under a path that survives updates of the extension. */
export class HookStorage {
  readonly folder: string;

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly log: Log,
    private readonly namedRuntime: () => string,
  ) {
    this.folder = join(context.globalStorageUri.fsPath, 'hook');
  }

  /** Installs or updates the hook before something is connected; the sentence for the person where that failed. */
  async prepare(): Promise<string | null> {
    const files = await this.files();
    if (files.runtimes.length === 0) {
      return 'No Node.js was found to deliver messages with. Install Node.js, or name one in the setting unstuck.connect.runtime.';
    }
    const installed = await installHook(this.folder, files);
    return installed.ok ? null : installed.error.message;
  }

  /** After an update of the extension: brings an installed hook up to date. Nothing is installed that was not there. */
  async update(): Promise<void> {
    try {
      if (!vscode.workspace.isTrusted || (await hookState(this.folder, await this.files())) === 'missing') return;
      const trouble = await this.prepare();
      if (trouble) this.log.warn(trouble);
    } catch (error) {
      this.log.warn(`the hook could not be brought up to date: ${String(error)}`);
    }
  }

  private async files(): Promise<HookFiles> {
    const file = (name: string) => readFile(join(this.context.extensionUri.fsPath, 'dist', name), 'utf8');
    const runtimes = await findRuntimes(this.namedRuntime(), process.env['PATH'] ?? '', process.execPath);
    return { script: await file('hook.sh'), bundle: await file('hook.js'), runtimes };
  }
}
